import type { Asker } from './mail-host.ts';

/** How soon an answer is needed: `single`, a caller waits; `small`, a short job; `list`, a long one. */
export type Urgency = 'single' | 'small' | 'list';

/** The facts about the party behind an asker. */
export interface Payer {
	/** The account never paid. Left out: it paid, or the caller is anonymous. */
	readonly isTrial?: boolean | undefined;
	/** A digest of the domain that an account's address is at, or of a visitor's network. Left out: not known. */
	readonly owner?: string | undefined;
	/**
	 * Epoch ms: a later answer is free, because its caller's time is up by then. 0: most of what the account asks today is
	 * free. Left out: the account pays.
	 */
	readonly paysUntil?: number | undefined;
}

/** The account that asks, and who is behind it. */
export interface Party extends Payer {
	readonly asker: Asker;
}

export const VISITORS = 'visitors';
export const TRIALS = 'trials';
/** Questions of all accounts that ended without a charge: the answer came too late, or did not decide. */
export const UNPAID = 'unpaid';

/** The share whose question it is: visitors together, accounts that never paid together, others alone. */
export function shareNameOf({ asker, isTrial = false }: Party): string {
	if (asker === null) return VISITORS;
	return isTrial ? TRIALS : asker;
}

/** The share and who of it asks: `trials/acc_1`. An account with a share of its own is the share. */
export function memberNameOf(party: Party): string {
	const share = shareNameOf(party);
	return isPaying(share) ? share : `${share}/${party.owner ?? party.asker ?? ''}`;
}

/** The name under which a member's questions count that ended without a charge: `unpaid/acc_1`. */
export function unpaidNameOf(member: string): string {
	return `${UNPAID}/${ownNameOf(member)}`;
}

/** The account, or its owner, of a member's name. */
export function ownNameOf(member: string): string {
	return member.slice(member.indexOf('/') + 1);
}

/** The share of a member's name. */
export function shareOf(member: string): string {
	const [share = member] = member.split('/');
	return share;
}

const PARTS: Readonly<Partial<Record<string, number>>> = {
	[VISITORS]: 0.05,
	[TRIALS]: 0.1,
	[UNPAID]: 0.05,
};
const PART_OF_ACCOUNT = 0.25;
/** The part of `UNPAID` where no other share asks. It does not grow as the day passes. */
export const PART_OF_UNPAID_ALONE = 0.1;

/** The part of a budget that the share has while others ask too. */
export function partOfShare(share: string): number {
	return PARTS[shareOf(share)] ?? PART_OF_ACCOUNT;
}

/** Whether the share is of accounts that pay: these come before visitors and accounts on trial. */
export function isPaying(share: string): boolean {
	return PARTS[shareOf(share)] === undefined;
}

/** The part of each day that lists may use: the rest is for single calls. */
export const PART_OF_LISTS = 0.9;

// A caller waits for the answer; a short job is promised within half a minute.
const WEIGHTS: Readonly<Record<Urgency, number>> = { single: 64, small: 16, list: 1 };

/** How many turns the share has for each turn of another share's list, in proportion. */
export function weightOf(share: string, urgency: Urgency): number {
	return partOfShare(share) * WEIGHTS[urgency];
}

/** The kinds of shares, for figures that name no account. */
export type ShareKind = typeof VISITORS | typeof TRIALS | typeof UNPAID | 'accounts';

export function kindOfShare(share: string): ShareKind {
	return share === VISITORS || share === TRIALS || share === UNPAID ? share : 'accounts';
}
