import { assert } from '../../lib/assert.ts';
import { STATUSES } from '../verification/sub-status.ts';
import { PUT_OFF_MAX_MS } from './schedule.ts';
import type { PartTally, RowCounts } from './stored-row.ts';

// The book-keeping of one part of a job: who works on it, what is stored of it, and when it is sent again.

/** A consumer's right to work on a part. It runs while `now < until`. */
export interface Lease {
	readonly token: string;
	/** Epoch milliseconds, as all times here. */
	readonly until: number;
}

export interface Part {
	/** Its addresses: always the sum of the tally's statuses and deferred. */
	readonly count: number;
	/** Stored attempts. The next one is `attempts + 1`. */
	readonly attempts: number;
	/** When the next attempt may begin. */
	readonly dueAt: number;
	readonly lease: Lease | null;
	/** Leases taken for the next attempt, none of which has stored it. */
	readonly claims: number;
	/** When the alarm sends the part's message, unless a lease still runs. */
	readonly sendAt: number;
	/** Messages sent for the next attempt, the Worker's own included. */
	readonly sends: number;
	/** Since when the next attempt is put off because our own egress or resolver is out. */
	readonly postponedSince: number | null;
	/** What the last stored attempt says of all addresses of the part. */
	readonly tally: PartTally;
}

export interface PartTiming {
	/** Pauses before the second and every later time that an address is asked. */
	readonly retryDelaysMs: readonly number[];
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

/** Messages that were lost are sent again after the configured time, then twice that, and so on up to this. */
export const REDRIVE_MAX_MS = 900_000;
/** An attempt that ended this often without being stored is not tried again: its open rows become `unknown`. */
export const CLAIMS_MAX = 5;
/**
 * Nor is any after so many. Each stores something, so no part of 250 addresses comes near it: it is what ends a part
 * whose rows would wait for ever by a mistake of ours.
 */
export const ATTEMPTS_MAX = 1_000;

export const NO_COUNTS: RowCounts = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 };

/** Of one job no more parts than these are sent at a time, so that a long list stands before nobody else's short one. */
export const PARTS_IN_FLIGHT_MAX = 20;

/** A new part. `isSent`: its first message the Worker sends at `now`; else the alarm does when there is room. */
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

/** Its message was sent, and nobody has given it back since. */
export function isInFlight(part: Part): boolean {
	return !isDone(part) && part.sends > 0;
}

/** Every row is final. */
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
	// Once its message was sent it was due by the clock that plans it, even if the consumer's is a little behind.
	const isEarly = part.sends === 0 && now < part.dueAt;
	if (!isOwn && (runs(part.lease, now) || isEarly)) return { kind: 'held' };
	const claims = isOwn ? part.claims : part.claims + 1;
	const attempt = part.attempts + 1;
	const abandoned = claims > CLAIMS_MAX || attempt > ATTEMPTS_MAX;
	// The message arrived, so the pauses for lost ones begin anew, should this consumer die.
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

/** What a stored attempt says of its part. */
export interface StoredAttempt {
	readonly attempt: number;
	readonly tally: PartTally;
	/** When the first of its deferred addresses is due. An earlier version's blob does not say. */
	readonly dueAt?: number | null;
	/** Who stored it and works on: keeps the lease, and has the next attempt. */
	readonly holder?: Lease | undefined;
	readonly now: number;
}

/**
 * Records what a stored attempt says. An attempt that is recorded already, or an earlier one, leaves the very same part.
 * Deferred addresses are planned for the next attempt, whose message the alarm sends when it is due.
 */
