import { DAY_MS } from '../../lib/time.ts';
import { isPaying, kindOfShare, PART_OF_LISTS, partOfShare, TRIALS, VISITORS } from './shares.ts';
import type { ShareKind } from './shares.ts';

/** Recipients of one day (UTC) by share, which a restart must not make us forget. */
export interface Spent {
	/** Days since 1970. */
	readonly day: number;
	/** Also the shares of the day before, with what they used today. */
	readonly shares: Readonly<Record<string, number>>;
}

// Smaller shares are counted together: they are far from any limit of their own.
const SHARES_MAX = 50;
const SMALLER = 'smaller';
// Less than one question with its invented recipients is no share.
const QUESTION = 4;

/**
 * What each share used of one day's budget. A share that is alone has all of the day. Beside others, visitors and
 * accounts on trial have their part and no more; an account has its part at once, and the rest as the day passes, so that
 * nothing of the day is lost and late comers find something left.
 */
export class DayBook {
	#day: number;
	#shares: Map<string, number>;
	#total: number;

	constructor(spent: Spent | null) {
		this.#day = spent?.day ?? 0;
		this.#shares = new Map(Object.entries(spent?.shares ?? {}));
		this.#total = sumOf(this.#shares);
	}

	get spent(): Spent {
		return { day: this.#day, shares: Object.fromEntries(this.#shares) };
	}

	/** Recipients used today. */
	used(now: number): number {
		this.#turnTo(now);
		return this.#total;
	}

	usedByKind(now: number): Readonly<Record<ShareKind, number>> {
		this.#turnTo(now);
		const kinds = { [VISITORS]: 0, [TRIALS]: 0, accounts: 0 };
		for (const [share, used] of this.#shares) kinds[kindOfShare(share)] += used;
		return kinds;
	}

	/** How many more recipients the share may ask about now. */
	left(share: string, perDay: number, isList: boolean, now: number): number {
		const ofAll = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.used(now);
		const most = Math.max(QUESTION, Math.floor(perDay * this.#partOf(share, now)));
		return Math.max(0, Math.min(ofAll, most - this.#usedBy(share)));
	}

	/** When `count` recipients will be left for the share, if nobody else asks; epoch ms. */
	nextAt(share: string, perDay: number, isList: boolean, count: number, now: number): number {
		if (this.left(share, perDay, isList, now) >= count) return now;
		const tomorrow = dayAfter(now);
		const ofAll = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.used(now);
		if (ofAll < count || !this.#growsWithTheDay(share)) return tomorrow;
		const part = partOfShare(share);
		const wanted = (this.#usedBy(share) + count) / perDay;
		const at = dayOf(now) * DAY_MS + (DAY_MS * (wanted - part)) / (1 - part);
		return Math.min(tomorrow, Math.max(now + 1, Math.ceil(at)));
	}

	/** Counts recipients; a negative number takes back what was not used. */
	add(share: string, recipients: number, now: number): void {
		this.#turnTo(now);
		const name = this.#shares.has(share) || this.#shares.size < SHARES_MAX ? share : this.#makeRoomFor(share);
		this.#shares.set(name, Math.max(0, (this.#shares.get(name) ?? 0) + recipients));
		this.#total = Math.max(0, this.#total + recipients);
	}

	#partOf(share: string, now: number): number {
		if (this.#isAlone(share) && isPaying(share)) return 1;
		const part = partOfShare(share);
		return this.#growsWithTheDay(share) ? part + (1 - part) * ((now % DAY_MS) / DAY_MS) : part;
	}

	#growsWithTheDay(share: string): boolean {
		return isPaying(share) || this.#isAlone(share);
	}

	/** No other share asked today or yesterday. */
	#isAlone(share: string): boolean {
		return this.#shares.size === 0 || (this.#shares.size === 1 && this.#shares.has(share));
	}

	#usedBy(share: string): number {
		return this.#shares.get(share) ?? 0;
	}

	/** Counts the smallest share with the other small ones, if it is smaller than a new one may become. */
	#makeRoomFor(share: string): string {
		const others = [...this.#shares].filter(([name]) => name !== SMALLER && isPaying(name));
		const [least] = others.toSorted(([, a], [, b]) => a - b);
		if (least === undefined) return SMALLER;
		const [name, used] = least;
		this.#shares.delete(name);
		this.#shares.set(SMALLER, this.#usedBy(SMALLER) + used);
		return share;
	}

	#turnTo(now: number): void {
		const day = dayOf(now);
		if (day <= this.#day) return;
		const lately = day === this.#day + 1 ? [...this.#shares].filter(([, used]) => used > 0) : [];
		this.#shares = new Map(lately.map(([share]) => [share, 0]));
		this.#day = day;
		this.#total = 0;
	}
}

export function dayOf(now: number): number {
	return Math.floor(now / DAY_MS);
}

/** The next midnight, UTC. */
export function dayAfter(now: number): number {
	return (dayOf(now) + 1) * DAY_MS;
}

function sumOf(shares: ReadonlyMap<string, number>): number {
	return [...shares.values()].reduce((sum, used) => sum + used, 0);
}
