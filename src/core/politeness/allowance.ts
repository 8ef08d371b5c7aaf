import type { Budget } from './budget.ts';
import { DayBook } from './day-book.ts';
import type { Spent } from './day-book.ts';
import { isPaying, unpaidNameOf } from './shares.ts';
import type { Urgency } from './shares.ts';
import { rateOf, TokenBucket } from './token-bucket.ts';
import type { Rate } from './token-bucket.ts';

/** Recipients that a share wants to ask about. */
export interface Ask {
	/** The asker, by the name under which it is counted. */
	readonly member: string;
	/** The question may end without a charge. Left out: false. */
	readonly isDoubtful?: boolean;
	readonly urgency: Urgency;
	/** Fewer are of no use: one target, with its invented recipients. */
	readonly least: number;
	readonly most: number;
	/** A new connection is needed. */
	readonly connects: boolean;
}

// For admins.
const MOST_SHOWN = 3;
// A target and two invented recipients.
const QUESTION = 3;
// New connections that one visit may need: the second without TLS, or to another address.
const VISIT = 2;
// Machines of a network that are asked as much as one machine that never grew.
const MACHINES_OF_NETWORK = 4;

/** The ceiling for all machines of one network, by the budget of one that never grew. */
export interface Network {
	readonly allowance: Allowance;
	readonly budget: () => Budget;
}

/**
 * The questions that one operator, or the machine at one address, takes from one source address: a bucket of recipients and one
 * of new connections for the minute, a book of shares for the day. A machine's network has a ceiling of its own. The
 * budget may change at any time.
 */
export class Allowance {
	readonly #recipients = new TokenBucket();
	readonly #connections = new TokenBucket();
	readonly #day: DayBook;
	readonly #network: Network | null;

	constructor(spent: Spent | null, network: Network | null = null) {
		this.#day = new DayBook(spent);
		this.#network = network;
	}

	get spent(): Spent {
		return this.#day.spent;
	}

	/** How many recipients may be asked about now: none, or `least` to `most`. */
	room(budget: Budget, ask: Ask, now: number): number {
		const { least, urgency, connects } = ask;
		const isFirst = comesFirst(ask);
		const rate = recipientsOf(budget);
		if (connects && this.#connections.free(connectionsOf(budget), now, isFirst) < 1) return 0;
		const free = Math.min(
			this.#recipients.free(rate, now, isFirst),
			this.#day.left(this.nameFor(ask, least, now), budget.recipientsPerDay, urgency === 'list', now),
			this.#network?.allowance.room(ofNetwork(this.#network), { ...ask, most: Infinity }, now) ?? Infinity,
		);
		return free >= Math.min(least, fitting(rate, isFirst)) ? Math.max(0, Math.min(free, ask.most)) : 0;
	}

	/** When there will be room, if no other asks; epoch ms. */
	nextAt(budget: Budget, ask: Ask, now: number): number {
		const isFirst = comesFirst(ask);
		const { recipientsPerDay } = budget;
		const { urgency, least, connects } = ask;
		return Math.max(
			now + this.#recipients.waitMs(least, recipientsOf(budget), now, isFirst),
			connects ? now + this.#connections.waitMs(1, connectionsOf(budget), now, isFirst) : now,
			this.#day.nextAt(this.nameFor(ask, least, now), recipientsPerDay, urgency === 'list', least, now),
			this.#network?.allowance.nextAt(ofNetwork(this.#network), ask, now) ?? now,
		);
	}

	/** When there will be room behind others, who take so many recipients and new connections first. */
	expectedAt(
		budget: Budget,
		ask: Ask,
		ahead: { readonly recipients: number; readonly connections: number },
		now: number,
	): number {
		const recipientsMs = ahead.recipients / recipientsOf(budget).perMs;
		const connectionsMs = ask.connects ? ahead.connections / connectionsOf(budget).perMs : 0;
		return this.nextAt(budget, ask, now) + Math.ceil(Math.max(recipientsMs, connectionsMs));
	}

	/** The name under which the day counts the recipients of a turn. */
	nameFor(
		{ member, isDoubtful = false }: Pick<Ask, 'member' | 'isDoubtful'>,
		recipients: number,
		now: number,
	): string {
		return isDoubtful ? this.#day.nameOfDoubtful(member, recipients, now) : member;
	}

	/** Recipients that will be asked about, or given back. */
	take(budget: Budget, name: string, recipients: number, now: number): void {
		this.#recipients.take(recipients, recipientsOf(budget), now);
		this.#day.add(name, recipients, now);
		this.#network?.allowance.take(ofNetwork(this.#network), name, recipients, now);
	}

	giveBack(name: string, recipients: number, now: number): void {
		if (recipients === 0) return;
		this.#recipients.giveBack(recipients);
		this.#day.add(name, -recipients, now);
		this.#network?.allowance.giveBack(name, recipients, now);
	}

	/** Recipients that were asked about count under the member's own name if it pays for them, else as unpaid. */
	settle(name: string, member: string, isPaid: boolean, recipients: number, now: number): void {
		const due = isPaid ? member : unpaidNameOf(member);
		if (due === name) return;
		this.#day.add(name, -recipients, now);
		this.#day.add(due, recipients, now);
		this.#network?.allowance.settle(name, member, isPaid, recipients, now);
	}

	/** A new connection, opened or given back later. */
	takeConnection(budget: Budget, now: number): void {
		this.#connections.take(1, connectionsOf(budget), now);
		this.#network?.allowance.takeConnection(ofNetwork(this.#network), now);
	}

	giveBackConnection(): void {
		this.#connections.giveBack(1);
		this.#network?.allowance.giveBackConnection();
	}

	/** The room left for a single call of an account that pays. */
	left(budget: Budget, now: number) {
		const { recipientsPerDay } = budget;
		return {
			now: Math.max(0, this.#recipients.free(recipientsOf(budget), now, true)),
			today: Math.max(0, recipientsPerDay - this.#day.used(now)),
			usedToday: this.#day.usedByKind(now),
			mostToday: this.#day.most(MOST_SHOWN, now),
		};
	}

	/** Nothing of the last minute needs to be remembered. */
	isQuiet(budget: Budget, now: number): boolean {
		const full = recipientsOf(budget);
		const fresh = connectionsOf(budget);
		return (
			this.#recipients.waitMs(full.capacity, full, now, true) === 0 &&
			this.#connections.waitMs(fresh.capacity, fresh, now, true) === 0
		);
	}
}

/** A caller who waits and whose account pays may take what is reserved. */
export function comesFirst({ member, urgency }: Pick<Ask, 'member' | 'urgency'>): boolean {
	return urgency === 'single' && isPaying(member);
}

function recipientsOf({ recipientsPerMinute }: Budget): Rate {
	return rateOf(recipientsPerMinute, QUESTION);
}

function connectionsOf({ connectionsPerMinute }: Budget): Rate {
	return rateOf(connectionsPerMinute, VISIT);
}

/** The most that the bucket ever has for such a taker. */
function fitting({ capacity, reserved }: Rate, isFirst: boolean): number {
	return Math.floor(isFirst ? capacity : capacity - reserved);
}

function ofNetwork({ budget: budgetOfMachine }: Network): Budget {
	const budget = budgetOfMachine();
	return {
		...budget,
		connectionsPerMinute: budget.connectionsPerMinute * MACHINES_OF_NETWORK,
		recipientsPerMinute: budget.recipientsPerMinute * MACHINES_OF_NETWORK,
		recipientsPerDay: budget.recipientsPerDay * MACHINES_OF_NETWORK,
	};
}
