/**
 * For how long connections are kept after the last question. Whoever holds a socket is billed by wall clock, so every
 * question brings the time along in which the next one is waited for, and what is not used of it is saved.
 */
export interface Linger {
	/** How long nobody may ask before everything is closed. */
	readonly savedMs: number;
	/** Questions that are being answered, or wait for it. */
	readonly asking: number;
	/** Since when there is none, epoch ms. */
	readonly quietSince: number;
}

/** Enough for who asks one question after the other. */
const ALONE_MS = 500;
/** A question that comes this soon after the one before is not the last one either: so long is waited for the next. */
const SOON_MS = 1_000;
/** How long a connection is kept at most. Servers wait for a minute and more. */
export const IDLE_MS = 10_000;
// That takes four questions within moments, or a crowd.
const DENSE_MS = 3_000;

/** Before the first question. */
export const NOBODY_ASKED: Linger = { savedMs: 0, asking: 0, quietSince: Number.NEGATIVE_INFINITY };

/**
 * Somebody asks. So n questions pay for n seconds of waiting at most, however they come, and one that follows on a long
 * silence for half a second.
 */
export function asked(linger: Linger, now: number): Linger {
	const quietMs = linger.asking > 0 ? 0 : now - linger.quietSince;
	const left = Math.max(0, linger.savedMs - quietMs);
	const savedMs = Math.min(IDLE_MS, left + (quietMs <= SOON_MS ? SOON_MS : ALONE_MS));
	return { ...linger, savedMs, asking: linger.asking + 1 };
}

/** A question has its answer. */
export function answered(linger: Linger, now: number): Linger {
	return { ...linger, asking: linger.asking - 1, quietSince: now };
}

/** When a connection is closed that nobody has used since `idleSince`, epoch ms. */
export function closesAt(linger: Linger, idleSince: number): number {
	const own = idleSince + IDLE_MS;
	return linger.asking > 0 ? own : Math.min(own, linger.quietSince + linger.savedMs);
}

/** Questions come so densely that it is worth preparing for the next. */
export function isDense(linger: Linger): boolean {
	return linger.savedMs >= DENSE_MS;
}
