import { dayOf, MINUTE_MS } from '../../lib/time.ts';
import type { Budget } from '../mail-operators/operator-row.ts';
import { Bucket } from './bucket.ts';
import type { Tokens } from './bucket.ts';
import { Day } from './day.ts';
import type { Spent } from './day.ts';
import { isPaying, shareOf, unpaidOf, weightOf } from './who.ts';
import type { Urgency } from './who.ts';

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
	readonly member: string;
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
	readonly member: string;
	readonly isDoubtful: boolean;
	/** The name under which the day counts them. */
	readonly name: string;
	readonly recipients: number;
	readonly at: number;
	readonly tokens: { readonly recipients: Tokens; readonly dials: Tokens };
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
	/** The recipients that each share and member took, a number that halves every minute. */
	readonly #took = new Map<string, { readonly amount: number; readonly at: number }>();

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
		const left = this.#day.left(name, ask.urgency === 'list', this.#perDay(now), now);
		const free = Math.min(this.#recipients.free(now, isFirst), left, ask.most);
		const least = Math.min(ask.least, this.#recipients.most(now, isFirst));
		if (free < least) return 0;
		// A larger turn may be more than the member paid for: then it would count under the other name.
		return this.#nameOf(ask, free, now) === name ? free : least;
	}

	/** The last question of the minute is kept for a paying caller who took next to nothing of late. */
	isFirst({ member, urgency }: Pick<Ask, 'member' | 'urgency'>, now: number): boolean {
		return urgency === 'single' && isPaying(member) && this.recent(member, now) < NEXT_TO_NOTHING;
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
			this.#day.nextAt(name, ask.urgency === 'list', this.#perDay(now), ask.least, now),
		);
	}

	/** How long it takes until so many recipients and new connections are asked and opened. */
	takesMs(recipients: number, dials: number, now: number): number {
		return Math.ceil(Math.max(recipients / this.#recipients.perMs(now), dials / this.#dials.perMs(now)));
	}

	/** Recipients, and a new connection, that will be used or given back. */
	take(ask: Pick<Ask, 'member' | 'isDoubtful' | 'dials'>, recipients: number, now: number): Taken {
		const { member, isDoubtful } = ask;
		const name = this.#nameOf(ask, recipients, now);
		const tokens = {
			recipients: this.#recipients.take(recipients, now),
			dials: this.#dials.take(Number(ask.dials), now),
		};
		const taken = { gate: this, member, isDoubtful, name, recipients, at: now, tokens };
		this.#count(taken, recipients, now);
		return taken;
	}

	/**
	 * The turn is over: what it did not use is as if it had never been taken; a server may have made it ask more. The
	 * recipients of a doubtful one count under the member's own name if it is paid, else as unpaid.
	 */
	settle(
		taken: Taken,
		used: { readonly recipients: number; readonly dials: boolean; readonly isPaid: boolean },
		now: number,
	): void {
		const { member, name, recipients, at, tokens } = taken;
		const unused = recipients - used.recipients;
		if (unused > 0) this.#recipients.giveBack(unused, tokens.recipients, now);
		else this.#recipients.take(-unused, now);
		if (!used.dials) this.#dials.giveBack(1, tokens.dials, now);
		this.#count(taken, -unused, now);
		if (!taken.isDoubtful || dayOf(at) !== dayOf(now)) return;
		this.#day.add(name, -used.recipients, now);
		this.#day.add(used.isPaid ? member : unpaidOf(member), used.recipients, now);
	}

	/** The order of turns: the share that took least in the last minutes, by weight, comes first. */
	rankOf(member: string, urgency: Urgency, now: number): number {
		return this.recent(shareOf(member), now) / weightOf(member, urgency);
	}

	/** The recipients that a share, or a member, took in the last minutes. */
	recent(name: string, now: number): number {
		const { amount, at } = this.#took.get(name) ?? { amount: 0, at: now };
		return amount * halved(now - at);
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

	#perDay(now: number): number {
		return this.budget(now).recipientsPerDay;
	}

	#nameOf(
		{ member, isDoubtful }: Pick<Ask, 'member' | 'isDoubtful'>,
		recipients: number,
		now: number,
	): string {
		return isDoubtful ? this.#day.nameOfDoubtful(member, recipients, now) : member;
	}

	/** Counts recipients as of the moment at which they were taken: what is given back is as if it had not been. */
	#count({ member, name, at }: Pick<Taken, 'member' | 'name' | 'at'>, recipients: number, now: number): void {
		// Yesterday's recipients are no part of today's.
		if (dayOf(at) === dayOf(now)) this.#day.add(name, recipients, now);
		for (const one of new Set([shareOf(member), member])) {
			const amount = Math.max(0, this.recent(one, now) + recipients * halved(now - at));
			this.#took.set(one, { amount, at: now });
		}
		if (this.#took.size <= NAMES_MAX) return;
		for (const other of this.#took.keys()) if (this.recent(other, now) < 0.1) this.#took.delete(other);
	}
}

function halved(ms: number): number {
	return 0.5 ** (ms / MINUTE_MS);
}
