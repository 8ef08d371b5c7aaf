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

interface Share {
	readonly weight: number;
	/** Its part of a day's budget while others ask too, and where no other asks. */
	readonly part: number;
	readonly alone: number;
	/** The part grows as the day passes. */
	readonly grows: { readonly beside: boolean; readonly alone: boolean };
}

const ACCOUNT: Share = { weight: 5, part: 0.25, alone: 1, grows: { beside: true, alone: false } };
const FEW: Readonly<Partial<Record<string, Share>>> = {
	[VISITORS]: { weight: 1, part: 0.05, alone: 0.05, grows: { beside: false, alone: true } },
	[TRIALS]: { weight: 2, part: 0.1, alone: 0.1, grows: { beside: false, alone: true } },
	// It has turns by its account's weight.
	[UNPAID]: { weight: 1, part: 0.05, alone: 0.1, grows: { beside: false, alone: false } },
};
// A caller waits for the answer; a short job is promised within half a minute.
const NOW_BEFORE_LATER = 16;

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

/** The rules of the share that a name is of. */
export function rulesOf(name: string): Share {
	return FEW[shareOf(name)] ?? ACCOUNT;
}

/** Whether the share is of accounts that pay: these come before visitors and accounts on trial. */
export function isPaying(name: string): boolean {
	return rulesOf(name) === ACCOUNT;
}

/** How many turns the share has for each turn of another share's list, in proportion. */
export function weightOf(share: string, urgency: Urgency): number {
	return rulesOf(share).weight * (urgency === 'list' ? 1 : NOW_BEFORE_LATER);
}

/** The kinds of shares, for figures that name no account. */
export type ShareKind = typeof VISITORS | typeof TRIALS | typeof UNPAID | 'accounts';

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
