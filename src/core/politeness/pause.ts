import type { Stage } from '../smtp/reply.ts';

/** Why a mail host is left alone for a while. */
export type PauseReason = 'probe_blocked' | 'rate_limited';

/** What one conversation showed about our standing with a mail host. */
export type Observation =
	/** It answered about a mailbox: we are welcome enough. */
	| { readonly kind: 'served' }
	| { readonly kind: 'refused'; readonly why: PauseReason; readonly stage: Stage; readonly domain: string };

/** Our standing with one mail host (or shared operator) from one egress. */
export interface Standing {
	/** The domains at which we were refused since we were last served, oldest first. */
	readonly refusedAt: readonly string[];
	/** Refusals since we were last served. */
	readonly refusals: number;
	readonly pause: { readonly until: number; readonly why: PauseReason } | null;
	readonly pauseMs: number;
}

const UNBLEMISHED: Standing = { refusedAt: [], refusals: 0, pause: null, pauseMs: 0 };

const FIRST_PAUSE_MS = { probe_blocked: 600_000, rate_limited: 60_000 } as const;
const LONGEST_PAUSE_MS = 3_600_000;
const DOMAINS_KEPT = 8;

/**
 * Our standing after an observation. A block is about us, so it pauses the host and never becomes a fact about an
 * address. Refused before RCPT, the host will not talk to us at all: one is enough. At RCPT it may be one customer's
 * rule: it takes two in a row, and for an operator that serves many customers, two different domains.
 */
export function observe(
	before: Standing | null,
	observation: Observation,
	host: { readonly isShared: boolean },
	now: number,
): Standing {
	if (observation.kind === 'served') return UNBLEMISHED;
	const standing = before ?? UNBLEMISHED;
	const { why, stage, domain } = observation;
	const refusedAt = [...new Set([...standing.refusedAt, domain])].slice(-DOMAINS_KEPT);
	const refusals = standing.refusals + 1;
	const enough = host.isShared ? refusedAt.length >= 2 : stage !== 'rcpt' || refusals >= 2;
	if (!enough) return { ...standing, refusedAt, refusals };
	const doubled = standing.pauseMs * 2;
	const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS[why], doubled));
	return { refusedAt, refusals, pause: { until: now + pauseMs, why }, pauseMs };
}

/** Why the host is to be left alone at `now`, or null. */
export function pausedBecause(standing: Standing | null, now: number): PauseReason | null {
	const pause = standing?.pause ?? null;
	return pause !== null && now < pause.until ? pause.why : null;
}
