import { describe, expect, test } from 'vitest';
import { claimPart, openPart, resendPart } from '../../../../src/core/jobs/part.ts';
import { decodeRows } from '../../../../src/core/jobs/stored-row.ts';
import { decidedBy } from '../../../../src/core/verification/render.ts';
import { listFacts } from '../../../../src/engine/examine-address.ts';
import type { Findings } from '../../../../src/engine/examination.ts';
import type { ClaimResult, JobRecord, JobStore } from '../../../../src/operations/jobs/port.ts';
import { verifyPart } from '../../../../src/operations/jobs/verify-part.ts';
import type { VerifyPartServices } from '../../../../src/operations/jobs/verify-part.ts';
import { addressOf } from '../../../support/unit/mail-servers.ts';

const MESSAGE = { accountId: 'acc_1', jobId: 'job_1', part: 0 };
const REDRIVE_MS = 30_000;
const notHere = (): never => {
	throw new Error('not for this operation');
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock whose sleepers wake when a test lets the time pass. */
function manualClock() {
	let now = 0;
	let sleepers: { at: number; wake: () => void }[] = [];
	return {
		now: () => now,
		sleep: (ms: number) =>
			new Promise<void>((wake) => {
				sleepers.push({ at: now + ms, wake });
			}),
		/** Time passes without anybody waking up, as while a Worker computes. */
		jump: (ms: number) => {
			now += ms;
		},
		advance: async (ms: number): Promise<void> => {
			for (const end = now + ms; now < end; now += 1_000) {
				const due = sleepers.filter(({ at }) => at <= now);
				sleepers = sleepers.filter(({ at }) => at > now);
				for (const { wake } of due) wake();
				await settled();
			}
		},
	};
}

const JOB: JobRecord = {
	jobId: 'job_1',
	kind: 'verification',
	sourceJobId: null,
	status: 'processing',
	name: null,
	submitted: 1,
	accepted: 1,
	duplicates: 0,
	invalid: 0,
	parts: 1,
	processed: 0,
	counts: { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 },
	creditsReserved: 1,
	creditsUsed: 0,
	creditsRefunded: 0,
	waiting: 0,
	nextAttemptAt: null,
	createdAt: 0,
	updatedAt: 0,
	completedAt: null,
	resultsExpiresAt: null,
	catchAllTaskId: null,
	error: null,
};

/** One part of these addresses, in a world where everything works. */
function worldOf(emails: readonly string[], more: { last?: boolean; renew?: () => Promise<boolean> } = {}) {
	const clock = manualClock();
	const claims: Parameters<JobStore['claimPart']>[0][] = [];
	const renewals: number[] = [];
	const stored: string[] = [];
	const claimed: ClaimResult = {
		kind: 'claimed',
		jobKind: 'verification',
		token: 'lease_1',
		attempt: 1,
		count: emails.length,
		last: more.last ?? false,
	};
	const account: JobStore = {
		listJobs: notHere,
		openJob: notHere,
		findJob: () => Promise.resolve(JOB),
		findAnswer: notHere,
		claimPart: (request) => {
			claims.push(request);
			return Promise.resolve(claimed);
		},
		renewPart: ({ now }) => {
			renewals.push(now);
			return more.renew?.() ?? Promise.resolve(true);
		},
		settlePart: () => Promise.resolve({ job: JOB, ready: false }),
		postponePart: notHere,
		completeJob: notHere,
		failJob: notHere,
		inspectJob: notHere,
		tasksOf: notHere,
		retryJob: notHere,
	};
	const input = JSON.stringify(emails.map((email, index) => [index, email]));
	const services = (investigate: (email: string) => Promise<void>): VerifyPartServices => ({
		clock,
		newId: () => 'lease_1',
		thresholds: { validFrom: 88, invalidBelow: 45 },
		listJob: () => Promise.resolve(),
		findRoute: (domain) => Promise.resolve({ kind: 'hosts', hosts: [`mx.${domain}`], implicit: false }),
		investigate: (addresses) =>
			Promise.all(
				addresses.map(async ({ email }): Promise<Findings> => {
					await investigate(email);
					const outcome = decidedBy('smtp', 'accepted_email');
					return { lists: listFacts(addressOf(email)), outcome, invented: null, judgement: null };
				}),
			),
		jobBlobs: {
			putInput: notHere,
			readPart: () => Promise.resolve(input),
			putAttempt: (_, __, ___, rows) => {
				stored.push(rows);
				return Promise.resolve(rows);
			},
			readAttempt: () => Promise.resolve(null),
			lastAttempts: notHere,
			putFacts: notHere,
			putScores: notHere,
			readScores: notHere,
			readFacts: notHere,
			putPage: notHere,
			readPage: notHere,
			remove: notHere,
		},
	});
	return { clock, account, services, claims, renewals, rows: () => stored.flatMap(decodeRows) };
}

describe('the lease of a part', () => {
	test('ends before a lost message would be sent again, so that a dead consumer holds nobody up', async () => {
		const { account, services, claims } = worldOf(['ada@x.test']);
		await verifyPart(
			services(() => Promise.resolve()),
			account,
			MESSAGE,
		);
		const timing = { retryDelaysMs: [60_000], redriveAfterMs: REDRIVE_MS };
		let part = openPart(1, 0, timing);
		// Consumers that take the part and die, one after the other.
		for (let death = 0; death < 4; death += 1) {
			const now = death * REDRIVE_MS;
			const claim = claimPart(part, { token: `t${death}`, now, leaseMs: claims[0]?.leaseMs ?? 0 }, timing);
			if (claim.kind !== 'claimed') throw new Error(`${claim.kind} after ${death} deaths`);
			const resent = resendPart(claim.part, now + REDRIVE_MS, timing);
			expect(resent, `${death} deaths`).not.toBeNull();
			part = resent ?? part;
		}
	});

	test('is renewed for as long as the work takes, and no longer', async () => {
		const { clock, account, services, renewals } = worldOf(['ada@x.test']);
		const working = verifyPart(
			services(() => clock.sleep(32_000)),
			account,
			MESSAGE,
		);
		await clock.advance(40_000);
		await working;
		expect(renewals).toEqual([5_000, 10_000, 15_000, 20_000, 25_000, 30_000]);
		await clock.advance(20_000);
		expect(renewals).toHaveLength(6);
	});

	test('that cannot be renewed stops nothing: what is found is stored all the same', async () => {
		const lost = worldOf(['ada@x.test'], { renew: () => Promise.reject(new Error('the account is away')) });
		const working = verifyPart(
			lost.services(() => lost.clock.sleep(7_000)),
			lost.account,
			MESSAGE,
		);
		await lost.clock.advance(10_000);
		await working;
		expect(lost.rows().map((row) => row.slice(0, 3))).toEqual([[0, 'ada@x.test', 'accepted_email']]);
	});
});

describe('an address that was not reached before the deadline of its part', () => {
	const emails = Array.from({ length: 7 }, (_, index) => `ada@x${index}.test`);

	test.each([
		['waits for the next attempt', false, [6, 'ada@x6.test', null, 'unexpected_error']],
		['is unknown after the last one', true, [6, 'ada@x6.test', 'unexpected_error', 'smtp']],
	])('%s, and nobody says that its server was slow', async (_, last, row) => {
		const { clock, account, services, rows } = worldOf(emails, { last });
		const asked: string[] = [];
		const investigate = (email: string): Promise<void> => {
			asked.push(email);
			if (asked.length === 6) clock.jump(90_000);
			return Promise.resolve();
		};
		await verifyPart(services(investigate), account, MESSAGE);
		expect(asked).toEqual(emails.slice(0, 6));
		expect(rows()).toHaveLength(7);
		expect(rows()[6]?.slice(0, 4)).toEqual(row);
	});
});
