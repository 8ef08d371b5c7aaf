import { findRegistrable } from '../dns/registrable.ts';
import type { Stage } from '../smtp/reply.ts';
import type { Asker, MailHost } from './mail-host.ts';

/** Why a mail host is not contacted for a while. */
export type PauseReason = 'probe_blocked' | 'rate_limited';

/** What one conversation showed about our standing with a mail host. */
export type Observation =
	/** The host answered about a mailbox, so it does not block us. */
	| { readonly kind: 'served' }
	| { readonly kind: 'refused'; readonly why: PauseReason; readonly stage: Stage; readonly domain: string };

/** Whether a standing is kept for all askers, or for one of them alone. */
export type Scope = 'everybody' | 'asker';

/** A refusal that may be the rule of one of the operator's customers. */
interface Refusal {
	/** The registrable domain: all names below it have one owner, so they count once. */
	readonly domain: string;
	readonly asker: Asker;
}

/** Our standing with one mail host, or with an operator as a whole, from one egress. */
export interface Standing {
	/** Refusals before RCPT since we were last served. */
	readonly turnedAway: number;
	/** Refusals that may be one customer's rule, since we were last served: at most `REFUSALS_KEPT`. */
	readonly refusals: readonly Refusal[];
	readonly pause: { readonly until: number; readonly why: PauseReason } | null;
	readonly pauseMs: number;
}

const UNBLEMISHED: Standing = { turnedAway: 0, refusals: [], pause: null, pauseMs: 0 };

const FIRST_PAUSE_MS = { probe_blocked: 600_000, rate_limited: 60_000 } as const;
const LONGEST_PAUSE_MS = 3_600_000;
// How many refusals before RCPT start a pause. One host of an operator may be overloaded; two in a row are about us.
const TURNED_AWAY_MIN = { itself: 1, operator: 2 } as const;
// Two are enough: if they do not agree with each other they share the asker or the domain, and any later refusal that
// agrees with one of many such refusals agrees with one of the first two.
const REFUSALS_KEPT = 2;

/**
 * Our standing after an observation; null: nothing to remember. A block is about us, so it pauses the host and never
 * becomes a fact about an address.
 *
 * A refusal before RCPT is the host's or its operator's, for every asker. A refusal at RCPT may be one customer's rule:
 * it pauses the host for everybody only when two accounts met it at unrelated domains, so that no account can use
 * domains of its own to have others refused. For the asker alone it counts sooner, since only that asker is held up.
 */
export function observe(
	before: Standing | null,
	observation: Observation,
	about: { readonly host: Pick<MailHost, 'speaksFor'>; readonly asker: Asker; readonly scope: Scope },
	now: number,
): Standing | null {
	const { host, asker, scope } = about;
	// Anonymous visitors can't be told apart: one could pose as many.
	if (scope === 'everybody' && asker === null) return before;
	if (observation.kind === 'served') return null;
	const standing = before ?? UNBLEMISHED;
	// The conversation began before the pause did, so it shows nothing new.
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

/** Whether two refusals together can't be the rule of one customer. */
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

/** Why the host is paused at `now`, or null. */
export function pausedBecause(standing: Standing | null, now: number): PauseReason | null {
	const pause = standing?.pause ?? null;
	return pause !== null && now < pause.until ? pause.why : null;
}
