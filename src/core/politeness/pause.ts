import { findRegistrable } from '../dns/registrable.ts';
import type { Stage } from '../smtp/reply.ts';
import type { Asker, MailHost } from './mail-host.ts';

/** Why a mail host is left alone for a while. */
export type PauseReason = 'probe_blocked' | 'rate_limited';

/** What one conversation showed about our standing with a mail host. */
export type Observation =
	/** It answered about a mailbox: we are welcome enough. */
	| { readonly kind: 'served' }
	| { readonly kind: 'refused'; readonly why: PauseReason; readonly stage: Stage; readonly domain: string };

/** For whom a standing is kept: for all askers, or for one of them alone. */
export type Scope = 'everybody' | 'asker';

/** A refusal that may be one customer's rule. */
interface Refusal {
	/** What its owner registered: any number of names below it are one witness. */
	readonly domain: string;
	readonly asker: Asker;
}

/** Our standing with one mail host, or with an operator as a whole, from one egress. */
export interface Standing {
	/** Refusals before RCPT since we were last served. */
	readonly turnedAway: number;
	/** Refusals that may be one customer's, since we were last served: as many as must be known to judge the next. */
	readonly refusals: readonly Refusal[];
	readonly pause: { readonly until: number; readonly why: PauseReason } | null;
	readonly pauseMs: number;
}

const UNBLEMISHED: Standing = { turnedAway: 0, refusals: [], pause: null, pauseMs: 0 };

const FIRST_PAUSE_MS = { probe_blocked: 600_000, rate_limited: 60_000 } as const;
const LONGEST_PAUSE_MS = 3_600_000;
// An operator's host may be overloaded for once; twice in a row it is about us.
const TURNED_AWAY_MIN = { itself: 1, operator: 2 } as const;
// No more are needed: two that do not agree with each other come from one asker or from one domain, and whoever agrees
// with any number of such refusals agrees with one of the first two.
const REFUSALS_KEPT = 2;

/**
 * Our standing after an observation; null: there is nothing to be remembered. A block is about us, so it pauses the host
 * and never becomes a fact about an address.
 *
 * Refused before RCPT, the host speaks for itself or its operator, whoever asked. At RCPT it may be one customer's rule:
 * for everybody it counts when two accounts met it at unrelated domains, so that nobody with domains of his own can have
 * others turned away from a host that serves them too. For whoever asked it counts sooner, since only he is held up.
 */
export function observe(
	before: Standing | null,
	observation: Observation,
	about: { readonly host: Pick<MailHost, 'speaksFor'>; readonly asker: Asker; readonly scope: Scope },
	now: number,
): Standing | null {
	const { host, asker, scope } = about;
	// Whoever is not signed in may be anybody, any number of times.
	if (scope === 'everybody' && asker === null) return before;
	if (observation.kind === 'served') return null;
	const standing = before ?? UNBLEMISHED;
	// It was under way when the pause began, and tells nothing new.
	if (pausedBecause(standing, now) !== null) return standing;
	const { why, stage, domain } = observation;
	if (stage !== 'rcpt' && host.speaksFor !== 'customer') {
		const turnedAway = standing.turnedAway + 1;
		if (turnedAway >= TURNED_AWAY_MIN[host.speaksFor]) return paused(standing, why, now);
		return { ...standing, turnedAway };
	}
	const refusal = { domain: findRegistrable(domain)?.domain ?? domain, asker };
	const { refusals } = standing;
	if (refusals.some((earlier) => agree(earlier, refusal, about))) return paused(standing, why, now);
	const isKnown = refusals.some((earlier) => earlier.domain === refusal.domain && earlier.asker === asker);
	if (isKnown || refusals.length >= REFUSALS_KEPT) return standing;
	return { ...standing, refusals: [...refusals, refusal] };
}

/** Whether two refusals together are more than the rule of one customer. */
function agree(
	one: Refusal,
	other: Refusal,
	{ host, scope }: { readonly host: Pick<MailHost, 'speaksFor'>; readonly scope: Scope },
): boolean {
	if (scope === 'everybody') return one.asker !== other.asker && one.domain !== other.domain;
	return host.speaksFor === 'itself' || one.domain !== other.domain;
}

function paused({ pauseMs }: Standing, why: PauseReason, now: number): Standing {
	const nextMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS[why], pauseMs * 2));
	return { ...UNBLEMISHED, pause: { until: now + nextMs, why }, pauseMs: nextMs };
}

/** Why the host is to be left alone at `now`, or null. */
export function pausedBecause(standing: Standing | null, now: number): PauseReason | null {
	const pause = standing?.pause ?? null;
	return pause !== null && now < pause.until ? pause.why : null;
}
