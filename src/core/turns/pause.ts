import { companyOf, speaksForOf, publicMailOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import type { Stage } from '../smtp/reply-reader.ts';

/** Why a mail host is not contacted for a while. `unavailable_smtp`: it says that the domain is none of its own. */
export type PauseReason = 'probe_blocked' | 'rate_limited' | 'unavailable_smtp';

/** A conversation in which a mail host refused us. */
export interface Refusal {
	readonly why: PauseReason;
	readonly stage: Stage;
	readonly domain: string;
	/** It says that our address is on a list. */
	readonly listed?: boolean;
	/** It says so with a status that the operator alone gives, about source addresses. */
	readonly isOwnWord?: boolean;
}

/** Until when it is left alone, epoch ms. */
export interface Pause {
	readonly until: number;
	readonly why: PauseReason;
	/** Only one customer's domain is left alone. */
	readonly ofDomain?: true;
}

/** Our standing at a gate, or with one customer's domain there. */
export interface Standing {
	/** When we were refused, unless we were served since; epoch ms. */
	readonly struckAt: number | null;
	/** Also when it is over, until we are served: then one turn at a time tries whether we are welcome again. */
	readonly pause: Pause | null;
	readonly pauseMs: number;
	/** How much of the budget is used: it goes down at once, and up slowly. */
	readonly factor: number;
	/** Since when the host says that a list names us; epoch ms. */
	readonly listedSince: number | null;
}

/** The standing with a host that never refused us, or that we hold nothing against any more: this very object. */
export const UNBLEMISHED: Standing = {
	struckAt: null,
	pause: null,
	pauseMs: 0,
	factor: 1,
	listedSince: null,
};

const FIRST_PAUSE_MS = { probe_blocked: 600_000, rate_limited: 60_000, unavailable_smtp: 3_600_000 } as const;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
// A host may be overloaded for once. Twice within this, and never served between, it is about us.
const STRIKES_WITHIN_MS = 600_000;
// Served now and then, refused again and again: with less than this it is better to wait.
const FACTOR_MIN = 0.1;
// Fifty answers from a standstill to the whole budget.
const FACTOR_STEP = 0.02;

/**
 * Whether a refusal is the gate's, since no customer could have written it: it came before any recipient was named,
 * where customers have no hosts of their own; or it is about the operator's own domain; or it has the operator's own
 * status about source addresses. A customer writes the rest for his own domains. A provider's domain counts only at its
 * own operator: anybody can buy a lapsed one and have another operator serve it.
 *
 * @param operator the one that runs the host; null: none that we know
 */
export function isOfTheGate(
	{ stage, domain, why, isOwnWord }: Refusal,
	operator: OperatorName | null,
): boolean {
	if (why === 'unavailable_smtp') return false;
	if (stage !== 'rcpt') return operator === null || speaksForOf(operator) !== 'customer';
	const isOwnDomain =
		operator !== null && speaksForOf(operator) === 'operator' && publicMailOf(domain) === companyOf(operator);
	return isOwnWord === true || isOwnDomain;
}

/**
 * Our standing after a refusal. The first halves what is asked; the second within ten minutes, or the first after a
 * pause, pauses for a minute (ten for a block), and each further one for twice as long. A host that does not have the
 * domain says so once an hour.
 */
export function afterRefusal(
	standing: Standing,
	{ why, listed = false }: Pick<Refusal, 'why' | 'listed'>,
	now: number,
): Standing {
	// The conversation began before the pause did, so it shows nothing new.
	if (pausedBecause(standing, now) !== null) return standing;
	const half = standing.factor / 2;
	const isAgain = standing.struckAt !== null && now - standing.struckAt < STRIKES_WITHIN_MS;
	const isCertain = listed || why === 'unavailable_smtp' || isAgain || standing.pause !== null;
	const factor = Math.max(FACTOR_MIN, half);
	if (!isCertain && half >= FACTOR_MIN) return { ...standing, struckAt: now, factor };
	const leastMs = listed ? LONGEST_PAUSE_MS : FIRST_PAUSE_MS[why];
	const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(leastMs, standing.pauseMs * 2));
	const listedSince = standing.listedSince ?? (listed ? now : null);
	return { struckAt: null, pause: { until: now + pauseMs, why }, pauseMs, factor, listedSince };
}

/** Our standing after a conversation that answered. */
export function afterWelcome(standing: Standing, now: number): Standing {
	// It began before the pause did.
	if (pausedBecause(standing, now) !== null) return standing;
	const factor = Math.min(1, standing.factor + FACTOR_STEP);
	// How long the last pause was is forgotten with the rest, once all is as it was.
	return factor === 1 ? UNBLEMISHED : { ...UNBLEMISHED, factor, pauseMs: standing.pauseMs };
}

/** Why and until when the host is to be left alone at `now`, or null. A clock that was ahead made up a longer pause. */
export function pausedBecause({ pause }: Standing, now: number): Pause | null {
	return pause !== null && now < pause.until && pause.until <= now + LONGEST_PAUSE_MS ? pause : null;
}
