import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	ATTEMPTS_MAX,
	CLAIMS_MAX,
	claimPart,
	finalRows,
	isDone,
	nextSendAt,
	openPart,
	postponePart,
	renewPart,
	resendPart,
	settlePart,
	tallyDifference,
} from '../../../src/core/jobs/part.ts';
import type { Part } from '../../../src/core/jobs/part.ts';
import { PUT_OFF_MAX_MS } from '../../../src/core/jobs/schedule.ts';
import type { PartTally } from '../../../src/core/jobs/stored-row.ts';

const TIMING = { retryDelaysMs: [60_000, 300_000], redriveAfterMs: 30_000 };
const LEASE_MS = 120_000;
const NONE = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 };

/** A tally of a part of four addresses. */
const tallyOf = (counts: Partial<PartTally['counts']>, deferred: number): PartTally => ({
	counts: { ...NONE, ...counts },
	deferred,
});
const ALL_FOUND = tallyOf({ deliverable: 4 }, 0);
const ALL_DEFERRED = tallyOf({}, 4);
const ALL_FOUND_BUT_ONE = tallyOf({ deliverable: 2, risky: 1 }, 1);
const fresh = (): Part => openPart(4, 0, TIMING);
const claim = (part: Part, token: string, now: number) =>
	claimPart(part, { token, now, leaseMs: LEASE_MS }, TIMING);

/** The part after a claim that must succeed. */
function claimed(part: Part, token: string, now: number): Part {
	const result = claim(part, token, now);
	if (result.kind !== 'claimed') throw new Error(`the claim was answered ${result.kind}`);
	return result.part;
}

describe('a lease', () => {
	test('keeps others away until it ends, and not a millisecond longer', () => {
		const part = claimed(fresh(), 'a', 0);
		expect(claim(part, 'b', LEASE_MS - 1)).toEqual({ kind: 'held' });
		expect(claim(part, 'b', LEASE_MS)).toMatchObject({ kind: 'claimed', attempt: 1 });
	});

	test('is given again to its holder, also after its end, and counts once', () => {
		const part = claimed(fresh(), 'a', 0);
		const again = claimed(part, 'a', LEASE_MS + 5);
		expect(again).toEqual({ ...part, lease: { token: 'a', until: 2 * LEASE_MS + 5 } });
	});

	test('taken anew starts the pauses for lost messages anew: its message did arrive', () => {
		let part = fresh();
		for (const now of [30_000, 90_000, 210_000]) part = resendPart(part, now, TIMING) ?? part;
		expect(nextSendAt(part)).toBe(330_000);
		part = claimed(part, 'a', 211_000);
		expect(part).toMatchObject({ sends: 1, sendAt: 211_000 + TIMING.redriveAfterMs });
		expect(claimed(part, 'a', 220_000).sendAt).toBe(part.sendAt);
	});

	test('is renewed by its holder only, is never shortened, and is gone once the attempt is stored', () => {
		const part = claimed(fresh(), 'a', 0);
		const renew = (token: string, now: number, at = part) => renewPart(at, { token, now, leaseMs: LEASE_MS });
		expect(renew('b', 10)).toBeNull();
		expect(renew('a', 10)?.lease).toEqual({ token: 'a', until: LEASE_MS + 10 });
		expect(renewPart(part, { token: 'a', now: 10, leaseMs: 1 })?.lease).toEqual(part.lease);
		const settled = settlePart(part, { attempt: 1, tally: ALL_DEFERRED, now: 20, dueAt: 20 }, TIMING);
		expect(renew('a', 30, settled)).toBeNull();
	});
});

