import { Allowance } from '../core/politeness/allowance.ts';
import type { Spent } from '../core/politeness/allowance.ts';
import { Bookings } from '../core/politeness/bookings.ts';
import type { Budget } from '../core/politeness/budget.ts';
import { FairQueue } from '../core/politeness/fair-queue.ts';
import type { Waiter } from '../core/politeness/fair-queue.ts';
import type { Asker } from '../core/politeness/mail-host.ts';
import type { QuestionClass } from '../engine/question.ts';
import { assert } from '../lib/assert.ts';
import { CONVERSATION_MS_MIN } from './converse.ts';
import { demandOf } from './demand.ts';
import type { Demand } from './demand.ts';
import { hangUp } from './line.ts';
import type { Idle, Line } from './line.ts';
import { IDLE_MS, mostOfOneAsker, nextStep, RANK } from './places.ts';
import type { Step, Wanting } from './places.ts';
import type { Clock } from './ports.ts';

/** A conversation that somebody wants to hold. */
export interface Wish extends Omit<Wanting, 'least'> {
	readonly class: QuestionClass;
	readonly asker: Asker;
	/** Epoch milliseconds. */
	readonly deadline: number;
	/** Invented recipients, which are asked about beside the first target. */
	readonly beside: number;
	readonly targets: number;
	/** How many of them one conversation asks about at the most. */
	readonly atOnce: number;
}

/** A connection to be used or opened, and how many recipients may be asked about by it. */
export interface Grant {
	readonly line: Line;
	readonly recipients: number;
	/** Of those, how many were not asked about yet. */
	held: number;
	/** A connection may be opened for it, and was not yet. */
	mayDial: boolean;
}

/** There is no place, or no budget, in time. */
export interface Busy {
	readonly kind: 'busy';
	/** Epoch milliseconds. */
	readonly until: number;
}

/** How a group of connections may be used just now. */
export interface Terms {
	readonly budget: Budget;
	/** The host refused us last: one question at a time. */
	readonly isTrying: boolean;
	/** It refused this asker's questions last: one of them at a time. */
	readonly isTryingFor: (asker: Asker) => boolean;
}

interface Waiting extends Waiter, Wanting, Demand {
	readonly least: number;
	readonly rank: number;
	readonly recipients: number;
	readonly take: (grant: Grant) => void;
}

/** When somebody will be served, if nothing happens before. */
interface Alarm {
	readonly at: number;
	readonly off: AbortController;
}

// With more than this before us nobody's turn comes in time; of one asker fewer, so that there is room for others.
const WAITING_MAX = 500;
const WAITING_OF_ONE_MAX = 250;
// A caller has fifteen seconds in all: who waits longer than this had better come back.
const WAIT_MS_MAX: Readonly<Record<QuestionClass, number>> = { single: 5_000, small: 15_000, list: 30_000 };
// Sooner than this nobody need come back; where all connections are held by silent hosts, not before this.
const COME_BACK_MS_MIN = 5_000;
const COME_BACK_MS = 30_000;
// How much of the budget is promised: who comes and finds it taken asks again, but what nobody asks for is lost.
const PROMISED = 1.5;
// A small job is promised within half a minute: lists do not take what becomes free until it is back, which takes a
// queue's time more than it was told.
const KEPT_MS_MAX = 15_000;
const COMES_LATE_MS = 3_000;

/** The connections to one operator, or mail host, from one source address: whose patience is one. */
export class LineGroup {
	readonly name: string;
	readonly #clock: Clock;
	readonly #terms: () => Terms;
	readonly #lines = new Map<number, Line>();
	readonly #queue = new FairQueue<Waiting>();
	readonly #bookings = new Bookings();
	readonly #allowance: Allowance;
	#alarm: Alarm | null = null;
	/** Until when lists leave the budget to a small job that was told to come back; epoch ms. */
	#keptUntil = 0;
	#ids = 0;

