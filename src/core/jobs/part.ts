import { assert } from '../../lib/assert.ts';
import { STATUSES } from '../verification/sub-status.ts';
import { PUT_OFF_MAX_MS } from './schedule.ts';
import type { PartTally, RowCounts } from './stored-row.ts';

// The state of one part of a job: its lease, its stored attempts and its messages.

/** A consumer's right to work on a part, valid while `now < until`. */
export interface Lease {
	readonly token: string;
	/** Epoch milliseconds, as all times here. */
	readonly until: number;
}

export interface Part {
	/** The number of its addresses: always the sum of the tally's statuses and deferred. */
	readonly count: number;
	/** Stored attempts. The next one is `attempts + 1`. */
	readonly attempts: number;
	/** When the next attempt may begin. */
	readonly dueAt: number;
	readonly lease: Lease | null;
	/** Leases taken for the next attempt so far. */
	readonly claims: number;
	/** When the alarm sends the part's message, unless a lease still runs. */
	readonly sendAt: number;
	/** Messages sent for the next attempt, the Worker's own included. */
	readonly sends: number;
	/**
	 * When the postponement of the next attempt began, because our own egress or resolver is out; null: it is not
	 * postponed.
	 */
	readonly postponedSince: number | null;
	/** The tally of all addresses of the part, by the last stored attempt. */
	readonly tally: PartTally;
}

export interface PartTiming {
	readonly redriveAfterMs: number;
}

export type PartClaim =
	| {
			readonly kind: 'claimed';
			readonly part: Part;
			readonly attempt: number;
			readonly abandoned: boolean;
	  }
	| { readonly kind: 'held' }
	| { readonly kind: 'done' };

/**
 * A lost message is sent again after the configured time, then after twice that, and so on up to this pause. It grows only
 * while no consumer claims the part, so after crashes that lose messages a list goes on within two minutes.
 */
const REDRIVE_MAX_MS = 120_000;
/** After this many leases for one attempt that was never stored, the part's open rows become `unknown`. */
export const CLAIMS_MAX = 5;
/**
 * After this many attempts, too, open rows become `unknown`. Each attempt stores answers, so a part of 250 addresses
 * never needs as many. The limit ends a part if a bug of ours keeps its rows waiting.
 */
export const ATTEMPTS_MAX = 1_000;

export const NO_COUNTS: RowCounts = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 };

/** The most parts of one job in flight at a time, so that a long list does not delay the short lists of others. */
export const PARTS_IN_FLIGHT_MAX = 20;

/**
 * The most parts of one account that consumers work on at a time, for small jobs and for others. There are some
 * hundred consumers. The message of a part beyond the limit is sent again after a while.
 */
export const PARTS_AT_WORK_MAX = { small: 20, others: 40 } as const;
const TURN_AFTER_MS = 30_000;

/** Undoes the claim of a part beyond that limit, as if its message had not been sent yet. */
export function turnAway(part: Part, now: number): Part {
	const claims = Math.max(0, part.claims - 1);
	return { ...part, lease: null, claims, sends: 0, sendAt: now + TURN_AFTER_MS };
}

/** A new part. `isSent`: the Worker sends its first message at `now`; else the alarm does when there is room. */
export function openPart(count: number, now: number, timing: PartTiming, isSent = true): Part {
	assert(Number.isSafeInteger(count) && count > 0, 'a part has addresses');
	return {
		count,
		attempts: 0,
		dueAt: now,
		lease: null,
		claims: 0,
		...(isSent ? { sendAt: now + timing.redriveAfterMs, sends: 1 } : { sendAt: now, sends: 0 }),
		postponedSince: null,
		tally: { counts: NO_COUNTS, deferred: count },
	};
}

/** Whether the part's message was sent and no consumer has given the part back since. */
export function isInFlight(part: Part): boolean {
	return !isDone(part) && part.sends > 0;
}

/** Whether every row of the part is final. */
export function isDone({ tally }: Part): boolean {
	return tally.deferred === 0;
}

