import { ExpiringMap } from '../../lib/expiring-map.ts';
import { dayOf, MINUTE_MS } from '../../lib/time.ts';
import type { Budget } from '../mail-operators/operator-row.ts';
import { Bucket } from './bucket.ts';
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
// Of what was taken longer ago less than a thousandth counts.
const TOOK_MS = 10 * MINUTE_MS;
const NAMES_MAX = 1_000;
// For admins.
const MOST_SHOWN = 3;

/** A wish for recipients of one turn. */
export interface Ask {
	readonly member: string;
	/** It may end without a charge: that is settled at its end. */
	readonly isDoubtful: boolean;
	readonly class: Urgency;
	/** Fewer are of no use: one target, with its invented recipients. */
	readonly least: number;
	readonly most: number;
	/** A new connection is needed. */
	readonly dials: boolean;
}

/** Ends a turn: recipients that were asked about, whether a host was dialled, and whether the answer decides, in time. */
export type Settle = (
	used: { readonly recipients: number; readonly dials: boolean; readonly isPaid: boolean },
	now: number,
) => void;

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
	readonly #took = new ExpiringMap<{ readonly amount: number; readonly at: number }>(NAMES_MAX);

	constructor(budget: (now: number) => Budget, spent: Spent | null = null) {
		this.budget = budget;
		this.#day = new Day(spent);
	}

	get spent(): Spent {
		return this.#day.spent;
	}

	/**
	 * How many recipients may be asked about now, none or `least` to `most`, and when they may, if no other asks (epoch ms).
	 * `isShort`: the minute has too few left, which everybody waits for.
	 */
	look(ask: Ask, now: number): { readonly room: number; readonly at: number; readonly isShort: boolean } {
		const { least, most, dials, class: urgency } = ask;
		const isFirst = this.isFirst(ask, now);
		const minute = this.#recipients.look(least, isFirst, now);
		const dialMs = dials ? this.#dials.look(1, isFirst, now).waitMs : 0;
		const name = this.#nameOf(ask, least, now);
		const of = { isList: urgency === 'list', perDay: this.budget(now).recipientsPerDay };
		const day = this.#day.look(name, least, of, now);
		const at = Math.max(now + minute.waitMs, now + dialMs, day.at);
		if (at > now) return { room: 0, at, isShort: minute.waitMs > 0 };
		const free = Math.min(minute.free, day.left, most);
		// A larger turn may be more than the member paid for: then it would count under the other name.
		const room = this.#nameOf(ask, free, now) === name ? free : Math.min(free, least);
		return { room, at, isShort: false };
	}

	/** The last question of the minute is kept for a paying caller who took next to nothing of late. */
	isFirst({ member, class: urgency }: Pick<Ask, 'member' | 'class'>, now: number): boolean {
		return urgency === 'single' && isPaying(member) && this.recent(member, now) < NEXT_TO_NOTHING;
	}

	/** How long it takes until so many recipients and new connections are asked and opened. */
	takesMs(recipients: number, dials: number, now: number): number {
		return Math.ceil(Math.max(recipients / this.#recipients.perMs(now), dials / this.#dials.perMs(now)));
	}

	/**
	 * Recipients, and a new connection. What the turn did not use is, when it is settled, as if it had never been taken; a
	 * server may have made it ask more. A doubtful one then counts under the member's own name if it is paid, else as unpaid.
	 */
	take(ask: Pick<Ask, 'member' | 'isDoubtful' | 'dials'>, recipients: number, at: number): Settle {
		const { member, isDoubtful, dials } = ask;
		const name = this.#nameOf(ask, recipients, at);
		const settleRecipients = this.#recipients.take(recipients, at);
		const settleDial = this.#dials.take(Number(dials), at);
		const count = (more: number, now: number): void => {
			// Yesterday's recipients are no part of today's.
			if (dayOf(at) === dayOf(now)) this.#day.add(name, more, now);
			for (const one of new Set([shareOf(member), member])) {
				const amount = Math.max(0, this.recent(one, now) + more * halved(now - at));
				this.#took.set(one, { amount, at: now }, now + TOOK_MS);
			}
		};
		count(recipients, at);
		return (used, now) => {
			settleRecipients(used.recipients, now);
			settleDial(Number(used.dials), now);
			count(used.recipients - recipients, now);
			if (!isDoubtful || dayOf(at) !== dayOf(now)) return;
			this.#day.add(name, -used.recipients, now);
			this.#day.add(used.isPaid ? member : unpaidOf(member), used.recipients, now);
		};
	}

	/** The order of turns: the share that took least in the last minutes, by weight, comes first. */
	rankOf(member: string, urgency: Urgency, now: number): number {
		return this.recent(shareOf(member), now) / weightOf(member, urgency);
	}

	/** The recipients that a share, or a member, took in the last minutes. */
	recent(name: string, now: number): number {
		const { amount, at } = this.#took.get(name, now) ?? { amount: 0, at: now };
		return amount * halved(now - at);
	}

	/** Figures for admins: the room left for a caller whose account pays. */
	figures(now: number) {
		const { recipientsPerMinute: perMinute, recipientsPerDay: perDay } = this.budget(now);
		const { total, ...ofDay } = this.#day.figures(MOST_SHOWN, now);
		const leftThisMinute = Math.max(0, this.#recipients.look(1, true, now).free);
		return { perMinute, perDay, leftThisMinute, leftToday: Math.max(0, perDay - total), ...ofDay };
	}

	#nameOf(
		{ member, isDoubtful }: Pick<Ask, 'member' | 'isDoubtful'>,
		recipients: number,
		now: number,
	): string {
		return isDoubtful ? this.#day.nameOfDoubtful(member, recipients, now) : member;
	}
}

function halved(ms: number): number {
	return 0.5 ** (ms / MINUTE_MS);
}
