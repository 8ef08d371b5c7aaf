import { DAY_MS, dayAfter, dayOf } from '../../lib/time.ts';
import {
	isPaying,
	kindOfShare,
	ownNameOf,
	PART_OF_UNPAID_ALONE,
	partOfShare,
	shareOf,
	TRIALS,
	UNPAID,
	unpaidNameOf,
	VISITORS,
} from './who.ts';
import type { ShareKind } from './who.ts';

/** Recipients of one day (UTC), which a restart must not make us forget. */
export interface Spent {
	/** Days since 1970. */
	readonly day: number;
	/** By share, also those of the day before with what they used today; and by member, again. */
	readonly shares: Readonly<Record<string, number>>;
}

/** A claim on recipients of the day. */
export interface Claim {
	/** The name under which they are counted. */
	readonly name: string;
	/** Lists leave a part of each day to callers. */
	readonly isList: boolean;
}

// Smaller shares are counted together: they are far from any limit of their own.
const NAMES_MAX = 50;
const SMALLER = 'smaller';
// Less than one question with its invented recipients is no share.
const QUESTION = 4;
const PART_OF_MEMBER = 0.5;
/** The part of each day that lists may use: the rest is for single calls. */
export const PART_OF_LISTS = 0.9;

/**
 * The use of one day's budget. An account that is alone has all of the day. Beside another that pays, it has its part at
 * once and the rest as the day passes, so that late comers find something left; visitors and accounts on trial have their
 * part and no more, and alone they have the rest as the day passes. A member of a share has half of what the other
 * members leave. Questions without a charge are a share of their own, with its part and no more.
 */
export class Day {
	#day: number;
	readonly #shares: Map<string, number>;
	readonly #members: Map<string, number>;

	constructor(spent: Spent | null = null) {
		this.#day = spent?.day ?? 0;
		const known = Object.entries(spent?.shares ?? {});
		this.#shares = new Map(known.filter(([name]) => name === shareOf(name)));
		this.#members = new Map(known.filter(([name]) => name !== shareOf(name)));
	}

