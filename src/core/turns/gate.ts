import { dayOf, MINUTE_MS } from '../../lib/time.ts';
import type { Budget } from '../mail-operators/operator-row.ts';
import { Bucket } from './bucket.ts';
import { Day } from './day.ts';
import type { Spent } from './day.ts';
import { isPaying, unpaidNameOf, weightOf } from './who.ts';
import type { Urgency, Who } from './who.ts';

// A target and two invented recipients.
const QUESTION = 3;
// New connections that one visit may need: the second without TLS, or to another address.
const VISIT = 2;
// Recipients: a first question leaves as many to the next caller.
const NEXT_TO_NOTHING = 2;
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

/** Recipients, and perhaps a new connection, that a turn took from a gate. */
export interface Taken {
	readonly gate: Gate;
	readonly who: Who;
	/** The name under which the day counts them. */
	readonly name: string;
	readonly recipients: number;
	readonly dials: boolean;
	readonly at: number;
	/** Their places among all that were ever taken. */
	readonly places: { readonly recipients: number; readonly dials: number };
}

/**
 * A gate: the questions that one operator, or one machine, takes from one source address. A bucket of recipients and one
 * of new connections for the minute, a book of shares for the day, and how much each share and member took of late. Any
 * sixty seconds see no more than the minute's budget, which may change at any time.
 */
export class Gate {
	readonly budget: (now: number) => Budget;
	readonly #recipients = new Bucket(QUESTION, (now) => this.budget(now).recipientsPerMinute);
	readonly #dials = new Bucket(VISIT, (now) => this.budget(now).connectionsPerMinute);
	readonly #day: Day;
	readonly #recent = new Recent();

	constructor(budget: (now: number) => Budget, spent: Spent | null = null) {
		this.budget = budget;
		this.#day = new Day(spent);
	}

	get spent(): Spent {
		return this.#day.spent;
	}

	/** How many recipients may be asked about now: none, or `least` to `most`. */
	room(ask: Ask, now: number): number {
		const isFirst = this.isFirst(ask, now);
		if (ask.dials && this.#dials.free(now, isFirst) < 1) return 0;
		const name = this.#nameOf(ask, ask.least, now);
		const left = this.#day.left(name, isList(ask), this.#perDay(now), now);
		const free = Math.min(this.#recipients.free(now, isFirst), left, ask.most);
		const least = Math.min(ask.least, this.#recipients.most(now, isFirst));
		if (free < least) return 0;
		// A larger turn may be more than the member paid for: then it would count under the other name.
		return this.#nameOf(ask, free, now) === name ? free : least;
	}

	/** The last question of the minute is kept for a paying caller who took next to nothing of late. */
	isFirst({ who, urgency }: Pick<Ask, 'who' | 'urgency'>, now: number): boolean {
		return urgency === 'single' && isPaying(who.share) && this.recent(who.member, now) < NEXT_TO_NOTHING;
	}

	/** Whether the minute has too few recipients left for it, which everybody waits for. */
	lacksMinute(ask: Ask, now: number): boolean {
		return this.#recipients.waitMs(ask.least, now, this.isFirst(ask, now)) > 0;
	}

	/** When there will be room, if no other asks; epoch ms. */
	nextAt(ask: Ask, now: number): number {
		const isFirst = this.isFirst(ask, now);
		const name = this.#nameOf(ask, ask.least, now);
		return Math.max(
			now + this.#recipients.waitMs(ask.least, now, isFirst),
			ask.dials ? now + this.#dials.waitMs(1, now, isFirst) : now,
			this.#day.nextAt(name, isList(ask), this.#perDay(now), ask.least, now),
		);
	}

	/** How long it takes until so many recipients and new connections are asked and opened. */
	takesMs({ recipients, dials }: { recipients: number; dials: number }, now: number): number {
		return Math.ceil(Math.max(recipients / this.#recipients.perMs(now), dials / this.#dials.perMs(now)));
	}

	/** Recipients, and a new connection, that will be used or given back. */
	take(ask: Pick<Ask, 'who' | 'isDoubtful' | 'dials'>, recipients: number, now: number): Taken {
		const { who, dials } = ask;
		const name = this.#nameOf(ask, recipients, now);
		const places = {
			recipients: this.#recipients.take(recipients, now),
			dials: this.#dials.take(dials ? 1 : 0, now),
		};
		const taken = { gate: this, who, name, recipients, dials, at: now, places };
		this.#count(taken, recipients, now);
		return taken;
	}

	/**
	 * The turn is over: what it did not use is as if it had never been taken; a server may have made it ask more. `isPaid`, of
	 * a doubtful one: what was used counts under the member's own name, else as unpaid. Null: it was not doubtful.
	 */
	settle(
		taken: Taken,
		used: { readonly recipients: number; readonly dials: boolean; readonly isPaid: boolean | null },
		now: number,
	): void {
		const { who, name, recipients, dials, at, places } = taken;
		const unused = recipients - used.recipients;
		if (unused > 0) this.#recipients.giveBack(unused, places.recipients, now);
		else this.#recipients.take(-unused, now);
		if (dials && !used.dials) this.#dials.giveBack(1, places.dials, now);
		if (unused !== 0) this.#count(taken, -unused, now);
		if (used.isPaid === null || dayOf(at) !== dayOf(now)) return;
		const due = used.isPaid ? who.member : unpaidNameOf(who.member);
		if (due === name) return;
		this.#day.add(name, -used.recipients, now);
		this.#day.add(due, used.recipients, now);
	}

	/** The order of turns: who took least in the last minutes, by weight, comes first. */
	rankOf({ share }: Who, urgency: Urgency, now: number): number {
		return this.recent(share, now) / weightOf(share, urgency);
	}

	/** The recipients that a share, or its member, took in the last minutes: a number that halves every minute. */
	recent(name: string, now: number): number {
		return this.#recent.of(name, now);
	}

	/** Figures for admins: the room left for a caller whose account pays. */
	figures(now: number) {
		const { recipientsPerMinute: perMinute, recipientsPerDay: perDay } = this.budget(now);
		return {
			perMinute,
			perDay,
			leftThisMinute: Math.max(0, this.#recipients.free(now, true)),
			leftToday: Math.max(0, perDay - this.#day.used(now)),
			usedToday: this.#day.usedByKind(now),
			mostToday: this.#day.most(MOST_SHOWN, now),
		};
	}

	/** Nothing of the last minute needs to be remembered. */
	isQuiet(now: number): boolean {
		return this.#recipients.isFull(now) && this.#dials.isFull(now);
	}

	#perDay(now: number): number {
		return this.budget(now).recipientsPerDay;
	}

	#nameOf({ who, isDoubtful }: Pick<Ask, 'who' | 'isDoubtful'>, recipients: number, now: number): string {
		return isDoubtful ? this.#day.nameOfDoubtful(who.member, recipients, now) : who.member;
	}

	#count({ who: { share, member }, name, at }: Taken, recipients: number, now: number): void {
		// Yesterday's recipients are no part of today's.
		if (dayOf(at) === dayOf(now)) this.#day.add(name, recipients, now);
		for (const one of new Set([share, member])) this.#recent.add(one, recipients, at, now);
	}
}

/** The room in all gates that a question passes. */
export function roomIn(gates: readonly Gate[], ask: Ask, now: number): number {
	return Math.min(...gates.map((gate) => gate.room(ask, now)));
}

/** Lists leave a part of each day to callers. */
function isList({ urgency }: Ask): boolean {
	return urgency === 'list';
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
