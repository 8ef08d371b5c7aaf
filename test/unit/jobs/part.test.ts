import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	CLAIMS_MAX,
	claimPart,
	dueSince,
	endPart,
	finalRows,
	isDone,
	openPart,
	putPartOff,
	renewPart,
	retryPart,
	sendPart,
	settlePart,
	tallyDifference,
} from '../../../src/core/jobs/part.ts';
import type { Part, StoredAttempt } from '../../../src/core/jobs/part.ts';
import { NOTHING } from '../../../src/core/jobs/stored-row.ts';
import type { PartTally, RowCounts } from '../../../src/core/jobs/stored-row.ts';

const TIMING = { redriveAfterMs: 30_000 };
const LEASE_MS = 120_000;

/** A tally of a part of four addresses. */
const tallyOf = (counts: Partial<RowCounts>, deferred: number): PartTally => ({
	...NOTHING,
	...counts,
	deferred,
});
const ALL_FOUND = tallyOf({ deliverable: 4 }, 0);
const ALL_DEFERRED = tallyOf({}, 4);
const fresh = (): Part => sendPart(openPart({ jobId: 'job_1', n: 0, count: 4 }, 0), 0, TIMING);
const holderOf = (token: string) => ({ token, leaseMs: LEASE_MS });
const claim = (part: Part, token: string, now: number) => claimPart(part, holderOf(token), now);
const settle = (part: Part, stored: StoredAttempt) => settlePart(part, stored, TIMING, true);

/** The part after a claim that must succeed. */
function claimed(part: Part, token: string, now: number): Part {
	const result = claim(part, token, now);
	if (result.kind !== 'claimed') throw new Error(`the claim was answered ${result.kind}`);
	return result.part;
}

describe('a consumer that has a part', () => {
	test('keeps others away until its time ends, and not a millisecond longer', () => {
		const part = claimed(fresh(), 'a', 0);
		expect(part.nextAt).toBe(LEASE_MS);
		expect(claim(part, 'b', LEASE_MS - 1)).toEqual({ kind: 'held' });
		expect(claim(part, 'b', LEASE_MS)).toMatchObject({ kind: 'claimed', part: { token: 'b', claims: 2 } });
	});

	test('gets it again, also after its time, and counts once', () => {
		const part = claimed(fresh(), 'a', 0);
		expect(claimed(part, 'a', LEASE_MS + 5)).toEqual({ ...part, nextAt: 2 * LEASE_MS + 5 });
	});

	test('goes on with it alone, never for a shorter time, and not once the attempt is stored', () => {
		const part = claimed(fresh(), 'a', 0);
		expect(renewPart(part, holderOf('b'), 10)).toBeNull();
		expect(renewPart(part, holderOf('a'), 10)?.nextAt).toBe(LEASE_MS + 10);
		expect(renewPart(part, { token: 'a', leaseMs: 1 }, 10)).toEqual(part);
		const settled = settle(part, { attempt: 1, tally: ALL_DEFERRED, now: 20, dueAt: 20 });
		expect(renewPart(settled, holderOf('a'), 30)).toBeNull();
	});

	test('gives it back until later without using up its attempt, or counting against it', () => {
		const part = claimed(fresh(), 'a', 0);
		const later = putPartOff(part, { token: 'a', until: 60_010 }, 10);
		expect(later).toMatchObject({ attempts: 0, claims: 0, token: null, nextAt: 60_010 });
		expect(claim(later, 'b', 60_009)).toEqual({ kind: 'held' });
		const others = claimed(fresh(), 'b', 0);
		expect(putPartOff(others, { token: 'a', until: 2 }, 1)).toBe(others);
	});

	test('keeps it where an operator has it sent again', () => {
		const part = claimed(fresh(), 'a', 0);
		expect(retryPart(part, 5)).toEqual({ ...part, claims: 0 });
		expect(retryPart(part, LEASE_MS)).toMatchObject({ token: null, claims: 0, sends: 0, nextAt: LEASE_MS });
	});
});

