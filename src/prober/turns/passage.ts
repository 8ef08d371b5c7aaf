import type { OperatorName } from '../../core/mail-operators/operators.ts';
import type { Ask, Gate, Taken } from '../../core/turns/gate.ts';
import { Queue } from '../../core/turns/queue.ts';
import { shareOf } from '../../core/turns/who.ts';
import type { Urgency } from '../../core/turns/who.ts';
import { CONVERSATION_MS_MIN } from '../conversation.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Conversed } from '../conversation.ts';
import { hangUp } from './talk.ts';
import type { Idle } from './talk.ts';

/** There is no connection, or no budget, in time. */
type Busy = Extract<Conversed, { kind: 'busy' }>;

/** A conversation that a question wants to hold. */
interface TurnRequest extends Pick<Ask, 'member' | 'isDoubtful' | 'urgency'> {
	/** All that it passes; the first is the passage's own. */
	readonly gates: readonly Gate[];
	/** The mail host's address: for whom a connection is of use. */
	readonly to: string;
	/** Only a new connection will do. */
	readonly fresh: boolean;
	/** The party whose refusals count together. */
	readonly party: string;
	/** It refused us last, so that one turn at a time tries whether it takes us again. */
	readonly isTrying: () => boolean;
	/** Epoch milliseconds. */
	readonly deadline: number;
	/** Recipients: one target with those who are invented, with all targets, and with those whom the asker has beside. */
	readonly few: number;
	readonly many: number;
	readonly all: number;
	/** Where it may ask again. */
	readonly returns: keyof typeof PROMISED;
}

/** A connection that the prober holds, or a place for one that is being opened. */
interface Line {
	readonly to: string;
	/** The share and the host's party that use it, or used it last. */
	share: string;
	party: string;
	/** Null: in use, or being opened. */
	idle: Idle | null;
	idleSince: number;
	/** It still counts, and is of no more use. */
	isClosing: boolean;
	/** How many recipients it may still be asked about. */
	left: number;
}

/** The right to ask about so many recipients, over a connection that is open, or to be opened (`idle` is null). */
interface Turn {
	readonly line: Line;
	readonly idle: Idle | null;
	readonly recipients: number;
	readonly taken: readonly Taken[];
}

/** The end of a turn. */
interface TurnEnd {
	/** Recipients that were asked about. */
	readonly sent: number;
	readonly dialled: boolean;
	/** The connection for the next question; null: it is closed, after `closing` if that is given. */
	readonly kept: Idle | null;
	readonly closing: Promise<void> | null;
	/** The answer decides, and is in time. */
	readonly isPaid: boolean;
}

/** A request in the queue. */
interface Waiting extends TurnRequest, Ask {
	turn: Turn | null;
	/** Aborted when it has its turn. */
	readonly served: AbortController;
}

/** How long an unused connection is kept. Servers wait for a minute and more. */
export const IDLE_MS = 10_000;
// A caller has fifteen seconds in all: asking again is better than a longer wait.
const PATIENCE_MS: Readonly<Record<Urgency, number>> = { single: 5_000, small: 15_000, list: 30_000 };
// Questions that are refused ask again no sooner, and not all at the same moment.
const RETURN_MS_MIN = 4_000;
const JITTER = 0.25;
const JITTER_MS_MAX = 60_000;
// Times the budget that is promised: some questions come later than the moment they were given, or with less; many come by
// another source address, where there are several. Measured by whole days (`npm run bench -- giants`): with less an
// operator's last addresses wait longer, with more the questions come in vain.
const PROMISED = { here: 2.5, anywhere: 6 };
// A list takes at least two seconds' worth at once: smaller conversations cost more connections than they save time.
const BATCHES_A_MINUTE = 30;

/** The name of a passage, and for whom it stands. */
interface About {
	readonly name: string;
	/** Null: a machine that belongs to none. */
	readonly operator: OperatorName | null;
	/** The operator, or a host's name at the machine. */
	readonly party: string;
	readonly egress: string;
}

/** An operator or a machine by one source address: its gate, the connections through it, and the questions that wait. */
export class Passage {
	readonly about: About;
	readonly gate: Gate;
	readonly #ports: { readonly clock: Clock; readonly random: () => number };
	readonly #lines = new Set<Line>();
	readonly #queue = new Queue<Waiting>();
	/** Up to when each share's part of the budget is promised, epoch ms. A promise reserves nothing. */
	readonly #promised = new Map<string, number>();
	/** When the queue is served again, if nothing happens before. */
	#alarm = { at: Infinity, off: new AbortController() };

