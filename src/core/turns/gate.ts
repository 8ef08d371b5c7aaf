import { ExpiringMap } from '../../lib/expiring-map.ts';
import { DAY_MS, dayAfter, dayOf, MINUTE_MS } from '../../lib/time.ts';
import type { Budget } from '../mail-operators/operator-row.ts';
import { Bucket } from './bucket.ts';
import { isPaying, ownNameOf, rulesOf, shareOf, unpaidOf, weightOf } from './who.ts';
import type { Urgency } from './who.ts';

// A target and two invented recipients.
const QUESTION = 3;
// New connections that one visit may need: the second without TLS, or to another address.
const VISIT = 2;
// Recipients: a first question leaves as many to the next caller.
const NEXT_TO_NOTHING = 2;
const NAMES_MAX = 1_000;
// Less of a day than one question with its invented recipients is no part of it.
const PART_MIN = 4;
const PART_OF_MEMBER = 0.5;
/** The part of each day that lists may use: the rest is for single calls. */
export const PART_OF_LISTS = 0.9;
// Smaller users of a day are far from any limit of their own.
const USERS_KEPT = 100;
// For admins.
const USERS_SHOWN = 3;

/** A wish for recipients of one turn. */
export interface Ask {
	readonly member: string;
	/** It may end without a charge: that is settled at its end. */
	readonly isDoubtful: boolean;
	readonly class: Urgency;
	/** Fewer are of no use: one target, with its invented recipients. */
	readonly least: number;
	readonly most: number;
	/** Recipients that the asker has beyond these. Left out: none. */
	readonly behind?: number | undefined;
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
 * of new connections for the minute, the use of the day by shares, and how much each share and member took of late. Any
 * sixty seconds see no more than the minute's budget, which may change at any time. Of a day a share has its part
 * (`who.ts`), and a member of it half of what the other members leave.
 */
export class Gate {
	readonly budget: (now: number) => Budget;
	readonly #recipients: Bucket;
	readonly #dials: Bucket;
	/** The recipients that each share and member took, a number that halves every minute: none has to go out of date. */
	readonly #took = new ExpiringMap<{ readonly amount: number; readonly at: number }>(NAMES_MAX);
	#day: number;
	#total: number;
	/** Recipients of the day, by share, and by member (`trials/3f`) again. */
	#used: Map<string, number>;
	/** The shares that pay and asked today or yesterday. */
	#payers: Set<string>;

	/**
	 * @param spent of a day that is over, or of a clock that was ahead: only who asked counts
	 * @param isOfMany queues come to it that do not know of each other
	 */
	constructor(budget: (now: number) => Budget, spent: Gate['spent'] | null = null, isOfMany = false) {
		this.budget = budget;
		this.#recipients = new Bucket(QUESTION, isOfMany, (now) => budget(now).recipientsPerMinute);
		this.#dials = new Bucket(VISIT, isOfMany, (now) => budget(now).connectionsPerMinute);
		this.#day = spent?.day ?? 0;
		this.#total = spent?.total ?? 0;
		this.#used = new Map(Object.entries(spent?.shares ?? {}));
		this.#payers = new Set([...this.#used.keys()].filter(isPaying));
	}

