import type { Budget } from '../mail-operators/operator-row.ts';
import { Day } from './day.ts';
import type { Claim, Spent } from './day.ts';
import { isPaying, unpaidNameOf, weightOf } from './who.ts';
import type { Urgency, Who } from './who.ts';

// A target and two invented recipients.
const QUESTION = 3;
// Recipients: a first question leaves as many to the next caller.
const NEXT_TO_NOTHING = 2;
// New connections that one visit may need: the second without TLS, or to another address.
const VISIT = 2;
const MINUTE_MS = 60_000;
const NAMES_MAX = 1_000;
// For admins.
const MOST_SHOWN = 3;

/** A wish for recipients of one turn. */
export interface Ask {
	readonly who: Who;
	/** It may end without a charge: that is settled at its end. */
	readonly isDoubtful: boolean;
	readonly urgency: Urgency;
	/** Fewer are of no use: one target, with its invented recipients. */
	readonly least: number;
	readonly most: number;
	/** A new connection is needed. */
	readonly dials: boolean;
}

/** Recipients and a connection that a turn has taken, and may give back. */
export interface Taken {
	readonly who: Who;
	/** The name under which the day counts it. */
	readonly name: string;
	readonly at: number;
}

/**
 * A gate: the questions that one operator, or one machine, takes from one source address. A bucket of recipients and one
 * of new connections for the minute, a book of shares for the day, and how much each share and member took of late. Any
 * sixty seconds see no more than the minute's budget, which may change at any time.
 */
export class Gate {
	readonly #budget: (now: number) => Budget;
	readonly #recipients = new Bucket();
	readonly #dials = new Bucket();
	readonly #day: Day;
	readonly #recent = new Recent();

	constructor(budget: (now: number) => Budget, spent: Spent | null = null) {
		this.#budget = budget;
		this.#day = new Day(spent);
	}

	get spent(): Spent {
		return this.#day.spent;
	}

	budget(now: number): Budget {
		return this.#budget(now);
	}