	constructor(about: About, gate: Gate, ports: { readonly clock: Clock; readonly random: () => number }) {
		this.about = about;
		this.gate = gate;
		this.#ports = ports;
	}

	/** Connections open, being opened or being closed. */
	get open(): number {
		return this.#lines.size;
	}

	get waiting(): number {
		return this.#queue.size;
	}

	/** When one more question has its turn after all that wait. Epoch milliseconds. */
	turnAt(ask: Ask): number {
		const now = this.#ports.clock.now();
		return this.gate.nextAt(ask, now) + this.gate.takesMs(this.#queue.recipients, 0, now);
	}

	/** Waits for a connection and for a part of the budget. */
	async place(request: TurnRequest): Promise<Turn | Busy> {
		const now = this.#ports.clock.now();
		const { to, fresh } = request;
		const warm = [...this.#lines].find((line) => !fresh && line.to === to && !line.isClosing) ?? null;
		const waiting: Waiting = {
			...request,
			...this.#askFor(request, warm, now),
			turn: null,
			served: new AbortController(),
		};
		this.#queue.add(waiting);
		this.#serve();
		const patienceMs = Math.min(PATIENCE_MS[request.urgency], request.deadline - now - CONVERSATION_MS_MIN);
		const isSoon = patienceMs > 0 && this.#expectedAt(waiting, now) - now <= patienceMs;
		if (waiting.turn === null && isSoon) await this.#ports.clock.sleep(patienceMs, waiting.served.signal);
		if (waiting.turn !== null) return waiting.turn;
		this.#queue.remove(waiting);
		this.#serve();
		return this.#busy(waiting, this.#ports.clock.now());
	}

	/** Each turn ends here, however its conversation went. */
	release({ line, taken }: Turn, { sent, dialled, kept, closing, isPaid }: TurnEnd): void {
		const now = this.#ports.clock.now();
		for (const one of taken) one.gate.settle(one, { recipients: sent, dials: dialled, isPaid }, now);
		line.left -= sent;
		line.idle = kept;
		line.idleSince = now;
		if (kept === null) void this.#forgetAfter(line, closing);
		this.#serve();
	}

	/** Says goodbye on every connection that is not used. */
	async end(): Promise<void> {
		await Promise.all([...this.#lines].map((line) => this.#close(line)));
	}

	/** Gives every connection, and what there is of the budget, to those whose turn it is. */
	#serve(): void {
		const now = this.#ports.clock.now();
		for (const line of this.#lines)
			if (line.idle !== null && now - line.idleSince >= IDLE_MS) void this.#close(line);
		let next: number | null = null;
		while (next === null) next = this.#serveOne(now);
		for (const line of this.#lines) if (line.idle !== null) next = Math.min(next, line.idleSince + IDLE_MS);
		void this.#wakeAt(next);
	}

	/** Serves the next question. When none can be served: when one can, as far as that is known; else null. */
	#serveOne(now: number): number | null {
		let next = Infinity;
		// Nothing is looked through for a connection that can't be had.
		const isUsed = this.open >= this.gate.budget(now).connections;
		if (isUsed && ![...this.#lines].some(({ idle }) => idle !== null)) return next;
		// A smaller question must not overtake a larger one that waits for the budget.
		let isShort = false;
		for (const waiting of this.#queue.inTurn(this.gate, now)) {
			const isFirst = this.gate.isFirst(waiting, now);
			if (isShort && !isFirst) continue;
			const line = this.#lineFor(waiting, now);
			if (line === 'none') continue;
			const ask = this.#askFor(waiting, line, now);
			const recipients = Math.min(...waiting.gates.map((gate) => gate.room(ask, now)));
			if (recipients > 0) {
				this.#grant(waiting, line, ask, recipients, now);
				return null;
			}
			next = Math.min(next, Math.max(roomAt(waiting.gates, ask, now), now + 1));
			if (!this.gate.lacksMinute(ask, now)) continue;
			if (isFirst) break;
			isShort = true;
		}
		return next;
	}

	/** The connection for a question: one that is open, null for a new one. The one used last is used first. */
	#lineFor({ member, to, party, fresh, few, isTrying }: Waiting, now: number): Line | null | 'none' {
		const { connections } = this.gate.budget(now);
		const lines = [...this.#lines];
		const inUse = lines.filter(({ idle, isClosing }) => idle === null && !isClosing);
		const isTried = inUse.some((line) => line.party === party) && isTrying();
		// Silent hosts, or thousands of questions of one share, don't keep all connections.
		const ofShare = inUse.filter(({ share }) => share === shareOf(member)).length;
		if (isTried || ofShare >= Math.max(1, connections - 1)) return 'none';
		const idle = lines.filter((line) => line.idle !== null).toSorted((a, b) => b.idleSince - a.idleSince);
		const warm = fresh ? undefined : idle.find((line) => line.to === to && line.left >= few);
		if (warm !== undefined) return warm;
		if (lines.length < connections) return null;
		// One closes at a time, and the question is served when it is closed.
		const oldest = idle.at(-1);
		if (oldest !== undefined && !lines.some(({ isClosing }) => isClosing)) void this.#close(oldest);
		return 'none';
	}

	/** The recipients that a request takes over a connection; null: a new one. */
	#askFor(request: TurnRequest, line: Line | null, now: number): Ask {
		const { recipientsPerConnection, recipientsPerMinute } = this.gate.budget(now);
		const few = Math.min(request.few, recipientsPerConnection);
		const left = Math.max(few, line?.left ?? recipientsPerConnection);
		const most = request.isTrying() ? few : Math.min(request.many, left);
		const batch = request.urgency === 'single' ? 1 : Math.ceil(recipientsPerMinute / BATCHES_A_MINUTE);
		return { ...request, least: Math.min(most, Math.max(few, batch)), most, dials: line === null };
	}

	#grant(waiting: Waiting, open: Line | null, ask: Ask, recipients: number, now: number): void {
		this.#queue.remove(waiting);
		const { to, member, party } = waiting;
		const left = this.gate.budget(now).recipientsPerConnection;
		const line = open ?? { to, share: '', party, idle: null, idleSince: now, isClosing: false, left };
		this.#lines.add(line);
		const { idle } = line;
		Object.assign(line, { idle: null, share: shareOf(member), party });
		const taken = waiting.gates.map((gate) => gate.take(ask, recipients, now));
		waiting.turn = { line, idle, recipients, taken };
		waiting.served.abort();
	}

	/** Closes an unused connection. It counts until it is closed. */
	async #close(line: Line): Promise<void> {
		const { idle } = line;
		if (idle === null) return;
		line.idle = null;
		await this.#forgetAfter(line, hangUp(idle.connection, idle.session));
	}

	async #forgetAfter(line: Line, closing: Promise<void> | null): Promise<void> {
		line.isClosing = true;
		if (closing !== null) await closing;
		this.#lines.delete(line);
		if (closing !== null) this.#serve();
	}

	/** Infinity: nothing is due. */
	async #wakeAt(at: number): Promise<void> {
		if (this.#alarm.at === at) return;
		this.#alarm.off.abort();
		const off = new AbortController();
		this.#alarm = { at, off };
		if (at === Infinity) return;
		await this.#ports.clock.sleep(at - this.#ports.clock.now(), off.signal);
		if (off.signal.aborted) return;
		this.#alarm = { at: Infinity, off };
		this.#serve();
	}

	/** When it is a question's turn, as far as the passage knows. */
	#expectedAt(waiting: Waiting, now: number): number {
		const { recipients, dials } = this.#queue.before(waiting, this.gate, now);
		const aheadMs = this.gate.takesMs(recipients, waiting.dials ? dials : 0, now);
		return roomAt(waiting.gates, waiting, now) + aheadMs;
	}

	/** The moment to ask again: for the questions of one share one after the other, as fast as its part of the budget goes. */
	#busy(waiting: Waiting, now: number): Busy {
		const from = Math.max(now + RETURN_MS_MIN, this.#expectedAt(waiting, now));
		// Single calls are not retried: nothing is promised to them.
		if (waiting.urgency === 'single') return { kind: 'busy', until: from };
		for (const [name, end] of this.#promised) if (end <= now) this.#promised.delete(name);
		const name = promiseOf(waiting);
		const at = Math.max(from, this.#promised.get(name) ?? 0);
		this.#promised.set(name, at);
		const takesMs = this.gate.takesMs(waiting.all, Number(waiting.dials), now) * this.#promised.size;
		this.#promised.set(name, at + Math.ceil(takesMs / PROMISED[waiting.returns]));
		const jitterMs = this.#ports.random() * Math.min(JITTER_MS_MAX, JITTER * (at - now));
		return { kind: 'busy', until: Math.ceil(at + jitterMs) };
	}
}

function roomAt(gates: readonly Gate[], ask: Ask, now: number): number {
	return Math.max(...gates.map((gate) => gate.nextAt(ask, now)));
}

/** Lists and short jobs of a share are promised apart. */
function promiseOf({ member, urgency }: Pick<Waiting, 'member' | 'urgency'>): string {
	return `${shareOf(member)} ${urgency}`;
}
