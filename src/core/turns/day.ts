import { DAY_MS, dayAfter, dayOf } from '../../lib/time.ts';
import { isPaying, ownNameOf, rulesOf, shareOf, TRIALS, UNPAID, unpaidNameOf, VISITORS } from './who.ts';
import type { ShareKind } from './who.ts';

/** Recipients of one day (UTC), which a restart must not make us forget. */
export interface Spent {
	/** Days since 1970. */
	readonly day: number;
	/** By share, also those of the day before with what they used today; and by member, again. */
	readonly shares: Readonly<Record<string, number>>;
}

// Smaller ones are counted together, or with their share: they are far from any limit of their own.
const NAMES_MAX = 100;
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
	#total: number;
	/** By share, and by member (`trials/3f`) again. */
	readonly #used: Map<string, number>;

	/** @param spent of a day that is over, or of a clock that was ahead: only who asked counts */
	constructor(spent: Spent | null = null) {
		this.#day = spent?.day ?? 0;
		this.#used = new Map(Object.entries(spent?.shares ?? {}));
		this.#total = this.#shares.reduce((sum, [, used]) => sum + used, 0);
	}

	get spent(): Spent {
		return { day: this.#day, shares: Object.fromEntries(this.#used) };
	}

	/** Recipients used today. */
	used(now: number): number {
		this.#turnTo(now);
		return this.#total;
	}

	usedByKind(now: number): Readonly<Record<ShareKind, number>> {
		const total = this.used(now);
		const of = (share: string): number => this.#used.get(share) ?? 0;
		const few = { [VISITORS]: of(VISITORS), [TRIALS]: of(TRIALS), [UNPAID]: of(UNPAID) };
		return { ...few, accounts: total - few.visitors - few.trials - few.unpaid };
	}

	/** The members that used most today, with their recipients. Shares of many are named by member. */
	most(count: number, now: number): [member: string, recipients: number][] {
		this.#turnTo(now);
		const ofOne = [...this.#used].filter(([name, used]) => used > 0 && (isMember(name) || isPaying(name)));
		return ofOne.toSorted(([, a], [, b]) => b - a).slice(0, count);
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

	/** How many more recipients may be asked about now under a name. */
	left(name: string, isList: boolean, perDay: number, now: number): number {
		const ofAll = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.used(now);
		const share = shareOf(name);
		const ofShare = atLeastOne(perDay * this.#partOf(name, now)) - this.#usedBy(share);
		const ofMember = atLeastOne((ofShare + this.#usedBy(name)) * PART_OF_MEMBER) - this.#usedBy(name);
		return Math.max(0, Math.min(ofAll, ofShare, isMember(name) ? ofMember : ofShare));
	}

	/** When `count` recipients will be left, if no other asks; epoch ms. */
	nextAt(name: string, isList: boolean, perDay: number, count: number, now: number): number {
		if (this.left(name, isList, perDay, now) >= count) return now;
		const tomorrow = dayAfter(now);
		const isOver = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.#total < count;
		if (isOver || !this.#grows(name)) return tomorrow;
		const used = this.#usedBy(name);
		const ofOthers = this.#usedBy(shareOf(name)) - used;
		const wanted = (ofOthers + (used + count) / (isMember(name) ? PART_OF_MEMBER : 1)) / perDay;
		const { part } = rulesOf(name);
		const grownAt = dayOf(now) * DAY_MS + Math.ceil((DAY_MS * (wanted - part)) / (1 - part));
		return Math.min(tomorrow, Math.max(now + 1, grownAt));
	}

	/** Counts recipients; a negative number takes back what was not used. */
	add(name: string, recipients: number, now: number): void {
		this.#turnTo(now);
		this.#total = Math.max(0, this.#total + recipients);
		for (const one of new Set([shareOf(name), name])) this.#note(one, recipients);
		if (this.#used.size <= NAMES_MAX) return;
		const others = [...this.#used].filter(([one]) => one !== name && one !== SMALLER);
		const [least] = others
			.filter(([one]) => isMember(one) || isPaying(one))
			.toSorted(([, a], [, b]) => a - b);
		if (least === undefined) return;
		this.#used.delete(least[0]);
		if (!isMember(least[0])) this.#note(SMALLER, least[1]);
	}

	get #shares(): readonly (readonly [string, number])[] {
		return [...this.#used].filter(([name]) => !isMember(name));
	}

	#note(name: string, recipients: number): void {
		this.#used.set(name, Math.max(0, this.#usedBy(name) + recipients));
	}

	#usedBy(name: string): number {
		return this.#used.get(name) ?? 0;
	}

	#partOf(name: string, now: number): number {
		const { part, alone } = rulesOf(name);
		const atFirst = this.#isAlone(name) ? alone : part;
		return this.#grows(name) ? atFirst + (1 - atFirst) * ((now % DAY_MS) / DAY_MS) : atFirst;
	}

	#grows(name: string): boolean {
		const { beside, alone } = rulesOf(name).grows;
		return this.#isAlone(name) ? alone : beside;
	}

	/** No other share that pays asked today or yesterday. */
	#isAlone(name: string): boolean {
		const names = [shareOf(name), ownNameOf(name)];
		return this.#shares.every(([share]) => names.includes(share) || !isPaying(share));
	}

	#turnTo(now: number): void {
		const day = dayOf(now);
		if (day === this.#day) return;
		const lately = day === this.#day + 1 ? this.#shares.filter(([, used]) => used > 0) : [];
		this.#used.clear();
		for (const [share] of lately) this.#used.set(share, 0);
		this.#total = 0;
		this.#day = day;
	}
}

function isMember(name: string): boolean {
	return name.includes('/');
}

function atLeastOne(recipients: number): number {
	return Math.max(QUESTION, Math.floor(recipients));
}