	get spent(): Spent {
		return { day: this.#day, shares: Object.fromEntries([...this.#shares, ...this.#members]) };
	}

	/** Recipients used today. */
	used(now: number): number {
		this.#turnTo(now);
		return [...this.#shares.values()].reduce((sum, used) => sum + used, 0);
	}

	usedByKind(now: number): Readonly<Record<ShareKind, number>> {
		this.#turnTo(now);
		const kinds = { [VISITORS]: 0, [TRIALS]: 0, [UNPAID]: 0, accounts: 0 };
		for (const [share, used] of this.#shares) kinds[kindOfShare(share)] += used;
		return kinds;
	}

	/** The members that used most today, with their recipients. Shares of many are named by member. */
	most(count: number, now: number): readonly (readonly [member: string, recipients: number])[] {
		this.#turnTo(now);
		const accounts = [...this.#shares].filter(([share, used]) => isPaying(share) && used > 0);
		return [...accounts, ...this.#members].toSorted(([, a], [, b]) => b - a).slice(0, count);
	}

	/**
	 * The name under which a question takes its turn that may end for nothing: the member's own while it paid for as much
	 * here today as it had for nothing.
	 */
	nameOfDoubtful(member: string, recipients: number, now: number): string {
		this.#turnTo(now);
		const unpaid = unpaidNameOf(member);
		return this.#usedBy(member) >= this.#usedBy(unpaid) + recipients ? member : unpaid;
	}

	/** How many more recipients may be asked about now. */
	left({ name, isList }: Claim, perDay: number, now: number): number {
		const share = shareOf(name);
		const ofAll = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.used(now);
		const ofShare = this.#mostOf(name, perDay, now) - this.#usedBy(share);
		const ofMember = name === share ? ofShare : this.#mostOfMember(name, perDay, now) - this.#usedBy(name);
		return Math.max(0, Math.min(ofAll, ofShare, ofMember));
	}

	/** When `count` recipients will be left, if no other asks; epoch ms. */
	nextAt(claim: Claim, perDay: number, count: number, now: number): number {
		if (this.left(claim, perDay, now) >= count) return now;
		const { name, isList } = claim;
		const share = shareOf(name);
		const tomorrow = dayAfter(now);
		const isOver = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.used(now) < count;
		if (isOver || !this.#growsWithTheDay(name)) return tomorrow;
		const used = this.#usedBy(name) + count;
		const ofOthers = this.#usedBy(share) - this.#usedBy(name);
		const wanted = (ofOthers + (name === share ? used : used / PART_OF_MEMBER)) / perDay;
		const part = partOfShare(share);
		const grownAt = dayOf(now) * DAY_MS + Math.ceil((DAY_MS * (wanted - part)) / (1 - part));
		return Math.min(tomorrow, Math.max(now + 1, grownAt));
	}

	/** Counts recipients; a negative number takes back what was not used. */
	add(name: string, recipients: number, now: number): void {
		this.#turnTo(now);
		const share = shareOf(name);
		const isKnown = this.#shares.has(share) || this.#shares.size < NAMES_MAX;
		note(this.#shares, isKnown ? share : this.#makeRoomFor(share), recipients);
		if (name === share) return;
		note(this.#members, name, recipients);
		if (this.#members.size > NAMES_MAX) this.#members.delete(leastOf([...this.#members])?.[0] ?? '');
	}

	#usedBy(name: string): number {
		return this.#shares.get(name) ?? this.#members.get(name) ?? 0;
	}

	#mostOf(name: string, perDay: number, now: number): number {
		return Math.max(QUESTION, Math.floor(perDay * this.#partOf(name, now)));
	}

	#mostOfMember(name: string, perDay: number, now: number): number {
		const share = shareOf(name);
		const leftByOthers = this.#mostOf(name, perDay, now) - this.#usedBy(share) + this.#usedBy(name);
		return Math.max(QUESTION, Math.floor(leftByOthers * PART_OF_MEMBER));
	}

	#partOf(name: string, now: number): number {
		const share = shareOf(name);
		if (this.#isAlone(name)) {
			if (share === UNPAID) return PART_OF_UNPAID_ALONE;
			if (isPaying(share)) return 1;
		}
		const part = partOfShare(share);
		return this.#growsWithTheDay(name) ? part + (1 - part) * ((now % DAY_MS) / DAY_MS) : part;
	}

	#growsWithTheDay(name: string): boolean {
		const share = shareOf(name);
		return isPaying(share) || (share !== UNPAID && this.#isAlone(name));
	}

	/** No other share that pays asked today or yesterday. */
	#isAlone(name: string): boolean {
		const names: readonly string[] = [shareOf(name), ownNameOf(name)];
		return [...this.#shares.keys()].every((share) => names.includes(share) || !isPaying(share));
	}

	/** Counts the smallest share with the other small ones, if it is smaller than a new one may become. */
	#makeRoomFor(share: string): string {
		const least = leastOf([...this.#shares].filter(([name]) => name !== SMALLER && isPaying(name)));
		if (least === undefined) return SMALLER;
		this.#shares.delete(least[0]);
		note(this.#shares, SMALLER, least[1]);
		return share;
	}

	#turnTo(now: number): void {
		const day = dayOf(now);
		if (day <= this.#day) return;
		const lately = [...this.#shares].filter(([, used]) => used > 0 && day === this.#day + 1);
		this.#shares.clear();
		for (const [share] of lately) this.#shares.set(share, 0);
		this.#members.clear();
		this.#day = day;
	}
}

function note(book: Map<string, number>, name: string, recipients: number): void {
	book.set(name, Math.max(0, (book.get(name) ?? 0) + recipients));
}

function leastOf(used: readonly (readonly [string, number])[]): readonly [string, number] | undefined {
	return used.toSorted(([, a], [, b]) => a - b)[0];
}
