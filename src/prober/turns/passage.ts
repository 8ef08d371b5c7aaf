import type { OperatorName } from '../../core/mail-operators/operators.ts';
import { RESETS_MAX } from '../../core/smtp/limits.ts';
import { inTurn } from '../../core/turns/gate.ts';
import type { Ask, Gate, Settle } from '../../core/turns/gate.ts';
import type { namesOf } from '../../core/turns/names.ts';
import { shareOf } from '../../core/turns/who.ts';
import type { Urgency } from '../../core/turns/who.ts';
import { OVER } from '../../lib/time.ts';
import type { Clock } from '../../lib/time.ts';
import { CONVERSATION_MS_MIN, hangUp } from '../conversation.ts';
import type { ConversationRequest, Conversed, Open } from '../conversation.ts';
import type { ProberMemory } from '../memory.ts';

export interface PassagePorts {
	readonly clock: Clock;
	/** From 0 to below 1: a refused question asks again at a time of its own. */
	readonly random: () => number;
	readonly memory: ProberMemory;
}

/** A request by one source address. */
export interface Asking
	extends ConversationRequest, ReturnType<typeof namesOf>, Pick<Ask, 'member' | 'isDoubtful'> {
	readonly egress: string;
	readonly passage: Passage;
	/** Other source addresses of ours serve it, too. */
	readonly isSpread: boolean;
	/** All gates that it passes; the first is the passage's own. */
	readonly gates: readonly Gate[];
}

/** A connection that the prober holds, or a place for one that is being opened. */
interface Line {
	/** The request that uses it, or used it last. All are of one mail host's address. */
	by: Asking;
	/** One that is closing still counts, and is of no more use. */
	state: 'used' | 'idle' | 'closing';
	idleSince: number;
	/** How many recipients it may still be asked about. */
	left: number;
	/** Null: it is to be opened. */
	open: Open | null;
}

/** The right to ask about so many recipients over a connection. */
interface Turn {
	readonly line: Line;
	readonly recipients: number;
	readonly settles: readonly Settle[];
}

/** A question in the queue. */
interface Waiting extends Asking, Ask {
	readonly since: number;
	turn: Turn | null;
	/** Aborted when it has its turn. */
	readonly served: AbortController;
}

/** How long an unused connection is kept. Servers wait for a minute and more. */
export const IDLE_MS = 10_000;
// A caller has fifteen seconds in all: asking again is better than a longer wait.
const PATIENCE_MS: Readonly<Record<Urgency, number>> = { single: 5_000, small: 15_000, list: 30_000 };
// Questions that are refused ask again no sooner, and those of several shares not all at the same moment.
const RETURN_MS_MIN = 4_000;
const JITTER = 0.25;
const JITTER_MS_MAX = 60_000;
// Times the budget that is promised: some questions come later than the moment they were given, or with less, and many come
// by another source address, where they are spread. Measured by whole days (`npm run bench -- giants`): with less an
// operator's last addresses wait longer, with more the questions come in vain.
const PROMISED = { here: 2.5, spread: 4 };
// A list takes at least two seconds' worth at once: smaller conversations cost more connections than they save time.
const BATCHES_A_MINUTE = 30;

/** An operator or a machine by one source address: its gate, the connections through it, and the questions that wait. */
export class Passage {
	/** Its name, and for whom it stands. */
	readonly about: {
		readonly name: string;
		/** Null: a machine that belongs to none. */
		readonly operator: OperatorName | null;
		/** The operator, or a host's name at the machine. */
		readonly party: string;
		readonly egress: string;
	};
	readonly gate: Gate;
	readonly #ports: PassagePorts;
	/** The one that was given to a question last comes last. */
	#lines: readonly Line[] = [];
	/** In the order in which their visits began. */
	#waiting: readonly Waiting[] = [];
	/** Up to when each share's part of the budget is promised, epoch ms. A promise reserves nothing. */
	readonly #promised = new Map<string, number>();
	/** Ends the wait after which the queue is served, if nothing happens before. */
	#alarm = new AbortController();

	constructor(about: Passage['about'], gate: Gate, ports: PassagePorts) {
		this.about = about;
		this.gate = gate;
		this.#ports = ports;
	}

