import type { Budget } from './budget.ts';
import { RateMeter } from './rate-meter.ts';
import { DAY_MS } from '../../lib/time.ts';

// Of each minute and each day: so that a caller who waits finds something left, however long the lists are.
const SHARE_OF_LISTS = 0.9;

/** Recipients of one day (UTC), which a restart must not make us forget. */
export interface Spent {
	/** Days since 1970. */
	readonly day: number;
	readonly recipients: number;
}

/** Recipients that somebody wants to ask about. */
export interface Ask {
	/** Less than this is of no use: one, and those who are invented. */
	readonly least: number;
	readonly most: number;
	/** A single call: what is kept from lists is for it. */
	readonly urgent: boolean;
}

/** What one operator, or mail host, has borne of its budget from one source address. The budget may change at any time. */
export class Allowance {
	readonly #recipients = new RateMeter();
	readonly #connections = new RateMeter();
	#spent: Spent;

	constructor(spent: Spent | null) {
		this.#spent = spent ?? { day: 0, recipients: 0 };
	}

	/** How many recipients may be asked about now: none, or `least` to `most`. */
	room(budget: Budget, now: number, { least, most, urgent }: Ask): number {
		const perMinute = shareOf(budget.recipientsPerMinute, urgent);
		const today = shareOf(budget.recipientsPerDay, urgent) - this.#today(now) - this.#recipients.held;
		const enough = Math.min(least, perMinute);
		if (today < enough) return 0;
		return this.#recipients.room(now, { least: enough, most: Math.min(most, today), perMinute, urgent });
	}

	/** Whether another connection may be opened now. */
	mayConnect(budget: Budget, now: number, urgent: boolean): boolean {
		return this.#connections.room(now, connectionOf(budget, urgent)) > 0;
	}

	/** When there will be room for it, and for a new connection, if nobody else asks. */
	nextAt(budget: Budget, now: number, { least, urgent }: Omit<Ask, 'most'>, connects: boolean): number {
		const perMinute = shareOf(budget.recipientsPerMinute, urgent);
		const wanted = { least: Math.min(least, perMinute), perMinute, urgent };
		const isDayOver = this.#today(now) + wanted.least > shareOf(budget.recipientsPerDay, urgent);
		return Math.max(
			this.#recipients.nextAt(now, wanted),
			connects ? this.#connections.nextAt(now, connectionOf(budget, urgent)) : now,
			isDayOver ? dayAfter(now) : now,
		);
	}

	/**
	 * When there will be room for it behind others.
	 *
	 * @param connects a new connection is needed
	 * @param ahead recipients and new connections of those who come first
	 */
	expectedAt(
		budget: Budget,
		now: number,
		ask: Omit<Ask, 'most'>,
		connects: boolean,
		ahead: { readonly recipients: number; readonly connections: number },
	): number {
		const { urgent, least } = ask;
		const { recipients, connections } = ahead;
		const next = this.nextAt(budget, now, ask, connects);
		const perMinute = shareOf(budget.recipientsPerMinute, urgent);
		const asks = recipients === 0 ? 0 : this.#recipients.takesMs(now, recipients + least, perMinute);
		const dials =
			!connects || connections === 0
				? 0
				: this.#connections.takesMs(now, connections + 1, connectionOf(budget, urgent).perMinute);
		return Math.max(next, now + asks, now + dials);
	}

	hold(recipients: number): void {
		this.#recipients.hold(recipients);
	}

	giveBack(recipients: number): void {
		this.#recipients.giveBack(recipients);
	}

	/** So many of the recipients held are asked about now. */
	send(now: number, recipients: number): void {
		this.#recipients.send(now, recipients);
		this.#spent = { day: dayOf(now), recipients: this.#today(now) + recipients };
	}

	/** Grants a new connection: it is opened or given back. */
	holdConnection(): void {
		this.#connections.hold(1);
	}

	giveBackConnection(): void {
		this.#connections.giveBack(1);
	}

	connect(now: number): void {
		this.#connections.send(now, 1);
	}

	get spent(): Spent {
		return this.#spent;
	}

	/** What is left for everybody, lists and callers. */
	left(budget: Budget, now: number): { readonly thisMinute: number; readonly today: number } {
		return {
			thisMinute: Math.max(0, budget.recipientsPerMinute - this.#recipients.used(now)),
			today: Math.max(0, budget.recipientsPerDay - this.#today(now)),
		};
	}

	/** Nothing of the last minute is to be remembered. */
	isQuiet(now: number): boolean {
		return this.#recipients.used(now) === 0 && this.#connections.used(now) === 0;
	}

	#today(now: number): number {
		return this.#spent.day === dayOf(now) ? this.#spent.recipients : 0;
	}
}

/** How much of a limit lists may use, or somebody who waits for the answer. */
export function shareOf(limit: number, urgent: boolean): number {
	return urgent ? limit : Math.max(1, Math.floor(limit * SHARE_OF_LISTS));
}

export function dayOf(now: number): number {
	return Math.floor(now / DAY_MS);
}

/** The next midnight, UTC. */
export function dayAfter(now: number): number {
	return (dayOf(now) + 1) * DAY_MS;
}

function connectionOf({ connectionsPerMinute }: Budget, urgent: boolean) {
	return { least: 1, most: 1, perMinute: shareOf(connectionsPerMinute, urgent), urgent };
}
