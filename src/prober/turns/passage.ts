import type { Ask, Gate, Taken } from '../../core/turns/gate.ts';
import { roomIn } from '../../core/turns/gate.ts';
import { IDLE_MS, nextStep } from '../../core/turns/places.ts';
import type { Step } from '../../core/turns/places.ts';
import { Queue } from '../../core/turns/queue.ts';
import type { Waiter } from '../../core/turns/queue.ts';
import { isPaying } from '../../core/turns/who.ts';
import type { Urgency, Who } from '../../core/turns/who.ts';
import { assert } from '../../lib/assert.ts';
import { CONVERSATION_MS_MIN } from '../converse.ts';
import type { Clock } from '../ports.ts';
import { hangUp } from './line.ts';
import type { Idle, Line } from './line.ts';

/** There is no connection, or no budget, in time. */
export interface Busy {
	readonly kind: 'busy';
	/** When to ask again, epoch milliseconds. */
	readonly until: number;
	/** It comes soon, but the question has no time left for it. */
	readonly isLate?: true;
}

/** A conversation that a question wants to hold. */
export interface TurnRequest {
	/** All that it passes; the first is the passage's own. */
	readonly gates: readonly Gate[];
	readonly who: Who;
	/** It may end without a charge. */
	readonly isDoubtful: boolean;
	readonly urgency: Urgency;
	/** The mail host's address and the way out: for whom a connection is of use. */
	readonly to: string;
	/** Only a new connection will do. */
	readonly fresh: boolean;
	/** The party whose refusals count together. */
	readonly party: string;
	/** The gate, or the party, refused us last, so that one turn at a time tries whether it takes us again. */
	readonly isTrying: () => 'gate' | 'party' | null;
	/** It may ask again by another source address. */
	readonly goesAnywhere: boolean;
	/** Epoch milliseconds. */
	readonly deadline: number;
	/** Invented recipients, which are asked about beside the first target. */
	readonly beside: number;
	readonly targets: number;
	/** How many more mailboxes of the domain the asker has. It asks about all of them at the moment that it is given. */
	readonly behind: number;
	/** How many of them one conversation asks about at the most. */
	readonly atOnce: number;
}

/** A connection to be used or opened, and how many recipients may be asked about by it. */
export interface Turn {
	readonly line: Line;
	readonly recipients: number;
	readonly isDoubtful: boolean;
	readonly taken: readonly (readonly [Gate, Taken])[];
	/** How many of them were not asked about yet. */
	held: number;
	/** A connection may be opened for it, and was not yet. */
	mayDial: boolean;
}

/** A request in the queue. */
interface Waiting extends Waiter, Omit<TurnRequest, 'deadline' | 'beside' | 'targets' | 'behind' | 'atOnce'> {
	/** One target, with those who are invented. */
	readonly few: number;
	readonly least: number;
	readonly most: number;
	readonly take: (turn: Turn) => void;
}

// With more than this waiting, a list's turn does not come in time. A share may fill as many places as are free, so that
// there is room for one more share.
const WAITING_MAX = 500;
// A caller has fifteen seconds in all: asking again is better than a longer wait.
const PATIENCE_MS: Readonly<Record<Urgency, number>> = { single: 5_000, small: 15_000, list: 30_000 };
// Questions that are refused ask again no sooner, and not all at the same moment.
const RETURN_MS_MIN = 4_000;
const JITTER = 0.25;
const JITTER_MS_MAX = 60_000;
// Times the budget that is promised: some questions come later than the moment they were given, or with less, or by
// another source address.
const PROMISED = { here: 2, anywhere: 4 };
// A list that would be served so soon goes on with its next question, instead of coming back behind all others.
const SOON_MS = 10_000;
// Then the connection is another question's: a list of thousands must not keep one address waiting.
const RECIPIENTS_PER_TURN = 60;
// A list takes at least two seconds' worth at once: smaller conversations cost more connections than they save time.
const BATCHES_A_MINUTE = 30;