	/** The use of the gate, its connections (also those being opened or closed), and the questions that wait. */
	overview(now: number) {
		const counts = { connections: this.#lines.length, backlog: this.#waiting.length };
		return { ...this.about, ...counts, ...this.gate.figures(now) };
	}

	/** Waits for a connection and for a part of the budget. `busy`: there is none in time. */
	async place(asking: Asking): Promise<Turn | Conversed> {
		const { clock } = this.#ports;
		const now = clock.now();
		const { address, fresh, since = now, deadline, class: urgency } = asking;
		const warm = this.#lines.find(({ by, state }) => !fresh && by.address === address && state !== 'closing');
		const ask = this.#askFor(asking, warm ?? null, now);
		const waiting: Waiting = { ...asking, ...ask, since, turn: null, served: new AbortController() };
		this.#waiting = [...this.#waiting, waiting].toSorted((a, b) => a.since - b.since);
		this.#serve();
		const patienceMs = Math.min(PATIENCE_MS[urgency], deadline - now - CONVERSATION_MS_MIN);
		const isSoon = (): boolean => this.turnAt(waiting, waiting.gates, now) - now <= patienceMs;
		if (waiting.turn === null && patienceMs > 0 && isSoon())
			await clock.sleep(patienceMs, waiting.served.signal);
		if (waiting.turn !== null) return waiting.turn;
		const busy = this.#busy(waiting, clock.now());
		this.#waiting = this.#waiting.filter((one) => one !== waiting);
		this.#serve();
		return busy;
	}

	/** When a question has its turn, if no other comes; epoch ms. One that does not wait here comes last. */
	turnAt(ask: Ask, gates: readonly Gate[], now: number): number {
		let recipients = 0;
		// Questions for one address have one connection.
		const dialled = new Set<string>();
		for (const one of inTurn(this.#waiting, this.gate, now)) {
			if (one === ask) break;
			recipients += one.least;
			if (ask.dials && one.dials) dialled.add(one.address);
		}
		const at = Math.max(...gates.map((gate) => gate.look(ask, now).at));
		return at + this.gate.takesMs(recipients, dialled.size, now);
	}

	/**
	 * Each turn ends here, however its conversation went.
	 *
	 * @param isOfUse the connection can serve the next question
	 */
	release({ line, settles }: Turn, used: Parameters<Settle>[0], isOfUse: boolean): void {
		const now = this.#ports.clock.now();
		for (const settle of settles) settle(used, now);
		line.left -= used.recipients;
		Object.assign(line, { state: 'idle', idleSince: now });
		if (!isOfUse) void this.#close(line);
		this.#serve();
	}

	/** Says goodbye on every connection that is not used. */
	async end(): Promise<void> {
		await Promise.all(this.#idle().map((line) => this.#close(line)));
	}

	/** The unused connections; the one used last comes last. */
	#idle(): readonly Line[] {
		return this.#lines.filter(({ state }) => state === 'idle');
	}

	/** Gives every connection, and what there is of the budget, to those whose turn it is. */
	#serve(): void {
		const now = this.#ports.clock.now();
		for (const line of this.#idle()) if (now - line.idleSince >= IDLE_MS) void this.#close(line);
		const budget = this.gate.budget(now);
		let next = Infinity;
		// A smaller question must not overtake a larger one that waits for the budget.
		let isShort = false;
		for (const waiting of inTurn(this.#waiting, this.gate, now)) {
			// Nothing is looked through for a connection that can't be had.
			if (this.#lines.length >= budget.connections && this.#idle().length === 0) break;
			if (isShort && !this.gate.isFirst(waiting, now)) continue;
			const found = this.#lineFor(waiting, now);
			if (found === 'none') continue;
			Object.assign(waiting, this.#askFor(waiting, found, now));
			const looks = waiting.gates.map((gate) => gate.look(waiting, now));
			const recipients = Math.min(...looks.map(({ room }) => room));
			if (recipients > 0) {
				this.#waiting = this.#waiting.filter((one) => one !== waiting);
				const empty = { idleSince: now, left: budget.recipientsPerConnection, open: null };
				const line: Line = Object.assign(found ?? empty, { by: waiting, state: 'used' } as const);
				this.#lines = [...this.#lines.filter((one) => one !== line), line];
				const settles = waiting.gates.map((gate) => gate.take(waiting, recipients, now));
				waiting.turn = { line, recipients, settles };
				waiting.served.abort(OVER);
				continue;
			}
			next = Math.min(next, Math.max(now + 1, ...looks.map(({ at }) => at)));
			isShort ||= looks[0]?.isShort === true;
		}
		void this.#serveAt(Math.min(next, ...this.#idle().map(({ idleSince }) => idleSince + IDLE_MS)));
	}

	/** Infinity: nothing is due. */
	async #serveAt(at: number): Promise<void> {
		this.#alarm.abort(OVER);
		this.#alarm = new AbortController();
		const { signal } = this.#alarm;
		if (at === Infinity) return;
		await this.#ports.clock.sleep(at - this.#ports.clock.now(), signal);
		if (!signal.aborted) this.#serve();
	}

	/** The connection for a question: one that is open, null for a new one. */
	#lineFor({ member, address, refuser, fresh, plan }: Waiting, now: number): Line | null | 'none' {
		const { connections } = this.gate.budget(now);
		const inUse = this.#lines.filter(({ state }) => state === 'used');
		const isRefused = this.#ports.memory.standing(refuser).pause !== null;
		const isTried = isRefused && inUse.some(({ by }) => by.refuser === refuser);
		// Silent hosts, or thousands of questions of one share, don't keep all connections.
		const ofShare = inUse.filter(({ by }) => shareOf(by.member) === shareOf(member)).length;
		if (isTried || ofShare >= Math.max(1, connections - 1)) return 'none';
		const idle = this.#idle();
		const isFit = ({ by, left }: Line): boolean => by.address === address && left > plan.invented.length;
		const warm = fresh ? undefined : idle.findLast(isFit);
		if (warm !== undefined) return warm;
		if (this.#lines.length < connections) return null;
		// One closes at a time, and the question is served when it is closed.
		const [oldest] = idle;
		if (oldest !== undefined && this.#lines.every(({ state }) => state !== 'closing'))
			void this.#close(oldest);
		return 'none';
	}

	/** The recipients that a request takes over a connection; null: a new one. */
	#askFor(asking: Asking, line: Line | null, now: number): Pick<Ask, 'least' | 'most' | 'dials'> {
		const { recipientsPerConnection, recipientsPerMinute } = this.gate.budget(now);
		const { plan, class: urgency, refuser } = asking;
		const invented = plan.invented.length;
		const isRefused = this.#ports.memory.standing(refuser).pause !== null;
		const few = Math.min(invented + 1, recipientsPerConnection);
		const left = Math.max(few, line?.left ?? recipientsPerConnection);
		const many = invented + Math.min(plan.targets.length, plan.perTransaction * (RESETS_MAX + 1));
		const most = isRefused ? few : Math.min(many, left);
		const batch = urgency === 'single' ? 1 : Math.ceil(recipientsPerMinute / BATCHES_A_MINUTE);
		const least = Math.min(most, Math.max(few, batch));
		return { least, most, dials: line === null };
	}

	/** Closes an unused connection. It counts until it is closed. */
	async #close(line: Line): Promise<void> {
		line.state = 'closing';
		if (line.open !== null) await hangUp(line.open);
		this.#lines = this.#lines.filter((one) => one !== line);
		this.#serve();
	}

	/**
	 * The moment to ask again: for the questions of one share one after the other, as fast as its part of the budget goes.
	 * Lists and short jobs of a share are promised apart.
	 */
	#busy(waiting: Waiting, now: number): Conversed {
		const { member, class: urgency, plan, behind = 0, isSpread } = waiting;
		const from = Math.max(now + RETURN_MS_MIN, this.turnAt(waiting, waiting.gates, now));
		// Single calls are not retried: nothing is promised to them.
		if (urgency === 'single') return { kind: 'busy', until: from };
		for (const [name, end] of this.#promised) if (end <= now) this.#promised.delete(name);
		const name = `${shareOf(member)} ${urgency}`;
		const at = Math.max(from, this.#promised.get(name) ?? 0);
		const all = plan.invented.length + plan.targets.length + behind;
		const takesMs = this.gate.takesMs(all, Number(waiting.dials), now);
		const sharing = this.#promised.size + Number(!this.#promised.has(name));
		this.#promised.set(name, at + Math.ceil((takesMs * sharing) / PROMISED[isSpread ? 'spread' : 'here']));
		const jitterMs = this.#ports.random() * Math.min(JITTER_MS_MAX, JITTER * (at - now));
		return { kind: 'busy', until: Math.ceil(at + jitterMs) };
	}
}
