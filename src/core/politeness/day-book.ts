import { DAY_MS } from '../../lib/time.ts';
import {
	isPaying,
	kindOfShare,
	ownNameOf,
	PART_OF_LISTS,
	PART_OF_UNPAID_ALONE,
	partOfShare,
	shareOf,
	TRIALS,
	UNPAID,
	unpaidNameOf,
	VISITORS,
} from './shares.ts';
import type { ShareKind } from './shares.ts';

/** Recipients of one day (UTC), which a restart must not make us forget. */
export interface Spent {
	/** Days since 1970. */
	readonly day: number;
	/** By share, also those of the day before with what they used today; and by member, again. */
	readonly shares: Readonly<Record<string, number>>;
}

// Smaller shares are counted together: they are far from any limit of their own.
const SHARES_MAX = 50;
const SMALLER = 'smaller';
const MEMBERS_MAX = 50;
// Less than one question with its invented recipients is no share.
const QUESTION = 4;
const PART_OF_MEMBER = 0.5;

/**
 * The use of one day's budget by each share. A share that is alone has all of the day. Beside others, visitors and
 * accounts on trial have their part and no more; an account has its part at once, and the rest as the day passes, so that
 * nothing of the day is lost and late comers find something left. A member of a share has half of what the other members
 * leave, and the rest as the day passes. Questions without a charge are a share of their own, with its part and no more.
 */
export class DayBook {
	#day: number;
	#shares: Map<string, number>;
	#members: Map<string, number>;
	#total: number;

	constructor(spent: Spent | null) {
		this.#day = spent?.day ?? 0;
		const known = Object.entries(spent?.shares ?? {});
		this.#shares = new Map(known.filter(([name]) => name === shareOf(name)));
		this.#members = new Map(known.filter(([name]) => name !== shareOf(name)));
		this.#total = [...this.#shares.values()].reduce((sum, used) => sum + used, 0);
	}

	get spent(): Spent {
		return { day: this.#day, shares: Object.fromEntries([...this.#shares, ...this.#members]) };
	}

	/** Recipients used today. */
	used(now: number): number {
		this.#turnTo(now);
		return this.#total;
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

	/** How many more recipients a share, or its member, may ask about now. */
	left(member: string, perDay: number, isList: boolean, now: number): number {
		const share = shareOf(member);
		const ofAll = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.used(now);
		const ofShare = this.#mostOf(member, perDay, now) - this.#usedBy(share);
		const most = Math.floor(this.#unusedByOthers(member, perDay, now) * grown(PART_OF_MEMBER, now));
		const ofMember = member === share ? ofShare : Math.max(QUESTION, most) - this.#usedBy(member);
		return Math.max(0, Math.min(ofAll, ofShare, ofMember));
	}

	/** When `count` recipients will be left, if no other asks; epoch ms. */
	nextAt(member: string, perDay: number, isList: boolean, count: number, now: number): number {
		if (this.left(member, perDay, isList, now) >= count) return now;
		const share = shareOf(member);
		const tomorrow = dayAfter(now);
		const ofAll = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.used(now);
		const wanted = this.#usedBy(share) + count;
		const isGrowing = this.#growsWithTheDay(share);
		if (ofAll < count || (!isGrowing && wanted > this.#mostOf(member, perDay, now))) return tomorrow;
		const ofShare = isGrowing ? grownAt(partOfShare(share), wanted / perDay, now) : now;
		const unused = this.#unusedByOthers(member, perDay, now);
		const ofMember =
			member === share ? now : grownAt(PART_OF_MEMBER, (this.#usedBy(member) + count) / unused, now);
		return Math.min(tomorrow, Math.max(now + 1, ofShare, ofMember));
	}

	/** Counts recipients; a negative number takes back what was not used. */
	add(member: string, recipients: number, now: number): void {
		this.#turnTo(now);
		const share = shareOf(member);
		const isKnown = this.#shares.has(share) || this.#shares.size < SHARES_MAX;
		note(this.#shares, isKnown ? share : this.#makeRoomFor(share), recipients);
		this.#total = Math.max(0, this.#total + recipients);
		if (member === share) return;
		note(this.#members, member, recipients);
		if (this.#members.size > MEMBERS_MAX) this.#members.delete(leastOf([...this.#members])?.[0] ?? '');
	}

	#usedBy(name: string): number {
		return this.#shares.get(name) ?? this.#members.get(name) ?? 0;
	}

	#mostOf(member: string, perDay: number, now: number): number {
		return Math.max(QUESTION, Math.floor(perDay * this.#partOf(member, now)));
	}

	#partOf(member: string, now: number): number {
		const share = shareOf(member);
		if (this.#isAlone(member)) {
			if (share === UNPAID) return PART_OF_UNPAID_ALONE;
			if (isPaying(share)) return 1;
		}
		const part = partOfShare(share);
		return this.#growsWithTheDay(share) ? grown(part, now) : part;
	}

	/** The recipients that the other members of its share leave. */
	#unusedByOthers(member: string, perDay: number, now: number): number {
		const share = shareOf(member);
		return this.#mostOf(member, perDay, now) - this.#usedBy(share) + this.#usedBy(member);
	}

	#growsWithTheDay(share: string): boolean {
		return isPaying(share) || (share !== UNPAID && this.#isAlone(share));
	}

	/** No other share asked today or yesterday. Questions without a charge make no account one beside others. */
	#isAlone(member: string): boolean {
		const uncounted: readonly string[] = [UNPAID, shareOf(member), ownNameOf(member)];
		return [...this.#shares.keys()].every((share) => uncounted.includes(share));
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
		const lately = day === this.#day + 1 ? [...this.#shares].filter(([, used]) => used > 0) : [];
		this.#shares = new Map(lately.map(([share]) => [share, 0]));
		this.#members.clear();
		this.#day = day;
		this.#total = 0;
	}
}

function note(book: Map<string, number>, name: string, recipients: number): void {
	book.set(name, Math.max(0, (book.get(name) ?? 0) + recipients));
}

function leastOf(used: readonly (readonly [string, number])[]): readonly [string, number] | undefined {
	return used.toSorted(([, a], [, b]) => a - b)[0];
}

/** A part that grows to all as the day passes. */
function grown(part: number, now: number): number {
	return part + (1 - part) * ((now % DAY_MS) / DAY_MS);
}

/** When a growing part is as large as wanted, epoch ms. */
function grownAt(part: number, wanted: number, now: number): number {
	return dayOf(now) * DAY_MS + Math.ceil((DAY_MS * (wanted - part)) / (1 - part));
}

export function dayOf(now: number): number {
	return Math.floor(now / DAY_MS);
}

/** The next midnight, UTC. */
export function dayAfter(now: number): number {
	return (dayOf(now) + 1) * DAY_MS;
}