	constructor(name: string, clock: Clock, terms: () => Terms, spent: Spent | null) {
		this.name = name;
		this.#clock = clock;
		this.#terms = terms;
		this.#allowance = new Allowance(spent);
	}

	/** Connections open or being opened. */
	get open(): number {
		return this.#lines.size;
	}

	get waiting(): number {
		return this.#queue.size;
	}

	get spent(): Spent {
		return this.#allowance.spent;
	}

	/** Nothing of it need be remembered, but what was spent today. */
	get isOver(): boolean {
		const now = this.#clock.now();
		return (
			this.open === 0 &&
			this.waiting === 0 &&
			this.#bookings.until(now) === null &&
			this.#allowance.isQuiet(now)
		);
	}

	/** For whoever looks after the prober. */
	overview() {
		const now = this.#clock.now();
		const { budget, isTrying } = this.#terms();
		const { thisMinute, today } = this.#allowance.left(budget, now);
		return {
			connections: this.open,
			waiting: this.waiting,
			isTrying,
			budget,
			leftThisMinute: thisMinute,
			leftToday: today,
			bookedUntil: this.#bookings.until(now),
		};
	}

	/** When it would be the turn of one more question, which would wait or be told to come back. Epoch milliseconds. */
	turnAt({ class: urgency, asker, targets }: Pick<Wish, 'class' | 'asker' | 'targets'>): number {
		const now = this.#clock.now();
		const wish = { to: '', fresh: false, class: urgency, asker, deadline: now, beside: 0 };
		const waiting = waitingFor({ ...wish, targets, atOnce: targets }, this.#terms().budget, now, () => {});
		const at = this.#allowance.expectedAt(this.#terms().budget, now, waiting, false, {
			recipients: this.#queue.before(waiting),
			connections: 0,
		});
		return at - now <= WAIT_MS_MAX[urgency] ? at : Math.max(at, this.#bookings.endFor(asker));
	}