	/** How many recipients may be asked about now: none, or `least` to `most`. */
	room(ask: Ask, now: number): number {
		const budget = this.#budget(now);
		const rate = recipientsOf(budget);
		const isFirst = this.isFirst(ask, now);
		if (ask.dials && this.#dials.free(dialsOf(budget), now, isFirst) < 1) return 0;
		const left = this.#day.left(this.#claimOf(ask, now), budget.recipientsPerDay, now);
		const free = Math.min(this.#recipients.free(rate, now, isFirst), left);
		return free < Math.min(ask.least, mostOf(rate, isFirst)) ? 0 : Math.max(0, Math.min(free, ask.most));
	}

	/** The last question of the minute is kept for a paying caller who took next to nothing of late. */
	isFirst({ who, urgency }: Pick<Ask, 'who' | 'urgency'>, now: number): boolean {
		return urgency === 'single' && isPaying(who.share) && this.#recent.of(who.member, now) < NEXT_TO_NOTHING;
	}

	/** Whether the minute has too few recipients left for it, which everybody waits for. */
	lacksMinute(ask: Ask, now: number): boolean {
		const rate = recipientsOf(this.#budget(now));
		const isFirst = this.isFirst(ask, now);
		return this.#recipients.free(rate, now, isFirst) < Math.min(ask.least, mostOf(rate, isFirst));
	}

	/** When there will be room, if no other asks; epoch ms. */
	nextAt(ask: Ask, now: number): number {
		const budget = this.#budget(now);
		const isFirst = this.isFirst(ask, now);
		return Math.max(
			now + this.#recipients.waitMs(ask.least, recipientsOf(budget), now, isFirst),
			ask.dials ? now + this.#dials.waitMs(1, dialsOf(budget), now, isFirst) : now,
			this.#day.nextAt(this.#claimOf(ask, now), budget.recipientsPerDay, ask.least, now),
		);
	}

	/** How long it takes until so many recipients and new connections are asked and opened. */
	takesMs(
		{ recipients, dials }: { readonly recipients: number; readonly dials: number },
		now: number,
	): number {
		const budget = this.#budget(now);
		return Math.ceil(Math.max(recipients / recipientsOf(budget).perMs, dials / dialsOf(budget).perMs));
	}

	/** Recipients, and a new connection, that will be used or given back. */
	take(ask: Pick<Ask, 'who' | 'isDoubtful' | 'dials'>, recipients: number, now: number): Taken {
		const { who, dials } = ask;
		const name = this.#nameOf(ask, recipients, now);
		const budget = this.#budget(now);
		this.#recipients.take(recipients, recipientsOf(budget), now);
		if (dials) this.#dials.take(1, dialsOf(budget), now);
		const taken = { who, name, at: now };
		this.#count(taken, recipients, now);
		return taken;
	}

	/** Then it is as if they had never been taken. */
	giveBack(taken: Taken, { recipients, dials }: { recipients: number; dials: number }, now: number): void {
		this.#recipients.giveBack(recipients);
		this.#dials.giveBack(dials);
		if (recipients > 0) this.#count(taken, -recipients, now);
	}

	/** Recipients that were asked about count under the member's own name if it pays for them, else as unpaid. */
	settle({ who, name }: Taken, isPaid: boolean, recipients: number, now: number): void {
		const due = isPaid ? who.member : unpaidNameOf(who.member);
		if (due === name) return;
		this.#day.add(name, -recipients, now);
		this.#day.add(due, recipients, now);
	}

	/** The order of turns: who took least in the last minutes, by weight, comes first. */
	rankOf({ share }: Who, urgency: Urgency, now: number): number {
		return this.#recent.of(share, now) / weightOf(share, urgency);
	}

	/** The recipients that a share, or its member, took in the last minutes: a number that halves every minute. */
	recent(name: string, now: number): number {
		return this.#recent.of(name, now);
	}

	/** Figures for admins: the room left for a caller whose account pays. */
	left(now: number) {
		const budget = this.#budget(now);
		return {
			leftNow: Math.max(0, this.#recipients.free(recipientsOf(budget), now, true)),
			leftToday: Math.max(0, budget.recipientsPerDay - this.#day.used(now)),
			usedToday: this.#day.usedByKind(now),
			mostToday: this.#day.most(MOST_SHOWN, now),
		};
	}

	/** Nothing of the last minute needs to be remembered. */
	isQuiet(now: number): boolean {
		const budget = this.#budget(now);
		const [recipients, dials] = [recipientsOf(budget), dialsOf(budget)];
		return (
			this.#recipients.waitMs(recipients.capacity, recipients, now, true) === 0 &&
			this.#dials.waitMs(dials.capacity, dials, now, true) === 0
		);
	}

	#claimOf(ask: Ask, now: number): Claim {
		return { name: this.#nameOf(ask, ask.least, now), isList: ask.urgency === 'list' };
	}

	#nameOf({ who, isDoubtful }: Pick<Ask, 'who' | 'isDoubtful'>, recipients: number, now: number): string {
		return isDoubtful ? this.#day.nameOfDoubtful(who.member, recipients, now) : who.member;
	}

	#count({ who: { share, member }, name, at }: Taken, recipients: number, now: number): void {
		this.#day.add(name, recipients, now);
		for (const one of new Set([share, member])) this.#recent.add(one, recipients, at, now);
	}
}

/** The room in all gates that a question passes. */
export function roomIn(gates: readonly Gate[], ask: Ask, now: number): number {
	return Math.min(...gates.map((gate) => gate.room(ask, now)));
}

/** How fast a bucket fills, and how much it holds. */
interface Rate {
	readonly capacity: number;
	/** Tokens a millisecond. */
	readonly perMs: number;
	/** Tokens that only those who come first may take. */
	readonly reserved: number;
}

// Together with the refill of a minute no more than the minute's budget. The rest is for replies that arrive late.
const CAPACITY_SHARE = 0.08;
const BUDGET_SHARE = 0.99;

/** The rate at which any sixty seconds see at most `perMinute` tokens. The bucket holds two portions where it can. */
function rateOf(perMinute: number, portion: number): Rate {
	const capacity = Math.min(Math.max(perMinute * CAPACITY_SHARE, 2 * portion), (perMinute * 2) / 3);
	const perMs = (perMinute * BUDGET_SHARE - capacity) / MINUTE_MS;
	return { capacity, perMs, reserved: Math.max(0, Math.min(portion, capacity - portion)) };
}

function recipientsOf({ recipientsPerMinute }: Budget): Rate {
	return rateOf(recipientsPerMinute, QUESTION);
}

function dialsOf({ connectionsPerMinute }: Budget): Rate {
	return rateOf(connectionsPerMinute, VISIT);
}

/** The most that the bucket ever has for such a taker. */
function mostOf({ capacity, reserved }: Rate, isFirst: boolean): number {
	return Math.floor(isFirst ? capacity : capacity - reserved);
}

/** A token bucket. Its rate is an argument, because a budget may change at any time; so is the time (epoch ms). */
class Bucket {
	/** Tokens taken and not refilled yet, at `#at`. */
	#taken = 0;
	#at = 0;

	/** How many whole tokens are there above what stays reserved. */
	free(rate: Rate, now: number, isFirst: boolean): number {
		const { capacity, reserved } = rate;
		return Math.floor(capacity - (isFirst ? 0 : reserved) - this.#missing(rate, now) + 1e-9);
	}

	/** Milliseconds until `count` tokens are there, if no other takes any. More than fit count as all that fit. */
	waitMs(count: number, rate: Rate, now: number, isFirst: boolean): number {
		const room = rate.capacity - (isFirst ? 0 : rate.reserved);
		const lacking = this.#missing(rate, now) + Math.min(count, Math.floor(room)) - room;
		return lacking <= 1e-9 ? 0 : Math.ceil(lacking / rate.perMs);
	}

	take(count: number, rate: Rate, now: number): void {
		this.#taken = this.#missing(rate, now) + count;
		this.#at = Math.max(this.#at, now);
	}

	giveBack(count: number): void {
		this.#taken = Math.max(0, this.#taken - count);
	}

	#missing({ perMs }: Rate, now: number): number {
		return Math.max(0, this.#taken - Math.max(0, now - this.#at) * perMs);
	}
}

/** The recipients that each name took in the last minutes. */
class Recent {
	readonly #took = new Map<string, { readonly amount: number; readonly at: number }>();

	of(name: string, now: number): number {
		const took = this.#took.get(name);
		return took === undefined ? 0 : took.amount * 0.5 ** ((now - took.at) / MINUTE_MS);
	}

	/** @param at when it was taken: what is given back is as if it had not been */
	add(name: string, amount: number, at: number, now: number): void {
		const added = this.of(name, now) + amount * 0.5 ** ((now - at) / MINUTE_MS);
		this.#took.set(name, { amount: Math.max(0, added), at: now });
		if (this.#took.size <= NAMES_MAX) return;
		for (const other of this.#took.keys()) if (this.of(other, now) < 0.1) this.#took.delete(other);
	}
}
