import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../../src/lib/time.ts';
import type { Asker } from '../../../../src/core/turns/who.ts';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import { ServiceError } from '../../../../src/errors.ts';
import { secureRandom } from '../../../../src/lib/encodings.ts';
import type { SettleRequest, Settled } from '../../../../src/operations/verify/port.ts';
import { listFacts } from '../../../../src/core/verification/render.ts';
import type { How } from '../../../../src/engine/case.ts';
import type { Conclusion } from '../../../../src/engine/examine.ts';
import { examinedOf, verifyAddress } from '../../../../src/operations/verify/verify.ts';
import type {
	VerifyAddressRequest,
	VerifyAddressServices,
} from '../../../../src/operations/verify/verify.ts';
import { balanceOf } from '../../../support/dashboard/samples.ts';
import { fakeClock } from '../../../support/unit/fake-clock.ts';
import { foundOf } from '../../../support/unit/mail-at.ts';
import { addressOf } from '../../../support/unit/mail-servers.ts';
import { virtualClock } from '../../../support/unit/virtual-clock.ts';

const ADA = addressOf('ada@x.test');
const RESERVATION = { id: 'res_1', at: 1000 };
const REQUEST = {
	reservation: RESERVATION,
	calledAt: 1000,
	address: ADA,
	requestId: 'req_1',
	mail: null,
	outcome: null,
};

const BALANCE = balanceOf(10, 1);

/** A service that answers so, and the settlements and points that its calls lead to. */
function serviceThat(examineAddresses: VerifyAddressServices['examineAddresses'], clock: Clock) {
	const settlements: SettleRequest[] = [];
	const points: unknown[] = [];
	const settle = (request: SettleRequest): Promise<Settled> => {
		settlements.push(request);
		return Promise.resolve({ answer: null, charged: 1, balance: BALANCE });
	};
	const services: VerifyAddressServices = {
		...{ clock, examineAddresses, secureRandom, signing: null, signingSecrets: [] },
		accounts: () => ({ settle }),
		metrics: { note: (...point) => void points.push(point) },
		later: () => {},
	};
	const verify = (more: Partial<VerifyAddressRequest> = {}) =>
		verifyAddress(services, { accountId: 'acc_1' }, { ...REQUEST, ...more });
	return { verify, settlements, points };
}

describe('a verification is settled once, by its outcome', () => {
	test.each<[SubStatus, SettleRequest['outcome']]>([
		['accepted_email', 'deliverable'],
		['rejected_email', 'undeliverable'],
		['mailbox_full', 'risky'],
		['greylisted', 'unknown'],
	])('%s settles as %s', async (subStatus, outcome) => {
		const clock = fakeClock(5000);
		const askers: Asker[] = [];
		const { verify, settlements, points } = serviceThat((_, { asker }) => {
			askers.push(asker);
			clock.advance(700);
			return Promise.resolve([foundOf(ADA, subStatus)]);
		}, clock);
		const verified = await verify();
		const examined = examinedOf(ADA, [foundOf(ADA, subStatus)], 5700);
		const answer = { ...examined, requestId: 'req_1', charged: 1, remaining: 9 };
		expect(verified).toEqual({ answer, replayed: false });
		expect(askers).toEqual(['acc_1']);
		expect(settlements).toEqual([
			{ reservation: RESERVATION, outcome, free: subStatus === 'greylisted' ? 1 : 0, now: 5700 },
		]);
		expect(points).toEqual([
			['outcome', { operator: 'none', subStatus, stage: 'smtp', class: 'single', count: 1 }],
			['settle_lag', { class: 'single', ms: 0 }],
		]);
	});

	test.each<[string, number | null, number, Partial<VerifyAddressRequest>]>([
		['that decides nothing', 3, 3, {}],
		['that is heard too late', null, 2, { timeoutMs: 500 }],
	])('a free answer %s counts by its recipients', async (_, heard, free, more) => {
		const clock = fakeClock(1_000);
		const payers: Partial<How>[] = [];
		const { verify, settlements } = serviceThat((_addresses, { trail, ...payer }) => {
			payers.push(payer);
			if (heard === null) return Promise.withResolvers<Conclusion[]>().promise;
			trail?.asked({ evidence: [], recipients: heard });
			return Promise.resolve([foundOf(ADA, 'greylisted')]);
		}, clock);
		const verifying = verify(more);
		clock.advance(500);
		await verifying;
		expect(settlements).toMatchObject([{ outcome: 'unknown', free }]);
		expect(payers.map(({ paysUntil }) => paysUntil)).toEqual([heard === null ? 1_500 : undefined]);
	});

	test('a failure of our own sets the credit free, and is still a failure', async () => {
		const failure = new ServiceError('upstream_unavailable', 'No way out');
		const { verify, settlements } = serviceThat(() => Promise.reject(failure), fakeClock(5000));
		await expect(verify()).rejects.toBe(failure);
		expect(settlements).toEqual([{ reservation: RESERVATION, outcome: 'failed', now: 5000 }]);
	});
});

test('a caller whose time is up sees the steps to the mail server, and none of the answer that the next call pays for', async () => {
	const clock = virtualClock();
	const at = clock.now();
	const evidence = [
		{ step: 'connect', at, text: '198.18.0.1: connected' },
		{ step: 'banner', at, code: 220, text: 'mx ESMTP' },
		{ step: 'ehlo', at, code: 250, text: 'mx' },
		{ step: 'rcpt', at, code: 250, enhanced: '2.1.5', text: 'ok' },
		{ step: 'rule', at, text: 'target accepted' },
	] as const;
	const { verify } = serviceThat(async (_, { trail }) => {
		trail?.lists(listFacts(ADA));
		trail?.route({ kind: 'hosts', hosts: ['mx.x.test'], implicit: false }, null);
		trail?.asked({ evidence, recipients: 2 });
		trail?.score(91);
		trail?.decision('catch_all_valid');
		await clock.sleep(5_000);
		return [foundOf(ADA, 'accepted_email')];
	}, clock);
	const reservation = { id: 'res_1', at };
	const { answer } = await clock.run(verify({ reservation, calledAt: at, explain: true, timeoutMs: 500 }));
	expect(answer.result.details.sub_status).toBe('timeout');
	expect(answer.result.evidence?.map(({ step }) => step).join(' ')).toBe('list dns connect banner ehlo');
	expect(JSON.stringify(answer.result)).not.toContain('2.1.5');
});