/** Takes the lease of the next attempt. Asking again with the same token gives the same attempt. */
export function claimPart(
	part: Part,
	{ token, now, leaseMs }: { token: string; now: number; leaseMs: number },
	timing: PartTiming,
): PartClaim {
	if (isDone(part)) return { kind: 'done' };
	const isOwn = holds(part, token);
	// A part whose message was sent was due by the sender's clock, even if the consumer's is slightly behind.
	const isEarly = part.sends === 0 && now < part.dueAt;
	if (!isOwn && (runs(part.lease, now) || isEarly)) return { kind: 'held' };
	const claims = isOwn ? part.claims : part.claims + 1;
	const attempt = part.attempts + 1;
	const abandoned = claims > CLAIMS_MAX || attempt > ATTEMPTS_MAX;
	// The message arrived, so the pauses for lost messages start over in case this consumer dies.
	const sending = isOwn ? {} : { sends: 1, sendAt: now + timing.redriveAfterMs };
	const lease = prolonged(part.lease, isOwn, { token, until: now + leaseMs });
	return {
		kind: 'claimed',
		part: { ...part, ...sending, claims, lease },
		attempt,
		abandoned,
	};
}

/** Prolongs a lease; null when another consumer has the part, or its attempt is stored. */
export function renewPart(
	part: Part,
	{ token, now, leaseMs }: { token: string; now: number; leaseMs: number },
): Part | null {
	if (!holds(part, token)) return null;
	return { ...part, lease: prolonged(part.lease, true, { token, until: now + leaseMs }) };
}

/** The report of a stored attempt about its part. */
export interface StoredAttempt {
	readonly attempt: number;
	readonly tally: PartTally;
	/** When the first of its deferred addresses is due; null: none is deferred. */
	readonly dueAt: number | null;
	/** The lease of the consumer that stored it and goes on with the next attempt. */
	readonly holder?: Lease | undefined;
	readonly now: number;
}

/**
 * Records a stored attempt. Recording it again, or an earlier one, returns the same part object. Deferred addresses are
 * left to the next attempt, whose message the alarm sends when it is due.
 */
export function settlePart(part: Part, stored: StoredAttempt, timing: PartTiming): Part {
	const { attempt, tally, now } = stored;
	assert(Number.isSafeInteger(attempt) && attempt > 0, 'attempts are counted from 1');
	// The job may have ended the part early. Results that a consumer still had in progress are then too late.
	if (attempt <= part.attempts || isDone(part)) return part;
	assert(attempt === part.attempts + 1, 'attempts are stored one after the other');
	assertFollows(part, tally);
	const done = tally.deferred === 0;
	assert(done || Number.isSafeInteger(stored.dueAt), 'a deferred address has a due time');
	const dueAt = done ? now : Math.max(now, stored.dueAt ?? now);
	const settled = { count: part.count, attempts: attempt, dueAt, postponedSince: null, tally };
	const { holder } = stored;
	// Only if the lease is still the holder's: another consumer may have taken the part over meanwhile.
	if (!done && holder !== undefined && holds(part, holder.token)) {
		const lease = prolonged(part.lease, true, holder);
		// As after a claim: if the holder dies, the part's message is sent again.
		return { ...settled, lease, claims: 1, sendAt: now + timing.redriveAfterMs, sends: 1 };
	}
	// Also plan the message of a part that is done: it completes the job if the consumer dies before that.
	const sending = done ? { sendAt: now + timing.redriveAfterMs, sends: 1 } : { sendAt: dueAt, sends: 0 };
	return { ...settled, lease: null, claims: 0, ...sending };
}

/**
 * Ends a part of a job that is finished early: its open addresses count as unknown. A consumer that works on it loses
 * the lease. Its message is planned as for any part that is done, to complete the job.
 */
export function endPart(part: Part, now: number, { redriveAfterMs }: PartTiming): Part {
	const { counts, deferred } = part.tally;
	const tally = { counts: { ...counts, unknown: counts.unknown + deferred }, deferred: 0 };
	const idle = { lease: null, claims: 0, postponedSince: null };
	return { ...part, ...idle, dueAt: now, sendAt: now + redriveAfterMs, sends: 1, tally };
}

/** Whether this token holds the part's lease. */
export function holds({ lease }: Part, token: string): boolean {
	return lease?.token === token;
}