/** The connections through one gate, and the questions that wait before it. */
export class Passage {
	readonly gate: Gate;
	readonly #clock: Clock;
	readonly #random: () => number;
	readonly #lines = new Set<Line>();
	readonly #queue = new Queue<Waiting>();
	/** Up to when each share's part of the budget is promised, epoch ms. A promise reserves nothing. */
	readonly #promised = new Map<string, number>();
	/** When the queue is served again, if nothing happens before. */
	#alarm: { readonly at: number; readonly off: AbortController } | null = null;

	constructor(gate: Gate, { clock, random }: { readonly clock: Clock; readonly random: () => number }) {
		this.gate = gate;
		this.#clock = clock;
		this.#random = random;
	}

	/** Connections open, being opened or being closed. */
	get open(): number {
		return this.#lines.size;
	}

	get waiting(): number {
		return this.#queue.size;
	}

	/** Nothing of it needs to be remembered, but what was spent today. */
	get isOver(): boolean {
		return this.open === 0 && this.waiting === 0 && this.gate.isQuiet(this.#clock.now());
	}

	/** When it would be the turn of one more question; if it has to ask again, when. Epoch milliseconds. */
	turnAt(request: Omit<TurnRequest, 'deadline'>): number {
		const now = this.#clock.now();
		const waiting = this.#waitingFor(request, () => {});
		const at = this.#expectedAt(waiting, now);
		if (at - now <= PATIENCE_MS[request.urgency]) return at;
		return Math.max(at, this.#promised.get(promiseOf(waiting)) ?? 0);
	}

	/** Waits for a connection and for a part of the budget. */
	async place(request: TurnRequest): Promise<Turn | Busy> {
		const now = this.#clock.now();
		const { urgency, deadline } = request;
		const patienceMs = Math.min(PATIENCE_MS[urgency], deadline - now - CONVERSATION_MS_MIN);
		const { promise: served, resolve } = Promise.withResolvers<void>();
		let turn: Turn | null = null;
		const waiting = this.#waitingFor(request, (granted) => {
			turn = granted;
			resolve();
		});
		const comesFirst = urgency === 'single' && isPaying(waiting.who.share);
		const places = comesFirst ? 2 * WAITING_MAX : WAITING_MAX;
		if (this.#queue.sizeOf(waiting.who.share) >= places - this.waiting) return this.#busy(request, waiting);
		this.#queue.add(waiting);
		this.#serve();
		if (turn !== null) return turn;
		if (this.#expectedAt(waiting, now) - now <= patienceMs && patienceMs > 0) {
			const patience = new AbortController();
			await Promise.race([served, this.#clock.sleep(patienceMs, patience.signal)]);
			patience.abort();
			if (turn !== null) return turn;
		}
		this.#queue.remove(waiting);
		this.#serve();
		const waitMs = this.#expectedAt(waiting, now) - now;
		if (urgency === 'list' && patienceMs < SOON_MS && waitMs <= SOON_MS)
			return { kind: 'busy', until: now + waitMs, isLate: true };
		return this.#busy(request, waiting);
	}

	/** The connection that was granted is being opened. */
	dial(turn: Turn): void {
		assert(turn.mayDial, 'a new connection was granted');
		turn.mayDial = false;
	}

	/** So many recipients are asked about now. */
	send(turn: Turn, recipients: number): void {
		turn.held = Math.max(0, turn.held - recipients);
		turn.line.left -= recipients;
	}

	/**
	 * The conversation is over; `kept` is what it left of the connection. `closing`: the connection is being closed.
	 * `isPaid`: the answer decides, and is in time.
	 */
	release(turn: Turn, kept: Idle | null, closing: Promise<void> | null, isPaid: boolean): void {
		const { line, recipients, taken, isDoubtful, held, mayDial } = turn;
		const now = this.#clock.now();
		const unused = { recipients: held, dials: mayDial ? 1 : 0 };
		for (const [gate, what] of taken) {
			gate.giveBack(what, unused, now);
			if (isDoubtful) gate.settle(what, isPaid, recipients - held, now);
		}
		if (kept !== null) {
			line.idle = kept;
			line.idleSince = now;
			line.patience = new AbortController();
			void this.#watch(line, line.patience);
		} else if (closing === null) this.#lines.delete(line);
		else void this.#forgetAfter(line, closing);
		this.#serve();
	}

	/** Says goodbye on every connection that is not used. */
	async end(): Promise<void> {
		this.#alarm?.off.abort();
		await Promise.all([...this.#lines].map((line) => this.#close(line)));
	}

	/** Gives every connection, and what there is of the budget, to those whose turn it is. */
	#serve(): void {
		while (this.#serveOne());
		if (this.waiting > 0) return;
		this.#alarm?.off.abort();
		this.#alarm = null;
	}

	/** Whether a question was served. */
	#serveOne(): boolean {
		const now = this.#clock.now();
		// A smaller question must not overtake a larger one that waits for the budget.
		let isShort = false;
		for (const waiting of this.#queue.inTurn(this.gate, now)) {
			if (isShort && !this.gate.isFirst(waiting, now)) continue;
			const step = this.#stepFor(waiting, now);
			if (step.kind === 'wait') {
				if (step.closing !== null) void this.#close(step.closing);
				continue;
			}
			const ask = this.#askFor(waiting, step, now);
			const recipients = roomIn(waiting.gates, ask, now);
			if (recipients > 0) {
				this.#grant(waiting, step, ask, recipients, now);
				return true;
			}
			void this.#wakeAt(Math.max(this.#roomAt(waiting.gates, ask, now), now + 1), now);
			if (!this.gate.lacksMinute(ask, now)) continue;
			if (this.gate.isFirst(ask, now)) return false;
			isShort = true;
		}
		return false;
	}

	#stepFor({ who, to, party, fresh, few, isTrying }: Waiting, now: number): Step<Line> {
		const { connections } = this.gate.budget(now);
		const lines = [...this.#lines];
		const inUse = lines.filter(({ idleSince, isClosing }) => idleSince === null && !isClosing);
		const tries = inUse.length === 0 ? null : isTrying();
		const isTried = tries === 'gate' || (tries === 'party' && inUse.some((line) => line.party === party));
		// Silent hosts, or thousands of questions of one share, don't keep all connections.
		const ofShare = inUse.filter(({ share }) => share === who.share).length;
		if (isTried || ofShare >= Math.max(1, connections - 1)) return { kind: 'wait', closing: null };
		return nextStep(lines, { to, fresh, least: few }, connections);
	}

	#askFor(waiting: Waiting, step: Exclude<Step<Line>, { kind: 'wait' }>, now: number): Ask {
		const { few, most } = waiting;
		const dials = step.kind === 'open';
		if (waiting.isTrying() !== null) return { ...waiting, least: few, most: few, dials };
		const { left } = dials ? { left: this.gate.budget(now).recipientsPerConnection } : step.place;
		const fits = Math.max(few, Math.min(left, most));
		return { ...waiting, least: Math.min(waiting.least, fits), most: fits, dials };
	}

	#grant(
		waiting: Waiting,
		step: Exclude<Step<Line>, { kind: 'wait' }>,
		ask: Ask,
		recipients: number,
		now: number,
	): void {
		this.#queue.remove(waiting);
		const taken = waiting.gates.map((gate) => [gate, gate.take(ask, recipients, now)] as const);
		const line = step.kind === 'open' ? this.#newLine(waiting, now) : useAgain(step.place, waiting);
		waiting.take({
			line,
			recipients,
			isDoubtful: waiting.isDoubtful,
			taken,
			held: recipients,
			mayDial: ask.dials,
		});
	}

	#newLine({ to, who, party }: Waiting, now: number): Line {
		const left = this.gate.budget(now).recipientsPerConnection;
		const unused = { idleSince: null, isClosing: false, idle: null, patience: null };
		const line: Line = { to, share: who.share, party, left, ...unused };
		this.#lines.add(line);
		return line;
	}

	/** Closes the line when it was unused for long enough. */
	async #watch(line: Line, patience: AbortController): Promise<void> {
		await this.#clock.sleep(IDLE_MS, patience.signal);
		if (!patience.signal.aborted) await this.#close(line);
	}

