import { DAY_MS, dayAfter, dayOf } from '../../lib/time.ts';
import { isPaying, ownNameOf, rulesOf, shareOf, unpaidOf } from './who.ts';
import type { ShareKind } from './who.ts';

/** Recipients of one day (UTC), which a restart must not make us forget. */
export interface Spent {
	/** Days since 1970. */
	readonly day: number;
	/** By share, also those of the day before with what they used today; and by member, again. */
	readonly shares: Readonly<Record<string, number>>;
}

// Smaller ones are kept together: they are far from any limit of their own.
const KEPT_MAX = 100;
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
	#total = 0;
	/** By share, and by member (`trials/3f`) again. */
	readonly #used = new Map<string, number>();
	/** The shares that pay and asked today or yesterday. */
	readonly #payers = new Set<string>();

	/** @param spent of a day that is over, or of a clock that was ahead: only who asked counts */
	constructor(spent: Spent | null = null) {
		this.#day = spent?.day ?? 0;
		for (const [name, used] of Object.entries(spent?.shares ?? {})) this.#note(name, used);
	}

	get spent(): Spent {
		const all = [...this.#used].toSorted(([, a], [, b]) => b - a);
		const kept = all.slice(0, KEPT_MAX);
		const rest = this.#total - kept.reduce((sum, [name, used]) => sum + (isMember(name) ? 0 : used), 0);
		const smaller = all.length > KEPT_MAX ? { [SMALLER]: rest } : {};
		return { day: this.#day, shares: { ...Object.fromEntries(kept), ...smaller } };
	}

	/** Recipients used today. */
	used(now: number): number {
		this.#turnTo(now);
		return this.#total;
	}

	usedByKind(now: number): Readonly<Record<ShareKind, number>> {
		const total = this.used(now);
		const [visitors, trials, unpaid] = [this.#of('visitors'), this.#of('trials'), this.#of('unpaid')];
		return { visitors, trials, unpaid, accounts: total - visitors - trials - unpaid };
	}

	/** The members that used most today, with their recipients. */
	most(count: number, now: number): [member: string, recipients: number][] {
		this.#turnTo(now);
		const ofOne = [...this.#used].filter(([name, used]) => used > 0 && (isMember(name) || isPaying(name)));
		return ofOne.toSorted(([, a], [, b]) => b - a).slice(0, count);
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

	/** How many more recipients may be asked about now under a name. */
	left(name: string, isList: boolean, perDay: number, now: number): number {
		const ofAll = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.used(now);
		const { part, grows } = this.#partOf(name);
		const grown = grows ? part + (1 - part) * ((now % DAY_MS) / DAY_MS) : part;
		const ofShare = atLeastOne(perDay * grown) - this.#of(shareOf(name));
		const ofMember = atLeastOne((ofShare + this.#of(name)) * PART_OF_MEMBER) - this.#of(name);
		return Math.max(0, Math.min(ofAll, ofShare, isMember(name) ? ofMember : ofShare));
	}

	/** When `count` recipients will be left, if no other asks; epoch ms. */
	nextAt(name: string, isList: boolean, perDay: number, count: number, now: number): number {
		if (this.left(name, isList, perDay, now) >= count) return now;
		const tomorrow = dayAfter(now);
		const { part, grows } = this.#partOf(name);
		const isOver = Math.floor(perDay * (isList ? PART_OF_LISTS : 1)) - this.#total < count;
		if (isOver || !grows) return tomorrow;
		const used = this.#of(name);
		const ofOthers = this.#of(shareOf(name)) - used;
		const wanted = (ofOthers + (used + count) / (isMember(name) ? PART_OF_MEMBER : 1)) / perDay;
		const grownAt = dayOf(now) * DAY_MS + Math.ceil((DAY_MS * (wanted - part)) / (1 - part));
		return Math.min(tomorrow, Math.max(now + 1, grownAt));
	}

	/** Counts recipients; a negative number takes back what was not used. */
	add(name: string, recipients: number, now: number): void {
		this.#turnTo(now);
		for (const one of new Set([shareOf(name), name])) this.#note(one, recipients);
	}

	#of(name: string): number {
		return this.#used.get(name) ?? 0;
	}

	#note(name: string, recipients: number): void {
		this.#used.set(name, Math.max(0, this.#of(name) + recipients));
		if (!isMember(name)) this.#total = Math.max(0, this.#total + recipients);
		if (isPaying(name)) this.#payers.add(name);
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
		const lately = [...this.#payers].filter((name) => day === this.#day + 1 && this.#of(name) > 0);
		this.#used.clear();
		this.#payers.clear();
		this.#total = 0;
		for (const name of lately) this.#note(name, 0);
		this.#day = day;
	}
}

function isMember(name: string): boolean {
	return name.includes('/');
}

function atLeastOne(recipients: number): number {
	return Math.max(QUESTION, Math.floor(recipients));
}
