import { findRegistrable } from '../dns/registrable.ts';
import { isFreeProvider } from '../lists/domain-kinds.ts';
import type { Stage } from '../smtp/reply-reader.ts';
import type { Asker, MailHost } from './mail-host.ts';

/** Why a mail host is not contacted for a while. */
export type PauseReason = 'probe_blocked' | 'rate_limited';

/** What one conversation showed about our standing with a mail host. */
export type Observation =
	/** The host answered about a mailbox, so it does not block us. */
	| { readonly kind: 'served' }
	| {
			readonly kind: 'refused';
			readonly why: PauseReason;
			readonly stage: Stage;
			readonly domain: string;
			/** It says that our address is on a list. */
			readonly listed?: true;
	  };

type Refused = Extract<Observation, { kind: 'refused' }>;

/** Whether a standing is kept for all askers, or for one of them alone. */
export type Scope = 'everybody' | 'asker';

/** A refusal that may be the rule of one of the operator's customers. */
interface Refusal {
	/** The registrable domain: all names below it have one owner, so they count once. */
	readonly domain: string;
	readonly asker: Asker;
}

/** Until when it is left alone, epoch ms. */
export interface Pause {
	readonly until: number;
	readonly why: PauseReason;
}

/** Our standing with one mail host, or with an operator as a whole, from one egress. */
export interface Standing {
	/** When the operator as a whole refused us, unless we were served since; epoch ms. */
	readonly struckAt: number | null;
	/** Refusals that may be one customer's rule: at most `REFUSALS_KEPT`. */
	readonly refusals: readonly Refusal[];
	/** Since the first of those: when that was, and how many conversations went which way. */
	readonly since: number;
	readonly refused: number;
	readonly served: number;
	/** Two of those refusals can't be the rule of one customer. */
	readonly isAgreed: boolean;
	/** Also when it is over, until we are served: then one question at a time tries whether we are welcome again. */
	readonly pause: Pause | null;
	readonly pauseMs: number;
	/** How much of the budget is used: it goes down at once, and up slowly. */
	readonly share: number;
	/** Since when we are told to be on a list; epoch ms. */
	readonly listedSince: number | null;
}

/** A standing without a blemish, as with whoever never refused us. */
export const UNBLEMISHED: Standing = {
	struckAt: null,
	refusals: [],
	since: 0,
	refused: 0,
	served: 0,
	isAgreed: false,
	pause: null,
	pauseMs: 0,
	share: 1,
	listedSince: null,
};

const FIRST_PAUSE_MS = { probe_blocked: 600_000, rate_limited: 60_000 } as const;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
// An operator's host may be overloaded for once; twice within this, and never served between, it is about us.
const STRIKES_WITHIN_MS = 600_000;
// Served now and then, refused again and again: with less than this it is better to wait.
const SHARE_MIN = 0.1;
const SHARE_AFTER_LISTING = 0.25;
// Fifty answers from a standstill to the whole budget.
const SHARE_STEP = 0.02;
// Two are enough: if they do not agree with each other they share the asker or the domain, and any later refusal that
// agrees with one of many such refusals agrees with one of the first two.
const REFUSALS_KEPT = 2;
const REFUSALS_KEPT_MS = 2 * 3_600_000;
// Where others were served meanwhile, so many refusals, and no fewer than were served, are more than customers' rules.
const REFUSED_MIN = 4;

/** Whose question met the host, and for whom the standing is kept. */
interface About {
	readonly host: Pick<MailHost, 'speaksFor'>;
	readonly asker: Asker;
	readonly scope: Scope;
}

/**
 * Our standing after an observation; null: nothing to remember. A block is about us, so it pauses the host and never
 * becomes a fact about an address.
 *
 * A refusal before RCPT is the host's or its operator's, for every asker; so is one at RCPT for a domain of the
 * operator's own, such as gmail.com. A host of somebody's own is then paused at once; an operator is asked half as much,
 * and paused when it refuses us again. Any other refusal at RCPT may be one customer's rule: it pauses the host for
 * everybody only when two accounts met it at unrelated domains, so that no account can use domains of its own to have
 * others refused. For the asker alone it counts sooner, since only that asker is held up.
 */
export function observe(
	before: Standing | null,
	observation: Observation,
	about: About,
	now: number,
): Standing | null {
	// Anonymous visitors can't be told apart: one could pose as many.
	if (about.scope === 'everybody' && about.asker === null) return before;
	if (observation.kind === 'served')
		return before === null || about.scope === 'asker' ? null : afterWelcome(before);
	const standing = before ?? UNBLEMISHED;
	// The conversation began before the pause did, so it shows nothing new.
	if (pausedBecause(standing, now) !== null) return standing;
	return isOfTheWhole(observation, about.host)
		? afterRefusal(standing, observation, about.host, now)
		: afterCustomers(standing, observation, about, now);
}

