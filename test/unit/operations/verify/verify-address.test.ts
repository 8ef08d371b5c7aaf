import { SILENT } from '../../../../src/core/metrics/metrics.ts';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../../../src/core/address/parse-address.ts';
import type { Asker } from '../../../../src/core/turns/who.ts';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import { ServiceError } from '../../../../src/errors.ts';
import { secureRandom } from '../../../../src/lib/encodings.ts';
import type { SettleRequest, Settled } from '../../../../src/operations/verify/port.ts';
import { listFacts } from '../../../../src/engine/refusal.ts';
import type { Findings, How } from '../../../../src/engine/case.ts';
import { examinedOf, verifyAddress } from '../../../../src/operations/verify/verify-address.ts';
import type {
	VerifyAddressRequest,
	VerifyAddressServices,
} from '../../../../src/operations/verify/verify-address.ts';
import { fakeClock } from '../../../support/unit/fake-clock.ts';
import { foundOf } from '../../../support/unit/mail-at.ts';
import { addressOf } from '../../../support/unit/mail-servers.ts';
import { virtualClock } from '../../../support/unit/virtual-clock.ts';

const ADA = addressOf('ada@x.test');
const RESERVATION = { id: 'res_1', at: 1000 };
const ACCOUNT = { accountId: 'acc_1' };
const REQUEST = {
	reservation: RESERVATION,
	calledAt: 1000,
	address: ADA,
	requestId: 'req_1',
	mail: null,
	outcome: null,
};
const NO_SECRETS = { secureRandom, signing: null, signingSecrets: [] };

/** An account of which only settlements matter here: it writes them down. */
function fakeAccount() {
	const settlements: SettleRequest[] = [];
	const settled: Settled = {
		answer: null,
		charged: 1,
		balance: {
			balance: 9,
			availableCredits: 9,
			reservedCredits: 0,
			totalPurchased: 10,
			totalConsumed: 1,
			totalRefunded: 0,
			transactionCount: 2,
			lastTransactionAt: 1000,
		},
	};
	const settle = (request: SettleRequest): Promise<Settled> => {
		settlements.push(request);
		return Promise.resolve(settled);
	};
	return { accounts: () => ({ settle }), settlements };
}

describe('a verification is settled once, by its outcome', () => {
	test.each<[SubStatus, SettleRequest['outcome']]>([
		['accepted_email', 'deliverable'],
		['rejected_email', 'undeliverable'],
		['mailbox_full', 'risky'],
		['greylisted', 'unknown'],
	])('%s settles as %s', async (subStatus, outcome) => {
		const clock = fakeClock(5000);
		const { accounts, settlements } = fakeAccount();
		const points: unknown[] = [];
		const metrics = { note: (...point: unknown[]) => void points.push(point) };
		const askers: Asker[] = [];
		const examineAddresses = (_: readonly Address[], { asker }: How): Promise<Findings[]> => {
			askers.push(asker);
			clock.advance(700);
			return Promise.resolve([foundOf(ADA, subStatus)]);
		};
		const verified = await verifyAddress(
			{ clock, accounts, examineAddresses, metrics, ...NO_SECRETS },
			ACCOUNT,
			REQUEST,
		);
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
		const { accounts, settlements } = fakeAccount();
		const payers: Partial<How>[] = [];
		const examineAddresses = (_addresses: readonly Address[], { trail, ...payer }: How) => {
			payers.push(payer);
			if (heard === null) return Promise.withResolvers<Findings[]>().promise;
			trail?.asked({ evidence: [], recipients: heard });
			return Promise.resolve([foundOf(ADA, 'greylisted')]);
		};
		const services = { clock, accounts, examineAddresses, metrics: SILENT, ...NO_SECRETS };
		const verifying = verifyAddress(services, ACCOUNT, { ...REQUEST, ...more });
		clock.advance(500);
		await verifying;
		expect(settlements).toMatchObject([{ outcome: 'unknown', free }]);
		expect(payers.map(({ paysUntil }) => paysUntil)).toEqual([heard === null ? 1_500 : undefined]);
	});

	test('a failure of our own sets the credit free, and is still a failure', async () => {
		const { accounts, settlements } = fakeAccount();
		const failure = new ServiceError('upstream_unavailable', 'No way out');
		const verified = verifyAddress(
			{
				clock: fakeClock(5000),
				accounts,
				...NO_SECRETS,
				metrics: SILENT,
				examineAddresses: () => Promise.reject(failure),
			},
			ACCOUNT,
			REQUEST,
		);
		await expect(verified).rejects.toBe(failure);
		expect(settlements).toEqual([{ reservation: RESERVATION, outcome: 'failed', now: 5000 }]);
	});
});

test('a caller whose time is up sees the steps to the mail server, and none of the answer that the next call pays for', async () => {
	const clock = virtualClock();
	const { accounts } = fakeAccount();
	const at = clock.now();
	const evidence = [
		{ step: 'connect', at, text: '198.18.0.1: connected' },
		{ step: 'banner', at, code: 220, text: 'mx ESMTP' },
		{ step: 'ehlo', at, code: 250, text: 'mx' },
		{ step: 'rcpt', at, code: 250, enhanced: '2.1.5', text: 'ok' },
		{ step: 'rule', at, text: 'target accepted' },
	] as const;
	const examineAddresses: VerifyAddressServices['examineAddresses'] = async (_, { trail }) => {
		trail?.lists(listFacts(ADA));
		trail?.route({ kind: 'hosts', hosts: ['mx.x.test'], implicit: false }, null);
		trail?.asked({ evidence, recipients: 2 });
		trail?.score(91, 'valid');
		trail?.decision('catch_all_valid');
		await clock.sleep(5_000);
		return [foundOf(ADA, 'accepted_email')];
	};
	const request = {
		...REQUEST,
		reservation: { id: 'res_1', at: clock.now() },
		calledAt: clock.now(),
		explain: true,
		timeoutMs: 500,
	};
	const services = { clock, accounts, examineAddresses, metrics: SILENT, ...NO_SECRETS };
	const { answer } = await clock.run(verifyAddress(services, ACCOUNT, request));
	expect(answer.result.details.sub_status).toBe('timeout');
	expect(answer.result.evidence?.map(({ step }) => step)).toEqual([
		'list',
		'dns',
		'connect',
		'banner',
		'ehlo',
	]);
	expect(JSON.stringify(answer.result)).not.toContain('2.1.5');
});
