/** The account id of the caller who asks, or null for anonymous visitors. */
export type Asker = string | null;

/** The facts about the party behind an asker. */
export interface Payer {
	/** The account never paid. Left out: it paid, or the caller is anonymous. */
	readonly isTrial?: boolean | undefined;
	/** A digest of the domain that an account's address is at, or of a visitor's network. Left out: not known. */
	readonly owner?: string | undefined;
	/**
	 * Epoch ms: a later answer is free, because its caller's time is up by then. Also where most of what the account asks
	 * today is free, with a time that no answer reaches. Left out: the account pays.
	 */
	readonly paysUntil?: number | undefined;
}

/** The account that asks, and who is behind it. */
export interface Party extends Payer {
	readonly asker: Asker;
}

/** How soon an answer is needed: `single`, a caller waits; `small`, a short job; `list`, a long one. */
export type Urgency = 'single' | 'small' | 'list';

/** The weight of a share, and its part of a day's budget, beside others who pay and where no other asks. */
const ACCOUNT = { weight: 5, beside: { part: 0.25, grows: true }, alone: { part: 1, grows: false } };
const FEW: Readonly<Partial<Record<string, typeof ACCOUNT>>> = {
	visitors: { weight: 1, beside: { part: 0.05, grows: false }, alone: { part: 0.05, grows: true } },
	trials: { weight: 2, beside: { part: 0.1, grows: false }, alone: { part: 0.1, grows: true } },
	// Questions of all accounts that ended without a charge. They have turns by their accounts' weights.
	unpaid: { weight: 1, beside: { part: 0.05, grows: false }, alone: { part: 0.1, grows: false } },
};
// A caller waits for the answer; a short job is promised within half a minute.
const NOW_BEFORE_LATER = 16;

/**
 * The member of a share who asks. Visitors are one share together, accounts that never paid are one (`trials/3f` by owner),
 * each other account is one (`acc_1`).
 */
export function memberOf({ asker, isTrial = false, owner }: Party): string {
	if (asker !== null && !isTrial) return asker;
	return `${asker === null ? 'visitors' : 'trials'}/${owner ?? asker ?? ''}`;
}

/** The share of a member: of an account that pays, itself. */
export function shareOf(member: string): string {
	const [share = member] = member.split('/');
	return share;
}

/** The member by which the day counts a member's questions that ended without a charge: `unpaid/acc_1`. */
export function unpaidOf(member: string): string {
	return `unpaid/${ownNameOf(member)}`;
}

/** The account, or its owner, of a member. */
export function ownNameOf(member: string): string {
	return member.slice(member.indexOf('/') + 1);
}

/** The rules of the share that a member is of. A part may grow to all as the day passes. */
export function rulesOf(member: string): typeof ACCOUNT {
	return FEW[shareOf(member)] ?? ACCOUNT;
}

/** Whether it is of an account that pays: these come before visitors and accounts on trial. */
export function isPaying(member: string): boolean {
	return rulesOf(member) === ACCOUNT;
}

/** How many turns the member's share has for each turn of another share's list, in proportion. */
export function weightOf(member: string, urgency: Urgency): number {
	return rulesOf(member).weight * (urgency === 'list' ? 1 : NOW_BEFORE_LATER);
}

/**
 * Places that are divided among those who are there: a share may hold as many as are free. Alone it has half of them,
 * beside one other a third; so a new share always finds a place, however long the questions of the others take.
 */
export class Places {
	readonly #places: number;
	/** The share in each place that is taken. */
	readonly #held: string[] = [];

	constructor(places: number) {
		this.#places = places;
	}

	/** Takes a place, and returns what leaves it; null: the share holds its part. */
	enter(share: string): (() => void) | null {
		const held = this.#held.filter((one) => one === share).length;
		if (held >= this.#places - this.#held.length) return null;
		this.#held.push(share);
		return () => void this.#held.splice(this.#held.indexOf(share), 1);
	}
}