describe('attempts', () => {
	test.each([
		['when what they stored says so', 70_000, 70_000],
		['at once where that has passed', 4, 5],
	])('follow each other %s', (_, dueAt, expected) => {
		const one = settle(fresh(), { attempt: 1, tally: ALL_DEFERRED, dueAt, now: 5 });
		expect(one).toMatchObject({ attempts: 1, token: null, nextAt: expected, sends: 0, settledAt: 5 });
		expect(claim(one, 't', expected - 1)).toEqual({ kind: 'held' });
		expect(claim(one, 't', expected)).toMatchObject({ kind: 'claimed', part: { attempts: 1 } });
	});

	test('stored meanwhile leave the part to their consumer', () => {
		const part = claimed(claimed(fresh(), 'dead', 0), 'a', LEASE_MS);
		const now = LEASE_MS + 10;
		const meanwhile = { attempt: 1, tally: tallyOf({ risky: 1 }, 3), dueAt: 0, holder: holderOf('a'), now };
		const one = settle(part, meanwhile);
		expect(one).toMatchObject({ attempts: 1, token: 'a', nextAt: now + LEASE_MS, claims: 1 });
		// A consumer that lost the part never gets it back.
		expect(settle(claimed(part, 'b', 2 * LEASE_MS), meanwhile).token).toBeNull();
	});

	test.each<[string, number, PartTally]>([
		['leaves out the one before', 2, ALL_FOUND],
		['is number 0', 0, ALL_FOUND],
		['loses an address', 1, tallyOf({ deliverable: 3 }, 0)],
		['counts one too many', 1, tallyOf({ deliverable: 4 }, 1)],
		['counts half addresses', 1, tallyOf({ deliverable: 3.5, risky: 0.5 }, 0)],
		['counts less than nothing', 1, tallyOf({ deliverable: 5, risky: -1 }, 0)],
		['has more catch-all rows than rows', 1, tallyOf({ deliverable: 1, catchAll: 2 }, 3)],
	])('an attempt that %s is a broken promise', (_, attempt, tally) => {
		expect(() => settle(fresh(), { attempt, tally, now: 0, dueAt: 0 })).toThrow('Broken promise');
	});

	test('a row that was final stays so', () => {
		const one = settle(fresh(), { attempt: 1, tally: tallyOf({ deliverable: 1 }, 3), now: 0, dueAt: 0 });
		const other = { attempt: 2, tally: tallyOf({ risky: 4 }, 0), now: 0, dueAt: 0 };
		expect(() => settle(one, other)).toThrow('a final row stays final');
	});

	test('one that five consumers took and none stored is abandoned, and still recorded as any other', () => {
		let part = fresh();
		for (let taken = 0; taken < CLAIMS_MAX; taken += 1) {
			const now = taken * LEASE_MS;
			expect(claim(part, `t${taken}`, now)).toMatchObject({ abandoned: false });
			part = claimed(part, `t${taken}`, now);
		}
		const now = CLAIMS_MAX * LEASE_MS;
		expect(claim(part, 'sixth', now)).toMatchObject({ abandoned: true });
		const settled = settle(part, { attempt: 1, tally: ALL_DEFERRED, now, dueAt: now });
		expect(claim(settled, 't', now)).toMatchObject({ abandoned: false });
	});
});

describe('messages', () => {
	test('that get lost are sent again, after pauses that double up to two minutes', () => {
		let part = fresh();
		const pauses: number[] = [];
		for (let now = 0; pauses.length < 8;) {
			const at = part.nextAt ?? 0;
			pauses.push((at - now) / 1000);
			part = sendPart(part, at, TIMING);
			now = at;
			expect(dueSince(part, TIMING)).toBe(0);
		}
		expect(pauses).toEqual([30, 60, 120, 120, 120, 120, 120, 120]);
		// A configured pause beyond that stays as it is.
		expect(sendPart(part, 0, { redriveAfterMs: 600_000 }).nextAt).toBe(600_000);
		// A message that arrives after all begins anew.
		expect(claimed(part, 'a', 5)).toMatchObject({ sends: 0, nextAt: 5 + LEASE_MS });
	});

	test('are for whoever comes, even if the clock of the consumer is behind', () => {
		const part = settle(fresh(), { attempt: 1, tally: ALL_DEFERRED, now: 0, dueAt: 60_000 });
		expect(claim(part, 'a', 59_999)).toEqual({ kind: 'held' });
		expect(claim(sendPart(part, 60_000, TIMING), 'a', 59_999)).toMatchObject({ kind: 'claimed' });
	});

	test('of parts that are done are sent for the last one alone, which completes the job', () => {
		const stored = { attempt: 1, tally: ALL_FOUND, now: 7, dueAt: null };
		expect(settlePart(fresh(), stored, TIMING, false)).toMatchObject({ nextAt: null, sends: 0 });
		expect(settlePart(fresh(), stored, TIMING, true)).toMatchObject({ nextAt: 30_007, sends: 1 });
		const ended = endPart(claimed(fresh(), 'a', 0), 7, TIMING, false);
		expect(ended).toMatchObject({ token: null, nextAt: null, ...tallyOf({ unknown: 4 }, 0) });
	});
});