	/**
	 * Recipients of the day, counted from 1970 (UTC), which a restart must not make us forget: by share, also the paying ones
	 * of the day before with what they used today; and by member, again.
	 */
	get spent(): {
		readonly day: number;
		readonly total: number;
		readonly shares: Readonly<Record<string, number>>;
	} {
		const users = [...this.#used].toSorted(([, a], [, b]) => b - a);
		return { day: this.#day, total: this.#total, shares: Object.fromEntries(users.slice(0, USERS_KEPT)) };
	}

	/**
	 * How many recipients may be asked about now, none or `least` to `most`, and when they may, if no other asks (epoch ms).
	 * `isShort`: the minute has too few left, which everybody waits for.
	 */
	look(ask: Ask, now: number) {
		const { least, most, dials } = ask;
		const isFirst = this.isFirst(ask, now);
		const share = shareOf(ask.member);
		const minute = this.#recipients.look(least, share, isFirst, now);
		const dialMs = dials ? this.#dials.look(1, share, isFirst, now).waitMs : 0;
		const day = this.#lookAtDay(ask, now);
		const at = Math.max(now + minute.waitMs, now + dialMs, day.at);
		const room = at > now ? 0 : Math.min(minute.free, day.left, most);
		return { room, at, isShort: minute.waitMs > 0 };
	}

	/** The last question of the minute is kept for a paying caller who took next to nothing of late. */
	isFirst({ member, class: urgency }: Ask, now: number): boolean {
		return urgency === 'single' && isPaying(member) && this.recent(member, now) < NEXT_TO_NOTHING;
	}

	/** How long it takes until so many recipients and new connections are asked and opened. */
	takesMs(recipients: number, dials: number, now: number): number {
		return Math.ceil(Math.max(recipients / this.#recipients.perMs(now), dials / this.#dials.perMs(now)));
	}

	/**
	 * Recipients, and a new connection. An unused part is, when the turn is settled, as if it had never been taken; a server may
	 * have made it ask more. A doubtful turn then counts under the member's own name if it is paid, else as unpaid.
	 */
	take(ask: Ask, recipients: number, at: number): Settle {
		const { member, isDoubtful, dials } = ask;
		this.#turnTo(at);
		const name = this.#nameOf(ask);
		const share = shareOf(member);
		const settleRecipients = this.#recipients.take(recipients, share, at);
		const settleDial = this.#dials.take(Number(dials), share, at);
		this.#count(name, recipients);
		this.#remember(member, recipients, at);
		return (used, now) => {
			settleRecipients(used.recipients, now);
			settleDial(Number(used.dials), now);
			this.#remember(member, (used.recipients - recipients) * halved(now - at), now);
			this.#turnTo(now);
			// Yesterday's recipients are no part of today's.
			if (dayOf(at) !== dayOf(now)) return;
			this.#count(name, -recipients);
			this.#count(isDoubtful ? (used.isPaid ? member : unpaidOf(member)) : name, used.recipients);
		};
	}

	/** The recipients that a share, or a member, took in the last minutes. */
	recent(name: string, now: number): number {
		const { amount, at } = this.#took.get(name, now) ?? { amount: 0, at: now };
		return amount * halved(now - at);
	}

	/** Figures for admins: the room left for a caller whose account pays, and who used the day. */
	figures(now: number) {
		this.#turnTo(now);
		const { recipientsPerMinute: perMinute, recipientsPerDay: perDay } = this.budget(now);
		const few = { visitors: this.#of('visitors'), trials: this.#of('trials'), unpaid: this.#of('unpaid') };
		const accounts = this.#total - few.visitors - few.trials - few.unpaid;
		const users = [...this.#used].filter(([name, used]) => used > 0 && (isMember(name) || isPaying(name)));
		return {
			perMinute,
			perDay,
			leftThisMinute: Math.max(0, this.#recipients.look(1, '', true, now).free),
			leftToday: Math.max(0, perDay - this.#total),
			usedToday: { ...few, accounts },
			mostToday: users.toSorted(([, a], [, b]) => b - a).slice(0, USERS_SHOWN),
		};
	}

	/** The recipients that the day has left for an ask now, and when it has as many as the ask needs. */
	#lookAtDay(ask: Ask, now: number) {
		this.#turnTo(now);
		const name = this.#nameOf(ask);
		const perDay = this.budget(now).recipientsPerDay;
		// No other share that pays asked today or yesterday.
		const isAlone = this.#payers.size - Number(this.#payers.has(ownNameOf(name))) === 0;
		const { part, grows } = rulesOf(name)[isAlone ? 'alone' : 'beside'];
		const grown = grows ? part + (1 - part) * ((now % DAY_MS) / DAY_MS) : part;
		const used = this.#of(name);
		const ofOthers = this.#of(shareOf(name)) - used;
		const ofMember = isMember(name) ? PART_OF_MEMBER : 1;
		const ofAll = Math.floor(perDay * (ask.class === 'list' ? PART_OF_LISTS : 1)) - this.#total;
		const ofShare = atLeastOne(perDay * grown) - ofOthers;
		const left = Math.min(ofAll, ofShare - used, atLeastOne(ofShare * ofMember) - used);
		if (left >= ask.least) return { left, at: now };
		if (ofAll < ask.least || !grows) return { left, at: dayAfter(now) };
		// Room for all that the asker has, as far as the day reaches: each return of a list costs.
		const lacking = Math.min(ask.most + (ask.behind ?? 0), Math.max(ask.least, ofAll)) - left;
		const growingMs = (lacking / ofMember / (perDay * (1 - part))) * DAY_MS;
		return { left, at: Math.min(dayAfter(now), now + Math.ceil(growingMs)) };
	}

	/**
	 * The name under which the day counts an ask. One that may end for nothing counts as unpaid, except while the member paid
	 * for as much here today as it had, and may have by this one, for nothing.
	 */
	#nameOf({ member, isDoubtful, most }: Ask): string {
		const unpaid = unpaidOf(member);
		return isDoubtful && this.#of(member) < this.#of(unpaid) + most ? unpaid : member;
	}

	#of(name: string): number {
		return this.#used.get(name) ?? 0;
	}

	/** Counts recipients of the day; a negative number takes back what was not used. */
	#count(name: string, recipients: number): void {
		this.#total = Math.max(0, this.#total + recipients);
		for (const one of new Set([shareOf(name), name]))
			this.#used.set(one, Math.max(0, this.#of(one) + recipients));
		if (isPaying(name)) this.#payers.add(name);
	}

	#remember(member: string, recipients: number, now: number): void {
		for (const one of new Set([shareOf(member), member])) {
			const amount = Math.max(0, this.recent(one, now) + recipients);
			this.#took.set(one, { amount, at: now }, Infinity);
		}
	}

	#turnTo(now: number): void {
		const day = dayOf(now);
		if (day === this.#day) return;
		const asked = day === this.#day + 1 ? [...this.#payers].filter((name) => this.#of(name) > 0) : [];
		this.#payers = new Set(asked);
		this.#used = new Map(asked.map((name) => [name, 0]));
		this.#total = 0;
		this.#day = day;
	}
}

const URGENCIES: readonly Urgency[] = ['single', 'small', 'list'];

/**
 * The questions that wait at a gate, in the order of their turns if no other comes. The share that took least in the last
 * minutes is next: a newcomer, by construction, and thousands of questions of one share cost another nothing. Each of
 * them stands behind what its share took and has ahead of it, by weight; within a share the member who took least is first.
 *
 * @param waiting in the order in which they came
 */
export function inTurn<W extends Ask>(waiting: readonly W[], gate: Gate, now: number): readonly W[] {
	const flows = waiting.map((one) => {
		return { one, lane: URGENCIES.indexOf(one.class), recent: gate.recent(one.member, now) };
	});
	flows.sort((a, b) => a.lane - b.lane || a.recent - b.recent);
	const took = new Map<string, number>();
	const places = flows.map(({ one }) => {
		const share = shareOf(one.member);
		const amount = took.get(share) ?? gate.recent(share, now);
		took.set(share, amount + one.least);
		return { one, at: amount / weightOf(one.member, one.class) };
	});
	return places.toSorted((a, b) => a.at - b.at).map(({ one }) => one);
}

function isMember(name: string): boolean {
	return name.includes('/');
}

function atLeastOne(recipients: number): number {
	return Math.max(PART_MIN, Math.floor(recipients));
}

function halved(ms: number): number {
	return 0.5 ** (ms / MINUTE_MS);
}
