import { assert } from '../../lib/assert.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { STATUSES } from '../verification/sub-status.ts';
import { NO_COUNTS, NOTHING } from './stored-row.ts';
import type { PartTally, RowCounts } from './stored-row.ts';

// One part of a job. It has one clock, `nextAt`, as a message of a queue has its visibility timeout: a part waits until then,
// or was sent and is sent again then, or is in the hands of a consumer until then.

/** A part with the tally of all its addresses, by the last stored attempt. It is a row of the account's table of parts. */
export interface Part extends PartTally {
	readonly jobId: string;
	/** Its place among the parts of the job, from 0. */
	readonly n: number;
	/** The number of its addresses: always the sum of the statuses and deferred. */
	readonly count: number;
	/** Stored attempts. The next one is `attempts + 1`. */
	readonly attempts: number;
	/** When the alarm sends the part's message (again), epoch ms as all times here; null: nothing is left to do. */
	readonly nextAt: number | null;
	/** The consumer that has the part; null: none. */
	readonly token: string | null;
	/** Consumers that took the next attempt so far. */
	readonly claims: number;
	/** Messages sent since the part last waited or was in hand. */
	readonly sends: number;
	/** When an answer was last recorded; null: none has been. */
	readonly settledAt: number | null;
}

interface PartTiming {
	/** How soon a lost message is sent again. */
	readonly redriveAfterMs: number;
}

/** A consumer that takes a part, or goes on with it. */
interface Holder {
	readonly token: string;
	readonly leaseMs: number;
}

type PartClaim =
	/** `abandoned`: too many consumers died with this attempt, so its open rows are given up without asking. */
	| { readonly kind: 'claimed'; readonly part: Part; readonly abandoned: boolean }
	| { readonly kind: 'held' }
	| { readonly kind: 'done' };

/**
 * A lost message is sent again after the configured time, then after twice that, and so on up to this pause. It grows only
 * while no consumer claims the part, so after crashes that lose messages a list goes on within two minutes.
 */
const REDRIVE_MAX_MS = 2 * MINUTE_MS;
/** After this many claims of one attempt that was never stored, the part's open rows become `unknown`. */
export const CLAIMS_MAX = 5;
/** A part is stuck when nothing has moved it for this long since it was due. */
const STUCK_AFTER_MS = 10 * MINUTE_MS;

/** The most parts of one job on their way at a time, so that a long list does not delay the short lists of others. */
export const PARTS_IN_FLIGHT_MAX = 20;
/** The same for all jobs of an account, for small ones and for others. There are some hundred consumers. */
export const PARTS_OF_ACCOUNT_MAX = { small: 20, others: 40 } as const;

/** A new part, which waits to be sent. */
export function openPart(of: Pick<Part, 'jobId' | 'n' | 'count'>, now: number): Part {
	assert(Number.isSafeInteger(of.count) && of.count > 0, 'a part has addresses');
	const waiting = { attempts: 0, nextAt: now, token: null, claims: 0, sends: 0, settledAt: null };
	return { ...of, ...waiting, ...NOTHING, deferred: of.count };
}

/** Whether the part's message was sent, or a consumer has it. */
export function isInFlight(part: Part): boolean {
	return !isDone(part) && (part.token !== null || part.sends > 0);
}

/** Whether every row of the part is final. */
export function isDone({ deferred }: Part): boolean {
	return deferred === 0;
}

/** The part after its message was sent (again). The pause doubles with each message. */
export function sendPart(part: Part, now: number, timing: PartTiming): Part {
	const sends = part.sends + 1;
	return { ...part, token: null, sends, nextAt: now + pauseAfter(sends, timing) };
}

function pauseAfter(sends: number, { redriveAfterMs }: PartTiming): number {
	return Math.min(redriveAfterMs * 2 ** (sends - 1), Math.max(redriveAfterMs, REDRIVE_MAX_MS));
}

/** Takes the next attempt. Asking again with the same token gives the same attempt. */
export function claimPart(part: Part, { token, leaseMs }: Holder, now: number): PartClaim {
	if (isDone(part) || part.nextAt === null) return { kind: 'done' };
	const isOwn = part.token === token;
	// A part whose message was sent was due by the sender's clock, even if the consumer's is slightly behind.
	const isFree = part.token === null && part.sends > 0;
	if (!isOwn && !isFree && now < part.nextAt) return { kind: 'held' };
	const claims = isOwn ? part.claims : part.claims + 1;
	const nextAt = isOwn ? Math.max(part.nextAt, now + leaseMs) : now + leaseMs;
	return {
		kind: 'claimed',
		part: { ...part, token, claims, sends: 0, nextAt },
		abandoned: claims > CLAIMS_MAX,
	};
}

/** Goes on with a part; null: another consumer has it, or its attempt is stored. A delayed call never shortens the time. */
export function renewPart(part: Part, { token, leaseMs }: Holder, now: number): Part | null {
	return part.token === token ? { ...part, nextAt: Math.max(part.nextAt ?? 0, now + leaseMs) } : null;
}