test('no order of claims, stored attempts, redeliveries, outages and lost leases counts a row twice or loses one', () => {
	const step = fc.record({
		what: fc.constantFrom('wait', 'claim', 'renew', 'postpone', 'resend', 'store', 'settle'),
		consumer: fc.nat({ max: 2 }),
		ms: fc.nat({ max: 400_000 }),
		found: fc.nat({ max: 4 }),
		attempt: fc.integer({ min: 1, max: 6 }),
		isHeld: fc.boolean(),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			let part = fresh();
			let now = 0;
			let charged = 0;
			// As R2 stores it: the first blob of an attempt wins.
			const blobs = new Map<number, PartTally>();
			const running = new Map<number, number>();
			for (const [index, { what, consumer, ms, ...action }] of steps.entries()) {
				const token = `c${consumer}`;
				if (what === 'wait') now += ms;
				if (what === 'resend' && (part.nextAt ?? Infinity) <= now) part = sendPart(part, now, TIMING);
				if (what === 'claim') {
					const result = claim(part, token, now);
					expect(result.kind === 'done').toBe(isDone(part));
					if (result.kind !== 'claimed') continue;
					({ part } = result);
					running.set(consumer, part.attempts + 1);
				}
				if (what === 'renew') part = renewPart(part, holderOf(token), now) ?? part;
				if (what === 'postpone') part = putPartOff(part, { token, until: now + 60_000 }, now);
				const attempt = what === 'store' ? running.get(consumer) : undefined;
				if (attempt !== undefined && !blobs.has(attempt)) {
					const before = blobs.get(attempt - 1) ?? ALL_DEFERRED;
					const ended = Math.min(action.found, before.deferred);
					const status = index % 2 === 0 ? ('deliverable' as const) : ('unknown' as const);
					const deferred = before.deferred - ended;
					blobs.set(attempt, { ...before, [status]: before[status] + ended, deferred });
				}
				const tally = what === 'settle' ? blobs.get(action.attempt) : undefined;
				if (tally !== undefined) {
					const holder = action.isHeld ? { holder: holderOf(token) } : {};
					const about = { attempt: action.attempt, tally, dueAt: now + ms - 1_000, ...holder, now };
					const next = settle(part, about);
					// A part stays with its holder or is given back; it never passes to another consumer.
					expect([null, part.token]).toContain(next.token);
					charged += finalRows(tallyDifference(part, next));
					part = next;
				}
				expect(charged).toBe(finalRows(part));
				expect(charged + part.deferred).toBe(4);
				expect(part).toMatchObject(blobs.get(part.attempts) ?? ALL_DEFERRED);
				// Whatever happened, the alarm has a time at which it looks again.
				expect(Number.isSafeInteger(part.nextAt)).toBe(true);
			}
			// Consumers that finish what they begin end every part within the attempts there are.
			for (let left = 10; !isDone(part) && left > 0; left -= 1) {
				now = Math.max(now, part.nextAt ?? now);
				const taken = claimed(part, `late${left}`, now);
				const attempt = taken.attempts + 1;
				const before = blobs.get(attempt - 1) ?? ALL_DEFERRED;
				const risky = before.risky + before.deferred;
				const tally = blobs.get(attempt) ?? { ...before, risky, deferred: 0 };
				const next = settle(taken, { attempt, tally, now, dueAt: now });
				charged += finalRows(tallyDifference(part, next));
				part = next;
			}
			expect(charged).toBe(4);
		}),
		{ numRuns: 500 },
	);
});