describe('attempts', () => {
	test.each([
		['when what they stored says so', 70_000, 70_000],
		['at once where that has passed', 4, 5],
	])('follow each other %s', (_, dueAt, expected) => {
		const one = settlePart(fresh(), { attempt: 1, tally: ALL_DEFERRED, dueAt, now: 5 }, TIMING);
		expect(one).toMatchObject({ attempts: 1, lease: null, dueAt: expected, sendAt: expected, sends: 0 });
		expect(claim(one, 't', expected)).toMatchObject({ kind: 'claimed', attempt: 2 });
	});

	test('stored meanwhile leave the part to the consumer of the next one', () => {
		const part = claimed(fresh(), 'a', 0);
		const holder = { token: 'a', until: 10 + LEASE_MS };
		const meanwhile = { attempt: 1, tally: tallyOf({ risky: 1 }, 3), dueAt: 0, holder, now: 10 };
		const one = settlePart(part, meanwhile, TIMING);
		expect(one).toMatchObject({ attempts: 1, lease: holder, claims: 1 });
		expect(claim(one, 'b', 10 + LEASE_MS - 1)).toEqual({ kind: 'held' });
		expect(
			settlePart(one, { attempt: 2, tally: ALL_FOUND_BUT_ONE, now: 20, dueAt: 20 }, TIMING),
		).toMatchObject({
			attempts: 2,
			lease: null,
		});
		// He dies: the part is sent again, and its next consumer has the second attempt.
		expect(resendPart(one, nextSendAt(one), TIMING)).not.toBeNull();
		expect(claim(one, 'b', 10 + LEASE_MS)).toMatchObject({ kind: 'claimed', attempt: 2 });
		// A consumer that lost the part never gets it back.
		expect(settlePart(claimed(part, 'b', LEASE_MS), meanwhile, TIMING).lease).toBeNull();
	});

	test('after a thousand are given up: nothing of ours may keep a part for ever', () => {
		const part = { ...fresh(), attempts: ATTEMPTS_MAX - 1 };
		expect(claim(part, 't', 0)).toMatchObject({ attempt: ATTEMPTS_MAX, abandoned: false });
		expect(claim({ ...part, attempts: ATTEMPTS_MAX }, 't', 0)).toMatchObject({ abandoned: true });
	});

	test('are recorded once: a repeated or lower one leaves the very same part', () => {
		const one = settlePart(
			fresh(),
			{ attempt: 1, tally: tallyOf({ risky: 1 }, 3), now: 5, dueAt: 5 },
			TIMING,
		);
		const two = settlePart(
			one,
			{ attempt: 2, tally: tallyOf({ risky: 1, unknown: 3 }, 0), now: 9, dueAt: 9 },
			TIMING,
		);
		expect(settlePart(two, { attempt: 2, tally: ALL_FOUND, now: 10, dueAt: 10 }, TIMING)).toBe(two);
		expect(settlePart(two, { attempt: 1, tally: ALL_FOUND, now: 10, dueAt: 10 }, TIMING)).toBe(two);
		expect(claim(two, 't', 10)).toEqual({ kind: 'done' });
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
		expect(() => settlePart(fresh(), { attempt, tally, now: 0, dueAt: 0 }, TIMING)).toThrow('Broken promise');
	});

	test('a row that was final stays so', () => {
		const one = settlePart(
			fresh(),
			{ attempt: 1, tally: tallyOf({ deliverable: 1 }, 3), now: 0, dueAt: 0 },
			TIMING,
		);
		expect(() =>
			settlePart(one, { attempt: 2, tally: tallyOf({ risky: 4 }, 0), now: 0, dueAt: 0 }, TIMING),
		).toThrow('a final row stays final');
	});

	test('one that five consumers took and none stored is abandoned, and still recorded as any other', () => {
		let part = fresh();
		for (let taken = 0; taken < CLAIMS_MAX; taken += 1) {
			const now = taken * LEASE_MS;
			expect(claim(part, `t${taken}`, now)).toMatchObject({ abandoned: false, attempt: 1 });
			part = claimed(part, `t${taken}`, now);
		}
		const now = CLAIMS_MAX * LEASE_MS;
		expect(claim(part, 'sixth', now)).toMatchObject({ abandoned: true, attempt: 1 });
		const settled = settlePart(part, { attempt: 1, tally: ALL_DEFERRED, now, dueAt: now }, TIMING);
		expect(claim(settled, 't', settled.dueAt)).toMatchObject({ abandoned: false, attempt: 2 });
	});
});