	/** Closes an unused connection. It counts until it is closed. */
	async #close(line: Line): Promise<void> {
		const { idle } = line;
		if (idle === null || line.idleSince === null || line.isClosing) return;
		line.patience?.abort();
		line.idle = null;
		await this.#forgetAfter(line, hangUp(idle.connection, idle.session));
	}

	async #forgetAfter(line: Line, closing: Promise<void>): Promise<void> {
		line.isClosing = true;
		await closing;
		this.#lines.delete(line);
		this.#serve();
	}

	async #wakeAt(at: number, now: number): Promise<void> {
		if (this.#alarm !== null && this.#alarm.at <= at) return;
		this.#alarm?.off.abort();
		const alarm = { at, off: new AbortController() };
		this.#alarm = alarm;
		await this.#clock.sleep(at - now, alarm.off.signal);
		if (alarm.off.signal.aborted) return;
		this.#alarm = null;
		this.#serve();
	}

	/** The recipients that a request takes when its turn comes. */
	#waitingFor(
		{ targets, atOnce, beside, ...request }: Omit<TurnRequest, 'deadline'>,
		take: Waiting['take'],
	): Waiting {
		const { recipientsPerConnection, recipientsPerMinute } = this.gate.budget(this.#clock.now());
		const atOne = Math.min(targets, atOnce, RECIPIENTS_PER_TURN);
		const most = Math.min(atOne + beside, recipientsPerConnection);
		const few = Math.min(most, beside + 1);
		const batch = request.urgency === 'single' ? 1 : Math.ceil(recipientsPerMinute / BATCHES_A_MINUTE);
		const least = Math.min(most, Math.max(few, batch));
		return { ...request, few, least, most, cost: least, take };
	}

	/** When it is a question's turn, as far as the passage knows. */
	#expectedAt(waiting: Waiting, now: number): number {
		const dials = this.#dials(waiting);
		const ahead = this.#queue.before(waiting, this.gate, now, (one) => this.#dials(one));
		if (!dials) ahead.dials = 0;
		return this.#roomAt(waiting.gates, { ...waiting, dials }, now) + this.gate.takesMs(ahead, now);
	}

	#roomAt(gates: readonly Gate[], ask: Ask, now: number): number {
		return Math.max(...gates.map((gate) => gate.nextAt(ask, now)));
	}

	/** No connection is there that would do. */
	#dials({ to, fresh }: Pick<Waiting, 'to' | 'fresh'>): boolean {
		return fresh || ![...this.#lines].some((line) => line.to === to && !line.isClosing);
	}

	/** The moment to ask again: for the questions of one share one after the other, as fast as its part of the budget goes. */
	#busy({ targets, behind, beside, urgency, goesAnywhere }: TurnRequest, waiting: Waiting): Busy {
		const now = this.#clock.now();
		const from = Math.max(now + RETURN_MS_MIN, this.#expectedAt(waiting, now));
		// Single calls are not retried: nothing is promised to them.
		if (urgency === 'single') return { kind: 'busy', until: from };
		for (const [name, end] of this.#promised) if (end <= now) this.#promised.delete(name);
		const name = promiseOf(waiting);
		const at = Math.max(from, this.#promised.get(name) ?? 0);
		this.#promised.set(name, at);
		const cost = { recipients: targets + behind + beside, dials: this.#dials(waiting) ? 1 : 0 };
		const takesMs =
			(this.gate.takesMs(cost, now) * this.#promised.size) / PROMISED[goesAnywhere ? 'anywhere' : 'here'];
		this.#promised.set(name, at + Math.ceil(takesMs));
		const jitterMs = this.#random() * Math.min(JITTER_MS_MAX, JITTER * (at - now));
		return { kind: 'busy', until: Math.ceil(at + jitterMs) };
	}
}

function useAgain(line: Line, { who, party }: Waiting): Line {
	line.patience?.abort();
	line.idleSince = null;
	line.share = who.share;
	line.party = party;
	return line;
}

/** Lists and short jobs of a share are promised apart. */
function promiseOf({ who, urgency }: Pick<Waiting, 'who' | 'urgency'>): string {
	return `${who.share} ${urgency}`;
}