/**
 * Gives the lease back and puts the attempt off until a later time, without using it up. Null if it has been put off for
 * too long: the consumer keeps the lease, and stores what it has. Does nothing if the lease was lost.
 *
 * @param waits for our own capacity, which is no fault: its rows have their own horizon
 */
export function postponePart(
	part: Part,
	{ token, now, until, waits = false }: { token: string; now: number; until: number; waits?: boolean },
): Part | null {
	if (!holds(part, token)) return part;
	if (waits) {
		const turn = Math.max(until, now);
		return { ...part, dueAt: turn, lease: null, claims: 0, sendAt: turn, sends: 0, postponedSince: null };
	}
	const postponedSince = part.postponedSince ?? now;
	const end = postponedSince + PUT_OFF_MAX_MS;
	if (now >= end) return null;
	const dueAt = Math.min(Math.max(until, now), end);
	// Claims count consumers that died; this one gave the part back in good order.
	return { ...part, dueAt, lease: null, claims: 0, sendAt: dueAt, sends: 0, postponedSince };
}

/** When the alarm has to look at the part: its message is due, and no lease runs. */
export function nextSendAt({ sendAt, lease }: Part): number {
	return Math.max(sendAt, lease?.until ?? 0);
}

/** The part after its message was sent (again); null: not due yet. The pause doubles with each message. */
export function resendPart(part: Part, now: number, { redriveAfterMs }: PartTiming): Part | null {
	if (now < nextSendAt(part)) return null;
	const pause = Math.min(redriveAfterMs * 2 ** part.sends, Math.max(redriveAfterMs, REDRIVE_MAX_MS));
	return { ...part, sends: part.sends + 1, sendAt: now + pause };
}

/** A part is stuck when its attempt has been due for this long without a running lease. */
export const STUCK_AFTER_MS = 600_000;

/** Whether a part has made no progress for so long that an admin should look at it. */
export function isStuck(part: Part, now: number): boolean {
	return !runs(part.lease, now) && now - part.dueAt >= STUCK_AFTER_MS;
}

/**
 * Plans a part's next message for now and resets its failure counts, at an admin's request. A consumer at work keeps
 * its lease. For a part that is done, this only plans the message that completes the job.
 */
export function retryPart(part: Part, now: number): Part {
	const again = { ...part, sendAt: now, sends: 0 };
	return isDone(part) ? again : { ...again, dueAt: now, claims: 0, postponedSince: null };
}

/** The difference between a later tally of a part and an earlier one. */
export function tallyDifference(before: PartTally, after: PartTally): RowCounts {
	const added = (key: keyof RowCounts): number => after.counts[key] - before.counts[key];
	return {
		deliverable: added('deliverable'),
		undeliverable: added('undeliverable'),
		risky: added('risky'),
		unknown: added('unknown'),
		catchAll: added('catchAll'),
	};
}

/** Addresses with a final row. */
export function finalRows(counts: RowCounts): number {
	return STATUSES.reduce((sum, status) => sum + counts[status], 0);
}

function runs(lease: Lease | null, now: number): boolean {
	return lease !== null && now < lease.until;
}

/** The later of the two leases if they are the same consumer's: a repeated or delayed call never shortens a lease. */
function prolonged(lease: Lease | null, isOwn: boolean, wanted: Lease): Lease {
	return isOwn && lease !== null && lease.until > wanted.until ? lease : wanted;
}

/** Asserts that a tally counts each address once, and that final rows stay final. */
function assertFollows(part: Part, tally: PartTally): void {
	const { counts, deferred } = tally;
	const whole = [deferred, ...Object.values(counts)].every((n) => Number.isSafeInteger(n) && n >= 0);
	assert(whole, 'a tally holds whole numbers from 0');
	assert(finalRows(counts) + deferred === part.count, 'a tally counts each address of its part once');
	assert(counts.catchAll <= finalRows(counts), 'only final rows are of catch-all domains');
	const added = Object.values(tallyDifference(part.tally, tally));
	assert(
		added.every((n) => n >= 0),
		'a final row stays final',
	);
}