describe('an outage of our own', () => {
	test('puts the attempt off without using it up, or counting against it', () => {
		const part = claimed(fresh(), 'a', 0);
		const later = postponePart(part, { token: 'a', now: 10, until: 60_010 });
		expect(later).toMatchObject({ attempts: 0, claims: 0, lease: null, dueAt: 60_010, postponedSince: 10 });
		expect(later === null ? null : nextSendAt(later)).toBe(60_010);
	});

	test('can last six hours, after which the consumer keeps its lease', () => {
		let part = fresh();
		const postpone = (now: number) => {
			part = claimed(part, 'a', now);
			return postponePart(part, { token: 'a', now, until: now + 2 * PUT_OFF_MAX_MS });
		};
		part = postpone(0) ?? part;
		// However late it is wanted, it is tried a last time when the six hours are over.
		expect(part.dueAt).toBe(PUT_OFF_MAX_MS);
		expect(postpone(PUT_OFF_MAX_MS)).toBeNull();
		expect(part.lease?.token).toBe('a');
	});

	test('is over with the next stored attempt', () => {
		const part = postponePart(claimed(fresh(), 'a', 0), { token: 'a', now: 0, until: 1 }) ?? fresh();
		expect(
			settlePart(part, { attempt: 1, tally: ALL_DEFERRED, now: 2, dueAt: 2 }, TIMING).postponedSince,
		).toBeNull();
	});

	test('reported by a consumer that lost its lease changes nothing', () => {
		const part = claimed(fresh(), 'b', 0);
		expect(postponePart(part, { token: 'a', now: 1, until: 2 })).toBe(part);
	});
});

describe('messages', () => {
	test('that get lost are sent again, after pauses that double up to two minutes while nothing claims the part', () => {
		let part = fresh();
		const pauses: number[] = [];
		for (let now = 0, sent = 0; sent < 8; sent += 1) {
			const at = nextSendAt(part);
			expect(resendPart(part, at - 1, TIMING)).toBeNull();
			part = resendPart(part, at, TIMING) ?? part;
			pauses.push((at - now) / 1000);
			now = at;
		}
		expect(pauses).toEqual([30, 60, 120, 120, 120, 120, 120, 120]);
		// A configured pause beyond that stays as it is.
		expect(resendPart(part, nextSendAt(part), { redriveAfterMs: 600_000 })?.sendAt).toBe(
			nextSendAt(part) + 600_000,
		);
	});

	test('are not sent while a lease runs', () => {
		const part = claimed(fresh(), 'a', 0);
		expect(resendPart(part, LEASE_MS - 1, TIMING)).toBeNull();
		expect(resendPart(part, LEASE_MS, TIMING)).toMatchObject({ sends: 2 });
	});

	test('of a later attempt are sent when it is due, and again after the first pause', () => {
		const part = settlePart(fresh(), { attempt: 1, tally: ALL_DEFERRED, now: 0, dueAt: 60_000 }, TIMING);
		const sent = resendPart(part, 60_000, TIMING);
		expect(sent).toMatchObject({ sends: 1, sendAt: 90_000 });
		// The consumer's clock may be behind ours.
		expect(claim(part, 'a', 59_999)).toEqual({ kind: 'held' });
		expect(claim(sent ?? part, 'a', 59_999)).toMatchObject({ kind: 'claimed', attempt: 2 });
		expect(resendPart(part, 59_999, TIMING)).toBeNull();
	});
});

