import { DAY_MS, dayAfter, dayOf } from '../../lib/time.ts';
import { isPaying, ownNameOf, rulesOf, shareOf, unpaidOf } from './who.ts';
import type { ShareKind } from './who.ts';

/** Recipients of one day (UTC), which a restart must not make us forget. */
export interface Spent {
	/** Days since 1970. */
	readonly day: number;
	readonly total: number;
	/** By share, also those of the day before with what they used today; and by member, again. */
	readonly shares: Readonly<Record<string, number>>;
}

// Smaller ones are far from any limit of their own.
const KEPT_MAX = 100;
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
	/** The shares that pay and asked today or yesterday. */
	readonly #payers: Set<string>;

	/** @param spent of a day that is over, or of a clock that was ahead: only who asked counts */
	constructor(spent: Spent | null = null) {
		this.#day = spent?.day ?? 0;
		this.#total = spent?.total ?? 0;
		this.#used = new Map(Object.entries(spent?.shares ?? {}));
		this.#payers = new Set([...this.#used.keys()].filter(isPaying));
	}

	get spent(): Spent {
		const most = [...this.#used].toSorted(([, a], [, b]) => b - a).slice(0, KEPT_MAX);
		return { day: this.#day, total: this.#total, shares: Object.fromEntries(most) };
	}

	/** Figures for admins: the recipients of today by kind of share, and the members that used most. */
	figures(count: number, now: number) {
		this.#turnTo(now);
		const [visitors, trials, unpaid] = [this.#of('visitors'), this.#of('trials'), this.#of('unpaid')];
		const accounts = this.#total - visitors - trials - unpaid;
		const usedToday: Readonly<Record<ShareKind, number>> = { visitors, trials, unpaid, accounts };
		const ofOne = [...this.#used].filter(([name, used]) => used > 0 && (isMember(name) || isPaying(name)));
		const mostToday = ofOne.toSorted(([, a], [, b]) => b - a).slice(0, count);
		return { total: this.#total, usedToday, mostToday };
	}

	/**
	 * The name that counts a turn which may end for nothing: the member's own while it paid for as much here today as it had
	 * for nothing.
	 */
	nameOfDoubtful(member: string, recipients: number, now: number): string {
		this.#turnTo(now);
		const unpaid = unpaidOf(member);
		return this.#of(member) >= this.#of(unpaid) + recipients ? member : unpaid;
	}

	/**
	 * How many more recipients may be asked about now under a name, and when `count` may, if no other asks (epoch ms).
	 *
	 * @param perDay the budget
	 */
	look(
		name: string,
		count: number,
		{ isList, perDay }: { readonly isList: boolean; readonly perDay: number },
		now: number,
	): { readonly left: number; readonly at: number } {
		this.#turnTo(now);
		const { part, grows } = this.#partOf(name);
		const grown = grows ? part + (1 - part) * ((now % DAY_MS) / DAY_MS) : part;
		const used = this.#of(name);
		const ofOthers = this.#of(shareOf(name)) - used;
		const ofMember = isMember(name) ? PART_OF_MEMBER : 1;
		const ofAll = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.#total;
		const ofShare = atLeastOne(perDay * grown) - ofOthers;
		const left = Math.max(0, Math.min(ofAll, ofShare - used, atLeastOne(ofShare * ofMember) - used));
		if (left >= count) return { left, at: now };
		const wanted = (ofOthers + (used + count) / ofMember) / perDay;
		const grownAt = dayOf(now) * DAY_MS + Math.ceil((DAY_MS * (wanted - part)) / (1 - part));
		const isTomorrow = ofAll < count || !grows;
		return { left, at: isTomorrow ? dayAfter(now) : Math.min(dayAfter(now), Math.max(now + 1, grownAt)) };
	}

	/** Counts recipients; a negative number takes back what was not used. */
	add(name: string, recipients: number, now: number): void {
		this.#turnTo(now);
		this.#total = Math.max(0, this.#total + recipients);
		for (const one of new Set([shareOf(name), name]))
			this.#used.set(one, Math.max(0, this.#of(one) + recipients));
		if (isPaying(name)) this.#payers.add(name);
	}

	#of(name: string): number {
		return this.#used.get(name) ?? 0;
	}

	/** The share's part of the day at its beginning, and whether it grows. */
	#partOf(name: string): { readonly part: number; readonly grows: boolean } {
		const { part, alone, grows } = rulesOf(name);
		// No other share that pays asked today or yesterday.
		const isAlone = this.#payers.size - Number(this.#payers.has(ownNameOf(name))) === 0;
		return isAlone ? { part: alone, grows: grows === 'alone' } : { part, grows: grows === 'beside others' };
	}

	#turnTo(now: number): void {
		const day = dayOf(now);
		if (day === this.#day) return;
		for (const name of this.#payers)
			if (day !== this.#day + 1 || this.#of(name) === 0) this.#payers.delete(name);
		this.#used.clear();
		for (const name of this.#payers) this.#used.set(name, 0);
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