	/** Waits for a connection and for a part of the budget. */
	async place(wish: Wish): Promise<Grant | Busy> {
		const now = this.#clock.now();
		const { budget } = this.#terms();
		const recipients = wish.targets + wish.beside;
		this.#bookings.came(now, recipients, budget.recipientsPerMinute);
		const patienceMs = Math.min(WAIT_MS_MAX[wish.class], wish.deadline - now - CONVERSATION_MS_MIN);
		const isFull =
			wish.class !== 'single' &&
			(this.#queue.size >= WAITING_MAX || this.#queue.sizeOf(wish.asker) >= WAITING_OF_ONE_MAX);
		const { promise: served, resolve } = Promise.withResolvers<void>();
		let granted: Grant | null = null;
		const waiting = waitingFor(wish, budget, now, (grant) => {
			granted = grant;
			resolve();
		});
		if (isFull || this.#queue.size >= WAITING_MAX * 2) return this.#busy(wish, waiting);
		this.#queue.add(waiting);
		this.#serve();
		if (granted !== null) return granted;
		if (this.#expectedAt(waiting, now) - now <= patienceMs && patienceMs > 0) {
			const patience = new AbortController();
			await Promise.race([served, this.#clock.sleep(patienceMs, patience.signal)]);
			patience.abort();
			if (granted !== null) return granted;
		}
		this.#queue.remove(waiting);
		this.#serve();
		return this.#busy(wish, waiting);
	}

	/** The connection that was granted is being opened. */
	dial(grant: Grant): void {
		assert(grant.mayDial, 'a new connection was granted');
		grant.mayDial = false;
		this.#allowance.connect(this.#clock.now());
	}

	/** So many recipients are asked about now. */
	send(grant: Grant, recipients: number): void {
		grant.held = Math.max(0, grant.held - recipients);
		grant.line.left -= recipients;
		this.#allowance.send(this.#clock.now(), recipients);
	}

	/** The conversation is over; `kept` is what it left of the connection. */
	release({ line, held, mayDial }: Grant, kept: Idle | null): void {
		this.#allowance.giveBack(held);
		if (mayDial) this.#allowance.giveBackConnection();
		if (kept === null) this.#lines.delete(line.id);
		else {
			line.idle = kept;
			line.idleSince = this.#clock.now();
			line.patience = new AbortController();
			void this.#watch(line, line.patience);
		}
		this.#serve();
	}

	/** Says goodbye on every connection that nobody uses. */
	async end(): Promise<void> {
		const idle = [...this.#lines.values()].filter((line) => line.idle !== null);
		await Promise.all(idle.map(({ id }) => this.#close(id)));
		this.#alarm?.off.abort();
	}

	/** Gives every place, and what there is of the budget, to whose turn it is. */
	#serve(): void {
		while (this.#serveOne());
		if (this.#queue.size > 0) return;
		this.#alarm?.off.abort();
		this.#alarm = null;
	}

	/** Whether somebody was served. */
	#serveOne(): boolean {
		const now = this.#clock.now();
		const terms = this.#terms();
		const isOut = { urgent: false, others: false };
		for (const waiting of this.#queue.inTurn(now)) {
			if (now < this.#keptUntil && this.#queue.rankOf(waiting, now) === RANK.list) {
				this.#wakeAt(this.#keptUntil, now);
				continue;
			}
			// Whoever comes later wants less, and would pass by whoever waits for more.
			if (waiting.urgent ? isOut.urgent : isOut.others) continue;
			const step = this.#stepFor(waiting, terms);
			if (step.kind === 'wait') continue;
			const recipients = this.#room(waiting, step, terms, now);
			const connects = step.kind === 'open';
			if (recipients > 0 && (!connects || this.#allowance.mayConnect(terms.budget, now, waiting.urgent))) {
				this.#grant(waiting, step, recipients, terms);
				return true;
			}
			this.#wakeAt(this.#allowance.nextAt(terms.budget, now, waiting, connects), now);
			if (recipients > 0) continue;
			isOut.others = true;
			isOut.urgent ||= waiting.urgent;
		}
		return false;
	}

	#stepFor(waiting: Waiting, { budget, isTrying, isTryingFor }: Terms): Step {
		const inUse = [...this.#lines.values()].filter(({ idleSince }) => idleSince === null);
		if (isTrying && inUse.length > 0) return { kind: 'wait' };
		const own = inUse.filter(({ asker }) => asker === waiting.asker).length;
		const most = isTryingFor(waiting.asker) ? 1 : mostOfOneAsker(budget.connections);
		if (own >= most) return { kind: 'wait' };
		return nextStep([...this.#lines.values()], waiting, budget.connections);
	}

	/** How many recipients the waiting may be granted. */
	#room(waiting: Waiting, step: Exclude<Step, { kind: 'wait' }>, terms: Terms, now: number): number {
		const { recipientsPerConnection } = terms.budget;
		const left = step.kind === 'use' ? (this.#lines.get(step.id)?.left ?? 0) : recipientsPerConnection;
		const ask = terms.isTrying
			? { ...waiting, least: waiting.few, most: waiting.few }
			: { ...waiting, most: Math.max(waiting.least, Math.min(left, waiting.most)) };
		return this.#allowance.room(terms.budget, now, ask);
	}

	#grant(
		waiting: Waiting,
		step: Exclude<Step, { kind: 'wait' }>,
		recipients: number,
		{ budget }: Terms,
	): void {
		this.#queue.serve(waiting, recipients, this.#clock.now());
		this.#allowance.hold(recipients);
		const opens = step.kind === 'open';
		if (opens) this.#allowance.holdConnection();
		const line = opens ? this.#reserve(waiting, step.closing, budget) : this.#use(step.id, waiting.asker);
		waiting.take({ line, recipients, held: recipients, mayDial: opens });
	}

	#reserve({ to, asker }: Waiting, closing: number | null, budget: Budget): Line {
		if (closing !== null) void this.#close(closing);
		this.#ids += 1;
		const left = budget.recipientsPerConnection;
		const line: Line = { id: this.#ids, to, asker, left, idleSince: null, idle: null, patience: null };
		this.#lines.set(line.id, line);
		return line;
	}

	#use(id: number, asker: Asker): Line {
		const line = this.#lines.get(id);
		assert(line !== undefined, 'the line is held');
		line.patience?.abort();
		line.idleSince = null;
		line.asker = asker;
		return line;
	}

	/** Closes the line when nobody has used it for long enough. */
	async #watch(line: Line, patience: AbortController): Promise<void> {
		await this.#clock.sleep(IDLE_MS, patience.signal);
		if (!patience.signal.aborted) await this.#close(line.id);
	}

	async #close(id: number): Promise<void> {
		const line = this.#lines.get(id);
		line?.patience?.abort();
		this.#lines.delete(id);
		const idle = line?.idle ?? null;
		if (idle !== null) await hangUp(idle.connection, idle.session);
	}

	#wakeAt(at: number, now: number): void {
		if (this.#alarm !== null && this.#alarm.at <= at) return;
		this.#alarm?.off.abort();
		const alarm = { at, off: new AbortController() };
		this.#alarm = alarm;
		void this.#wakeBy(alarm, Math.max(1, at - now));
	}

	async #wakeBy(alarm: Alarm, ms: number): Promise<void> {
		await this.#clock.sleep(ms, alarm.off.signal);
		if (alarm.off.signal.aborted) return;
		this.#alarm = null;
		this.#serve();
	}

	/** When it is somebody's turn, as far as can be told. */
	#expectedAt(waiting: Waiting, now: number): number {
		const dials = (one: Waiting): number => (this.#connects(one) ? 1 : 0);
		return this.#allowance.expectedAt(this.#terms().budget, now, waiting, this.#connects(waiting), {
			recipients: this.#queue.before(waiting),
			connections: this.#queue.before(waiting, dials),
		});
	}

	/** No connection is there that would do. */
	#connects({ to, fresh }: Wanting): boolean {
		return fresh || ![...this.#lines.values()].some((line) => line.to === to);
	}

	#busy(wish: Wish, waiting: Waiting): Busy {
		const now = this.#clock.now();
		const { since, urgent } = waiting;
		const { budget } = this.#terms();
		const expectedAt = this.#expectedAt(waiting, now);
		// Where there is budget, connections are missing: hosts that are silent hold them for as long as they like.
		const soon = now > since && expectedAt <= now ? COME_BACK_MS : COME_BACK_MS_MIN;
		const next = Math.max(now + soon, expectedAt);
		// A caller who was told so will not come back as told: nothing is kept for him.
		if (urgent) return { kind: 'busy', until: next };
		// A question takes no more than there is before its deadline: the rest of it comes again.
		const timeMs = Math.max(CONVERSATION_MS_MIN, wish.deadline - since);
		const perTurn = Math.ceil((budget.recipientsPerMinute * timeMs) / 60_000);
		const recipients = Math.min(wish.targets, perTurn) + wish.beside;
		// Of a host that serves one of its operator's customers, it is new connections that are scarce.
		const perDial = Math.ceil(budget.recipientsPerMinute / budget.connectionsPerMinute);
		const worth = this.#connects(waiting) ? Math.max(recipients, perDial) : recipients;
		const until = this.#bookings.book(now, wish.asker, worth, next, {
			// More than lists get, so that there is always somebody when one comes late, or not, or with less.
			perMinute: budget.recipientsPerMinute * PROMISED,
			isShared: wish.class === 'list',
		});
		if (wish.class === 'small' && until <= now + KEPT_MS_MAX)
			this.#keptUntil = Math.max(this.#keptUntil, until + COMES_LATE_MS);
		return { kind: 'busy', until };
	}
}

function waitingFor(wish: Wish, budget: Budget, since: number, take: Waiting['take']): Waiting {
	const { to, fresh, asker } = wish;
	return { ...demandOf(wish, budget), to, fresh, asker, since, take };
}