test('no order of claims, stored attempts, redeliveries, outages and lost leases counts a row twice or loses one', () => {
	const consumer = fc.nat({ max: 2 });
	const step = fc.oneof(
		fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: 400_000 }) }),
		fc.record({ do: fc.constant('claim' as const), consumer }),
		fc.record({ do: fc.constant('renew' as const), consumer }),
		fc.record({ do: fc.constant('postpone' as const), consumer }),
		fc.record({ do: fc.constant('resend' as const) }),
		fc.record({ do: fc.constant('store' as const), consumer, found: fc.nat({ max: 4 }) }),
		fc.record({
			do: fc.constant('settle' as const),
			attempt: fc.integer({ min: 1, max: 6 }),
			holder: fc.option(consumer),
			inMs: fc.integer({ min: -1_000, max: 400_000 }),
		}),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			let part = fresh();
			let now = 0;
			let charged = 0;
			// As R2 stores it: the first blob of an attempt wins.
			const blobs = new Map<number, PartTally>();
			const running = new Map<number, { attempt: number }>();
			for (const [index, action] of steps.entries()) {
				if (action.do === 'wait') now += action.ms;
				if (action.do === 'resend') part = resendPart(part, now, TIMING) ?? part;
				if (action.do === 'claim') {
					const result = claim(part, `c${action.consumer}`, now);
					expect(result.kind === 'done').toBe(isDone(part));
					if (result.kind !== 'claimed') continue;
					({ part } = result);
					running.set(action.consumer, result);
				}
				const token = 'consumer' in action ? `c${action.consumer}` : '';
				if (action.do === 'renew') part = renewPart(part, { token, now, leaseMs: LEASE_MS }) ?? part;
				if (action.do === 'postpone') part = postponePart(part, { token, now, until: now + 60_000 }) ?? part;
				const work = action.do === 'store' ? running.get(action.consumer) : undefined;
				if (action.do === 'store' && work !== undefined && !blobs.has(work.attempt)) {
					const before = blobs.get(work.attempt - 1) ?? ALL_DEFERRED;
					const ended = Math.min(action.found, before.deferred);
					const status = index % 2 === 0 ? ('deliverable' as const) : ('unknown' as const);
					const counts = { ...before.counts, [status]: before.counts[status] + ended };
					blobs.set(work.attempt, { counts, deferred: before.deferred - ended });
				}
				if (action.do === 'settle') {
					const tally = blobs.get(action.attempt);
					if (tally === undefined) continue;
					const holder =
						action.holder === null ? undefined : { token: `c${action.holder}`, until: now + LEASE_MS };
					const about = { attempt: action.attempt, tally, dueAt: now + action.inMs, holder, now };
					const { lease } = part;
					const next = settlePart(part, about, TIMING);
					// A lease stays with its holder or ends; it never passes to another consumer.
					expect([null, part.lease, holder]).toContainEqual(next.lease);
					if (next !== part && next.lease !== null) expect(next.lease.token).toBe(lease?.token);
					charged += finalRows(tallyDifference(part.tally, next.tally));
					part = next;
				}
				expect(charged).toBe(finalRows(part.tally.counts));
				expect(charged + part.tally.deferred).toBe(4);
				expect(part.tally).toEqual(blobs.get(part.attempts) ?? ALL_DEFERRED);
				// Whatever happened, the alarm has a time at which it looks again.
				expect(Number.isSafeInteger(nextSendAt(part))).toBe(true);
			}
			// Consumers that finish what they begin end every part within the attempts there are.
			for (let left = 10; !isDone(part) && left > 0; left -= 1) {
				now = Math.max(now, nextSendAt(part), part.dueAt);
				const result = claim(part, `late${left}`, now);
				if (result.kind !== 'claimed') throw new Error(`the claim was answered ${result.kind}`);
				const before = blobs.get(result.attempt - 1) ?? ALL_DEFERRED;
				const counts = { ...before.counts, risky: before.counts.risky + before.deferred };
				const tally = blobs.get(result.attempt) ?? { counts, deferred: 0 };
				const next = settlePart(result.part, { attempt: result.attempt, tally, now, dueAt: now }, TIMING);
				charged += finalRows(tallyDifference(part.tally, next.tally));
				part = next;
			}
			expect(charged).toBe(4);
		}),
		{ numRuns: 500 },
	);
});