/** Gives a part back until later, without using up its attempt. Does nothing if another consumer has it by now. */
export function putPartOff(
	part: Part,
	{ token, until }: { token: string; until: number },
	now: number,
): Part {
	if (part.token !== token) return part;
	// Claims count consumers that died; this one gave the part back in good order.
	return { ...part, nextAt: Math.max(until, now), token: null, claims: 0, sends: 0 };
}

/** The report of a stored attempt about its part. The tally covers all addresses of the part, also of earlier attempts. */
export interface StoredAttempt {
	readonly attempt: number;
	readonly tally: PartTally;
	/** When the first of its deferred addresses is due; null: none is deferred. */
	readonly dueAt: number | null;
	/** The consumer that stored it and goes on with the next attempt; left out: it is done with the part for now. */
	readonly holder?: Holder;
	readonly now: number;
}

/**
 * Records a stored attempt. Recording it again, or an earlier one, returns the same part object. Deferred addresses are
 * left to the next attempt, whose message the alarm sends when it is due.
 *
 * @param isLast all other parts of the job are done
 */
export function settlePart(part: Part, stored: StoredAttempt, timing: PartTiming, isLast: boolean): Part {
	const { attempt, tally, holder, now } = stored;
	assert(Number.isSafeInteger(attempt) && attempt > 0, 'attempts are counted from 1');
	// The job may have ended the part early. Results that a consumer still had in progress are then too late.
	if (attempt <= part.attempts || isDone(part)) return part;
	// A part that is given up leaves out an attempt whose rows can't be used.
	const next = part.attempts + (part.claims > CLAIMS_MAX ? 2 : 1);
	assert(attempt <= next, 'attempts are stored one after the other');
	assertFollows(part, tally);
	const settled = { ...part, ...tally, attempts: attempt, settledAt: now };
	if (isDone(settled)) return ended(settled, now, timing, isLast);
	assert(stored.dueAt !== null && Number.isSafeInteger(stored.dueAt), 'a deferred address has a due time');
	// Only if it is still the holder's: another consumer may have taken the part over meanwhile.
	const kept = holder === undefined ? null : renewPart(settled, holder, now);
	if (kept !== null) return { ...kept, claims: 1 };
	return { ...settled, nextAt: Math.max(now, stored.dueAt), token: null, claims: 0, sends: 0 };
}

/** Ends a part of a job that is finished early: its open addresses count as unknown. Its consumer loses it. */
export function endPart(part: Part, now: number, timing: PartTiming, isLast: boolean): Part {
	const unknown = part.unknown + part.deferred;
	return ended({ ...part, settledAt: now, unknown, deferred: 0 }, now, timing, isLast);
}

/** The part that is done last is sent again, like a lost message, until the job is completed. */
function ended(part: Part, now: number, timing: PartTiming, isLast: boolean): Part {
	const idle = { ...part, token: null, claims: 0, sends: 0 };
	return isLast ? sendPart(idle, now, timing) : { ...idle, nextAt: null };
}

/** Since when the part should have moved; in the future while it waits or is in hand. */
export function dueSince({ nextAt, sends }: Part, timing: PartTiming): number {
	let since = nextAt ?? Infinity;
	for (let sent = 1; sent <= sends; sent += 1) since -= pauseAfter(sent, timing);
	return since;
}

/** Whether a part has made no progress for so long that an operator should look at it. */
export function isStuck(part: Part, now: number, timing: PartTiming): boolean {
	return part.claims > CLAIMS_MAX || now - dueSince(part, timing) >= STUCK_AFTER_MS;
}

/**
 * Plans a part's next message for now and resets its failure counts, at an operator's request. A consumer at work keeps
 * the part. For a part that is done, this only plans the message that completes the job.
 */
export function retryPart(part: Part, now: number): Part {
	const isAtWork = part.token !== null && now < (part.nextAt ?? 0);
	return isAtWork ? { ...part, claims: 0 } : { ...part, nextAt: now, token: null, claims: 0, sends: 0 };
}

/** The difference between a later tally of a part and an earlier one. */
export function tallyDifference(before: PartTally, after: PartTally): PartTally {
	const names = Object.keys(NOTHING) as (keyof PartTally)[];
	const added = names.map((name) => [name, after[name] - before[name]] as const);
	return Object.fromEntries(added) as Record<keyof PartTally, number>;
}

/** Addresses with a final row. */
export function finalRows(counts: RowCounts): number {
	return STATUSES.reduce((sum, status) => sum + counts[status], 0);
}

/** Asserts that a tally counts each address once, and that final rows stay final. */
function assertFollows(part: Part, tally: PartTally): void {
	const whole = Object.values(tally).every((n) => Number.isSafeInteger(n) && n >= 0);
	assert(whole, 'a tally holds whole numbers from 0');
	assert(finalRows(tally) + tally.deferred === part.count, 'a tally counts each address of its part once');
	assert(tally.catchAll <= finalRows(tally), 'only final rows are of catch-all domains');
	assert(tally.retry <= tally.unknown, 'only unknown rows are asked again');
	const names = Object.keys(NO_COUNTS) as (keyof RowCounts)[];
	assert(
		names.every((name) => tally[name] >= part[name]),
		'a final row stays final',
	);
}