/** No customer's rule can be the cause. */
function isOfTheWhole({ stage, domain }: Refused, { speaksFor }: About['host']): boolean {
	if (stage !== 'rcpt') return speaksFor !== 'customer';
	return speaksFor === 'operator' && isFreeProvider(domain);
}

function afterWelcome(standing: Standing): Standing | null {
	const share = Math.min(1, standing.share + SHARE_STEP);
	const served = standing.served + 1;
	const isOverruled = standing.pause !== null || served > standing.refused;
	if (!isOverruled) return { ...standing, struckAt: null, served, share };
	// How long the last pause was is forgotten with the rest, once all is as it was.
	return share === 1 ? null : { ...UNBLEMISHED, share, pauseMs: standing.pauseMs };
}

/** The host, or its operator, refused us. */
function afterRefusal(
	standing: Standing,
	{ why, listed }: Refused,
	{ speaksFor }: About['host'],
	now: number,
): Standing {
	if (speaksFor === 'itself') return paused(standing, why, now);
	if (listed === true) {
		const pause = { until: now + LONGEST_PAUSE_MS, why };
		const listedSince = standing.listedSince ?? now;
		return { ...UNBLEMISHED, pause, pauseMs: LONGEST_PAUSE_MS, share: SHARE_AFTER_LISTING, listedSince };
	}
	const isAgain = standing.struckAt !== null && now - standing.struckAt < STRIKES_WITHIN_MS;
	const share = standing.share / 2;
	if (isAgain || standing.pause !== null || share < SHARE_MIN) return paused(standing, why, now);
	return { ...standing, struckAt: now, share };
}

/** Somebody's domain refused us. */
function afterCustomers(standing: Standing, { why, domain }: Refused, about: About, now: number): Standing {
	// It is the question that tries whether the pause was long enough.
	if (about.scope === 'asker' && standing.pause !== null) return paused(standing, why, now);
	const isOld = now - standing.since > REFUSALS_KEPT_MS;
	const known = isOld ? { ...standing, ...NO_REFUSALS, since: now } : standing;
	const refusal = { domain: findRegistrable(domain)?.domain ?? domain, asker: about.asker };
	const { refusals, served } = known;
	const refused = known.refused + 1;
	const isAgreed = known.isAgreed || refusals.some((earlier) => agree(earlier, refusal, about));
	const isMost = served === 0 || (refused >= REFUSED_MIN && refused >= served);
	if (isAgreed && isMost) return paused(known, why, now);
	const isKnown = refusals.some(
		(earlier) => earlier.domain === refusal.domain && earlier.asker === refusal.asker,
	);
	const isNews = !isKnown && refusals.length < REFUSALS_KEPT;
	return { ...known, refused, isAgreed, refusals: isNews ? [...refusals, refusal] : refusals };
}

const NO_REFUSALS: Pick<Standing, 'refusals' | 'refused' | 'served' | 'isAgreed'> = {
	refusals: [],
	refused: 0,
	served: 0,
	isAgreed: false,
};

/** Whether two refusals together can't be the rule of one customer. */
function agree(one: Refusal, other: Refusal, { host, scope }: About): boolean {
	if (scope === 'everybody') return one.asker !== other.asker && one.domain !== other.domain;
	return host.speaksFor === 'itself' || one.domain !== other.domain;
}

function paused({ pauseMs, share, listedSince }: Standing, why: PauseReason, now: number): Standing {
	const nextMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS[why], pauseMs * 2));
	const pause = { until: now + nextMs, why };
	return { ...UNBLEMISHED, pause, pauseMs: nextMs, share: Math.max(SHARE_MIN, share / 2), listedSince };
}

/** Why and until when the host is to be left alone at `now`, or null. */
export function pausedBecause(standing: Standing | null, now: number): Pause | null {
	const pause = standing?.pause ?? null;
	return pause !== null && now < pause.until ? pause : null;
}

/** How a host may be asked that is not paused. */
export interface Pace {
	/** Of the budget. */
	readonly share: number;
	/** It refused us last: one question at a time tries whether it takes us again. */
	readonly isTrying: boolean;
}

export function paceOf(standing: Standing | null): Pace {
	return { share: standing?.share ?? 1, isTrying: (standing?.pause ?? null) !== null };
}