export function settlePart(part: Part, stored: StoredAttempt, timing: PartTiming): Part {
	const { attempt, tally, now } = stored;
	assert(Number.isSafeInteger(attempt) && attempt > 0, 'attempts are counted from 1');
	if (attempt <= part.attempts) return part;
	assert(attempt === part.attempts + 1, 'attempts are stored one after the other');
	assertFollows(part, tally);
	const done = tally.deferred === 0;
	const dueAt = done ? now : Math.max(now, stored.dueAt ?? dueAfter(attempt, now, timing));
	assert(Number.isSafeInteger(dueAt), 'what is deferred is due at some time');
	const settled = { count: part.count, attempts: attempt, dueAt, postponedSince: null, tally };
	const { holder } = stored;
	// Its own lease, not that of another who took the part over meanwhile.
	if (!done && holder !== undefined && holds(part, holder.token)) {
		const lease = prolonged(part.lease, true, holder);
		// As after a claim: should the holder die, the part is sent again.
		return { ...settled, lease, claims: 1, sendAt: now + timing.redriveAfterMs, sends: 1 };
	}
	// Of a part that is done the message drives the job's completion, should its consumer die before that.
	const sending = done ? { sendAt: now + timing.redriveAfterMs, sends: 1 } : { sendAt: dueAt, sends: 0 };
	return { ...settled, lease: null, claims: 0, ...sending };
}

function dueAfter(attempt: number, now: number, { retryDelaysMs }: PartTiming): number {
	const delay = retryDelaysMs[attempt - 1];
	assert(delay !== undefined, 'the last attempt of an earlier version defers nothing');
	return now + delay;
}

/** Whether the lease of this token is the part's. */
export function holds({ lease }: Part, token: string): boolean {
	return lease?.token === token;
}

/**
 * Gives the lease back and puts the attempt off until a later time, without using it up. Null when it was put off for
 * too long: the lease stays, for the consumer to store what it has. A lease that was lost changes nothing.
 */
export function postponePart(
	part: Part,
	{ token, now, until }: { token: string; now: number; until: number },
): Part | null {
	if (!holds(part, token)) return part;
	const postponedSince = part.postponedSince ?? now;
	const end = postponedSince + PUT_OFF_MAX_MS;
	if (now >= end) return null;
	const dueAt = Math.min(Math.max(until, now), end);
	// What was given back in good order is not what kills consumers: it counts as no claim.
	return { ...part, dueAt, lease: null, claims: 0, sendAt: dueAt, sends: 0, postponedSince };
}

/** When the alarm has to look at the part: its message is due and no consumer works on it. */
export function nextSendAt({ sendAt, lease }: Part): number {
	return Math.max(sendAt, lease?.until ?? 0);
}

/** The part after its message was sent (again); null while it is not due. The pause doubles with each message. */
export function resendPart(part: Part, now: number, { redriveAfterMs }: PartTiming): Part | null {
	if (now < nextSendAt(part)) return null;
	const pause = Math.min(redriveAfterMs * 2 ** part.sends, Math.max(redriveAfterMs, REDRIVE_MAX_MS));
	return { ...part, sends: part.sends + 1, sendAt: now + pause };
}

/** A part whose attempt has been due for this long, with nobody at work on it. */
export const STUCK_AFTER_MS = 600_000;

/** Whether a part should have moved by now and did not: something an operator should look at. */
export function isStuck(part: Part, now: number): boolean {
	return !runs(part.lease, now) && now - part.dueAt >= STUCK_AFTER_MS;
}

/**
 * Plans a part's next message for now and forgets what went wrong before, as an operator asks for. A consumer that is at
 * work keeps its lease; a part that is done is left as it is, but its message drives the job's completion.
 */
export function retryPart(part: Part, now: number): Part {
	const again = { ...part, sendAt: now, sends: 0 };
	return isDone(part) ? again : { ...again, dueAt: now, claims: 0, postponedSince: null };
}

/** What a later tally adds to an earlier one of the same part. */
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

/** A repeated or delayed call never shortens a lease. */
function prolonged(lease: Lease | null, isOwn: boolean, wanted: Lease): Lease {
	return isOwn && lease !== null && lease.until > wanted.until ? lease : wanted;
}

/** Each address is counted once, and what was final stays so. */
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
