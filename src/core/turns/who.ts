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

/** The share whose turn it is, and who of it asks: `trials`, `trials/3f`. An account that paid is both. */
export interface Who {
	readonly share: string;
	readonly member: string;
}

export const VISITORS = 'visitors';
export const TRIALS = 'trials';
/** Questions of all accounts that ended without a charge: the answer came too late, or did not decide. */
export const UNPAID = 'unpaid';

/** Visitors are one share together, accounts that never paid are one, each other account is one. */
export function whoOf({ asker, isTrial = false, owner }: Party): Who {
	if (asker !== null && !isTrial) return { share: asker, member: asker };
	const share = asker === null ? VISITORS : TRIALS;
	return { share, member: `${share}/${owner ?? asker ?? ''}` };
}

/** The share of a member's name. */
export function shareOf(member: string): string {
	const [share = member] = member.split('/');
	return share;
}

/** The name under which a member's questions count that ended without a charge: `unpaid/acc_1`. */
export function unpaidNameOf(member: string): string {
	return `${UNPAID}/${ownNameOf(member)}`;
}

/** The account, or its owner, of a member's name. */
export function ownNameOf(member: string): string {
	return member.slice(member.indexOf('/') + 1);
}

// The weight of a share's turns, and its part of a day beside others.
const FEW: Readonly<Partial<Record<string, { readonly weight: number; readonly part: number }>>> = {
	[VISITORS]: { weight: 1, part: 0.05 },
	[TRIALS]: { weight: 2, part: 0.1 },
	// It has turns by its account's weight.
	[UNPAID]: { weight: 1, part: 0.05 },
};
const ACCOUNT = { weight: 5, part: 0.25 };
// A caller waits for the answer; a short job is promised within half a minute.
const NOW_BEFORE_LATER = 16;

/** Whether the share is of accounts that pay: these come before visitors and accounts on trial. */
export function isPaying(share: string): boolean {
	return FEW[shareOf(share)] === undefined;
}

/** The part of `UNPAID` where no other share asks. It does not grow as the day passes. */
export const PART_OF_UNPAID_ALONE = 0.1;

/** The part of a day's budget that the share has while others ask too. */
export function partOfShare(share: string): number {
	return (FEW[shareOf(share)] ?? ACCOUNT).part;
}

/** How many turns the share has for each turn of another share's list, in proportion. */
export function weightOf(share: string, urgency: Urgency): number {
	const { weight } = FEW[shareOf(share)] ?? ACCOUNT;
	return urgency === 'list' ? weight : weight * NOW_BEFORE_LATER;
}

/** The kinds of shares, for figures that name no account. */
export type ShareKind = typeof VISITORS | typeof TRIALS | typeof UNPAID | 'accounts';

export function kindOfShare(share: string): ShareKind {
	return share === VISITORS || share === TRIALS || share === UNPAID ? share : 'accounts';
}

/**
 * Places that are divided among those who are there: a share may hold as many as are free. Alone it has half of them,
 * beside one other a third; so a new share always finds a place, however long the questions of the others take.
 */
export class Places {
	readonly #places: number;
	readonly #held = new Map<string, number>();
	#taken = 0;

	constructor(places: number) {
		this.#places = places;
	}

	/** Takes a place, and returns what leaves it; null: the share holds its part. */
	enter(share: string): (() => void) | null {
		const held = this.#held.get(share) ?? 0;
		if (held >= this.#places - this.#taken) return null;
		this.#held.set(share, held + 1);
		this.#taken += 1;
		return () => {
			const left = (this.#held.get(share) ?? 1) - 1;
			if (left === 0) this.#held.delete(share);
			else this.#held.set(share, left);
			this.#taken -= 1;
		};
	}
}
