import type { AccountPort } from '../../../../src/operations/accounts/object-port.ts';
import { SILENT } from '../../../../src/core/metrics/metrics.ts';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../../../src/core/address/parse-address.ts';
import type { Asker } from '../../../../src/core/turns/who.ts';
import { renderResult } from '../../../../src/core/verification/render.ts';
import type { VerificationResult } from '../../../../src/core/verification/render.ts';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import { ServiceError } from '../../../../src/errors.ts';
import type { SettleRequest, Settled } from '../../../../src/operations/verify/port.ts';
import { listFacts } from '../../../../src/engine/examine-address.ts';
import type { Examined } from '../../../../src/engine/examination.ts';
import { verifyAddress } from '../../../../src/operations/verify/verify-address.ts';
import { fakeClock } from '../../../support/unit/fake-clock.ts';
import { addressOf } from '../../../support/unit/mail-servers.ts';

const ADA = addressOf('ada@x.test');
const RESERVATION = { id: 'res_1', at: 1000 };
const ACCOUNT = { accountId: 'acc_1' };
const REQUEST = { reservation: RESERVATION, address: ADA, requestId: 'req_1', mail: null, outcome: null };
const digestsOf = () => ['digest'];

function resultWith(subStatus: SubStatus): VerificationResult {
	const outcome = {
		subStatus,
		method: 'smtp',
		catchAll: null,
		catchAllScore: null,
		mxRecord: null,
		implicitMx: null,
		smtpProvider: null,
		gateway: null,
		replyCode: null,
	} as const;
	return renderResult(ADA, listFacts(ADA), outcome, 0);
}

const notHere = (): Promise<never> => Promise.reject(new Error('not for this operation'));

/** An account of which only settlements matter here: it writes them down. */
function fakeAccount(): {
	accounts: () => Pick<
		AccountPort,
		'admit' | 'settle' | 'findCall' | 'takeCall' | 'findLate' | 'endLate' | 'noteScores'
	>;
	settlements: SettleRequest[];
} {
	const settlements: SettleRequest[] = [];
	const settled: Settled = {
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
	const account: Pick<
		AccountPort,
		'admit' | 'settle' | 'findCall' | 'takeCall' | 'findLate' | 'endLate' | 'noteScores'
	> = {
		noteScores: notHere,
		admit: notHere,
		findCall: notHere,
		takeCall: notHere,
		findLate: notHere,
		endLate: notHere,
		settle: (request) => {
			settlements.push(request);
			return Promise.resolve(settled);
		},
	};
	return { accounts: () => account, settlements };
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
		const examined = { result: resultWith(subStatus), breakdown: null };
		const points: unknown[] = [];
		const metrics = { note: (...point: unknown[]) => void points.push(point) };
		const askers: Asker[] = [];
		const examine = (_: Address, asker: Asker): Promise<Examined> => {
			askers.push(asker);
			clock.advance(700);
			return Promise.resolve(examined);
		};
		const verified = await verifyAddress({ clock, accounts, examine, digestsOf, metrics }, ACCOUNT, REQUEST);
		const answer = { result: examined.result, requestId: 'req_1', charged: 1, remaining: 9 };
		expect(verified).toEqual({ answer, replayed: false });
		expect(askers).toEqual(['acc_1']);
		expect(settlements).toEqual([
			{ reservation: RESERVATION, outcome, isFree: subStatus === 'greylisted', now: 5700 },
		]);
		expect(points).toEqual([
			['outcome', { operator: 'none', subStatus, stage: 'smtp', class: 'single', count: 1 }],
			['settle_lag', { class: 'single', ms: 0 }],
		]);
	});

	test('the account settles and remembers the score side by side, and the answer waits for both', async () => {
		const clock = fakeClock(5000);
		const account = fakeAccount().accounts();
		const both = { settle: Promise.withResolvers<void>(), noteScores: Promise.withResolvers<void>() };
		const begun: string[] = [];
		const waits = async (name: keyof typeof both): Promise<void> => {
			begun.push(name);
			if (begun.length === 2) both.settle.resolve();
			await both[name].promise;
		};
		const slow: typeof account = {
			...account,
			settle: (request) => waits('settle').then(() => account.settle(request)),
			noteScores: () => waits('noteScores'),
		};
		const examined = { result: resultWith('accepted_email'), breakdown: null, countedPoints: 40 };
		const services = { clock, accounts: () => slow, digestsOf, metrics: SILENT };
		let isAnswered = false;
		const verifying = verifyAddress(
			{ ...services, examine: () => Promise.resolve(examined) },
			ACCOUNT,
			REQUEST,
		);
		void verifying.then(() => (isAnswered = true));
		await both.settle.promise;
		expect([begun, isAnswered]).toEqual([['settle', 'noteScores'], false]);
		both.noteScores.resolve();
		expect((await verifying).answer.charged).toBe(1);
	});

	test('a failure of our own sets the credit free, and is still a failure', async () => {
		const { accounts, settlements } = fakeAccount();
		const failure = new ServiceError('upstream_unavailable', 'No way out');
		const verified = verifyAddress(
			{
				clock: fakeClock(5000),
				accounts,
				digestsOf,
				metrics: SILENT,
				examine: () => Promise.reject(failure),
			},
			ACCOUNT,
			REQUEST,
		);
		await expect(verified).rejects.toBe(failure);
		expect(settlements).toEqual([{ reservation: RESERVATION, outcome: 'failed', now: 5000 }]);
	});
});
