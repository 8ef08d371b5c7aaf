import { publicMailOf } from '../mail-operators/public-mail.ts';
import type { Stage } from '../smtp/reply-reader.ts';
import type { MailHost } from './mail-host.ts';

/** Why a mail host is not contacted for a while. */
export type PauseReason = 'probe_blocked' | 'rate_limited';

/** The news of one conversation about our standing with a mail host. */
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

export type Refused = Extract<Observation, { kind: 'refused' }>;

/** Until when it is left alone, epoch ms. */
export interface Pause {
	readonly until: number;
	readonly why: PauseReason;
	/** Only one customer's domain is left alone. */
	readonly ofDomain?: true;
}

/** Our standing with an operator, with one host, or with one customer's domain there, from one egress. */
export interface Standing {
	/** When we were refused, unless we were served since; epoch ms. */
	readonly struckAt: number | null;
	/** Also when it is over, until we are served: then one question at a time tries whether we are welcome again. */
	readonly pause: Pause | null;
	readonly pauseMs: number;
	/** How much of the budget is used: it goes down at once, and up slowly. */
	readonly share: number;
	/** Since when the host says that a list names us; epoch ms. */
	readonly listedSince: number | null;
}

/** The standing with a host that never refused us. */
export const UNBLEMISHED: Standing = { struckAt: null, pause: null, pauseMs: 0, share: 1, listedSince: null };

const FIRST_PAUSE_MS = { probe_blocked: 600_000, rate_limited: 60_000 } as const;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
// A host may be overloaded for once. Twice within this, and never served between, it is about us.
const STRIKES_WITHIN_MS = 600_000;
// Served now and then, refused again and again: with less than this it is better to wait.
const SHARE_MIN = 0.1;
const SHARE_AFTER_LISTING = 0.25;
// Fifty answers from a standstill to the whole budget.
const SHARE_STEP = 0.02;

/**
 * Whether a refusal is that of the operator, or of the host as a whole, and not the rule of one customer. A provider's
 * domain counts only at its own operator: anybody can buy a lapsed one and have another operator serve it.
 */
export function isOfTheWhole(
	{ stage, domain }: Refused,
	{ speaksFor, party }: Pick<MailHost, 'speaksFor' | 'party'>,
): boolean {
	if (stage !== 'rcpt') return speaksFor !== 'customer';
	return speaksFor === 'operator' && publicMailOf(domain) === party;
}

/**
 * Our standing after a refusal. The first halves what is asked; the second within ten minutes, or the first after a
 * pause, pauses for a minute (ten for a block), and each further one for twice as long.
 *
 * @param isCertain no second refusal is needed: it is a host of one owner, or a control was refused as well
 */
export function afterRefusal(
	before: Standing | null,
	{ why, listed }: Pick<Refused, 'why' | 'listed'>,
	isCertain: boolean,
	now: number,
): Standing {
	const standing = before ?? UNBLEMISHED;
	// The conversation began before the pause did, so it shows nothing new.
	if (pausedBecause(standing, now) !== null) return standing;
	if (listed === true) {
		const pause = { until: now + LONGEST_PAUSE_MS, why };
		const listedSince = standing.listedSince ?? now;
		return { struckAt: null, pause, pauseMs: LONGEST_PAUSE_MS, share: SHARE_AFTER_LISTING, listedSince };
	}
	const isAgain = standing.struckAt !== null && now - standing.struckAt < STRIKES_WITHIN_MS;
	const share = Math.max(SHARE_MIN, standing.share / 2);
	if (!isCertain && !isAgain && standing.pause === null && standing.share / 2 >= SHARE_MIN)
		return { ...standing, struckAt: now, share };
	const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS[why], standing.pauseMs * 2));
	return { ...standing, struckAt: null, pause: { until: now + pauseMs, why }, pauseMs, share };
}

/** Our standing after an answer; null: nothing to remember. */
export function afterWelcome(standing: Standing): Standing | null {
	const share = Math.min(1, standing.share + SHARE_STEP);
	// How long the last pause was is forgotten with the rest, once all is as it was.
	return share === 1 ? null : { ...UNBLEMISHED, share, pauseMs: standing.pauseMs };
}

/** Why and until when the host is to be left alone at `now`, or null. */
export function pausedBecause(standing: Standing | null, now: number): Pause | null {
	const pause = standing?.pause ?? null;
	return pause !== null && now < pause.until ? pause : null;
}

/** How a host may be asked that is not paused. */
export interface Pace {
	/** The share of the budget. */
	readonly share: number;
	/** It refused us last: one question at a time tries whether it takes us again. */
	readonly isTrying: boolean;
}

export function paceOf(standing: Standing | null): Pace {
	return { share: standing?.share ?? 1, isTrying: (standing?.pause ?? null) !== null };
}
