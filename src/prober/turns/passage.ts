import type { OperatorName } from '../../core/mail-operators/operators.ts';
import { RESETS_MAX } from '../../core/smtp/limits.ts';
import { inTurn } from '../../core/turns/gate.ts';
import type { Ask, Gate, Settle } from '../../core/turns/gate.ts';
import { shareOf } from '../../core/turns/who.ts';
import type { Urgency } from '../../core/turns/who.ts';
import type { Clock } from '../../lib/time.ts';
import { OVER } from '../../lib/time.ts';
import { CONVERSATION_MS_MIN, hangUp } from '../conversation.ts';
import type { ConversationRequest, Conversed, Open } from '../conversation.ts';

/** There is no connection, or no budget, in time. */
type Busy = Extract<Conversed, { kind: 'busy' }>;

/** A request by one source address. */
export interface Asking extends ConversationRequest, Pick<Ask, 'member' | 'isDoubtful'> {
	readonly egress: string;
	readonly passage: Passage;
	/** All gates that it passes; the first is the passage's own. */
	readonly gates: readonly Gate[];
	/** Whose refusals before RCPT count together: the company, or the machine that is dialled (`company` is null). */
	readonly refuser: string;
	readonly company: OperatorName | null;
	/** It refused us last, so that one turn at a time tries whether it takes us again. */
	readonly isTrying: () => boolean;
	/** Where it may ask again. */
	readonly returns: keyof typeof PROMISED;
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
	#lines: readonly Line[] = [];
	/** In the order in which their visits began. */
	#waiting: readonly Waiting[] = [];
	/** Up to when each share's part of the budget is promised, epoch ms. A promise reserves nothing. */
	readonly #promised = new Map<string, number>();
	/** When the queue is served again, if nothing happens before. */
	#alarm = { at: Infinity, off: new AbortController() };

	constructor(about: About, gate: Gate, ports: { readonly clock: Clock; readonly random: () => number }) {
		this.about = about;
		this.gate = gate;
		this.#ports = ports;
	}

	/** The use of the gate, its connections (also those being opened or closed), and the questions that wait. */
	overview(now: number) {
		const counts = { connections: this.#lines.length, backlog: this.#waiting.length };
		return { ...this.about, ...counts, ...this.gate.figures(now) };
	}

	/** When one more question has its turn after all that wait; epoch ms. */
	lastAt(ask: Ask, now: number): number {
		const waiting = this.#waiting.reduce((sum, { least }) => sum + least, 0);
		return this.gate.look(ask, now).at + this.gate.takesMs(waiting, 0, now);
	}

	/** Waits for a connection and for a part of the budget. */
	async place(asking: Asking): Promise<Turn | Busy> {
		const { clock } = this.#ports;
		const now = clock.now();
		const { address, fresh, deadline, class: urgency } = asking;
		const warm = this.#lines.find(({ by, state }) => !fresh && by.address === address && state !== 'closing');
		const ask = this.#askFor(asking, warm ?? null, now);
		const { since = now } = asking;
		const waiting: Waiting = { ...asking, ...ask, since, turn: null, served: new AbortController() };
		this.#waiting = [...this.#waiting, waiting].toSorted((a, b) => a.since - b.since);
		this.#serve();
		const patienceMs = Math.min(PATIENCE_MS[urgency], deadline - now - CONVERSATION_MS_MIN);
		const isSoon = patienceMs > 0 && this.#turnAt(waiting, now) - now <= patienceMs;
		if (waiting.turn === null && isSoon) await clock.sleep(patienceMs, waiting.served.signal);
		if (waiting.turn !== null) return waiting.turn;
		this.#waiting = this.#waiting.filter((one) => one !== waiting);
		this.#serve();
		return this.#busy(waiting, clock.now());
	}

	/** When it is the turn of a question that came last, if no other comes; epoch ms. */
	#turnAt(waiting: Waiting, now: number): number {
		const turns = inTurn([...this.#waiting.filter((one) => one !== waiting), waiting], this.gate, now);
		const ahead = turns.slice(0, turns.indexOf(waiting));
		const recipients = ahead.reduce((sum, { least }) => sum + least, 0);
		// Questions for one address have one connection, unless each wants a new one.
		const dialling = waiting.dials ? ahead.filter((one) => one.dials) : [];
		const dials = new Set(dialling.map((one) => (one.fresh ? one : one.address))).size;
		const aheadMs = this.gate.takesMs(recipients, dials, now);
		return Math.max(...waiting.gates.map((gate) => gate.look(waiting, now).at)) + aheadMs;
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

	/** The unused connections; the one used last comes first. */
	#idle(): Line[] {
		return this.#lines.filter(({ state }) => state === 'idle').toSorted((a, b) => b.idleSince - a.idleSince);
	}

	/** Gives every connection, and what there is of the budget, to those whose turn it is. */
	#serve(): void {
		const now = this.#ports.clock.now();
		for (const line of this.#idle()) if (now - line.idleSince >= IDLE_MS) void this.#close(line);
		let next: number | null = null;
		while (next === null) next = this.#serveOne(now);
		void this.#wakeAt(Math.min(next, ...this.#idle().map(({ idleSince }) => idleSince + IDLE_MS)));
	}

	/** Serves the next question. When none can be served: when one can, as far as that is known; else null. */
	#serveOne(now: number): number | null {
		let next = Infinity;
		// Nothing is looked through for a connection that can't be had.
		if (this.#lines.length >= this.gate.budget(now).connections && this.#idle().length === 0) return next;
		// A smaller question must not overtake a larger one that waits for the budget.
		let isShort = false;
		for (const waiting of inTurn(this.#waiting, this.gate, now)) {
			const isFirst = this.gate.isFirst(waiting, now);
			if (isShort && !isFirst) continue;
			const line = this.#lineFor(waiting, now);
			if (line === 'none') continue;
			const ask = this.#askFor(waiting, line, now);
			const looks = waiting.gates.map((gate) => gate.look(ask, now));
			const recipients = Math.min(...looks.map(({ room }) => room));
			if (recipients > 0) {
				this.#grant(waiting, line, ask, recipients, now);
				return null;
			}
			next = Math.min(next, Math.max(now + 1, ...looks.map(({ at }) => at)));
			if (looks[0]?.isShort !== true) continue;
			if (isFirst) break;
			isShort = true;
		}
		return next;
	}

	/** The connection for a question: one that is open, null for a new one. */
	#lineFor({ member, address, refuser, fresh, plan, isTrying }: Waiting, now: number): Line | null | 'none' {
		const { connections } = this.gate.budget(now);
		const inUse = this.#lines.filter(({ state }) => state === 'used');
		const isTried = inUse.some(({ by }) => by.refuser === refuser) && isTrying();
		// Silent hosts, or thousands of questions of one share, don't keep all connections.
		const ofShare = inUse.filter(({ by }) => shareOf(by.member) === shareOf(member)).length;
		if (isTried || ofShare >= Math.max(1, connections - 1)) return 'none';
		const idle = this.#idle();
		const isFit = ({ by, left }: Line): boolean => by.address === address && left > inventedIn(plan);
		const warm = fresh ? undefined : idle.find(isFit);
		if (warm !== undefined) return warm;
		if (this.#lines.length < connections) return null;
		// One closes at a time, and the question is served when it is closed.
		const oldest = idle.at(-1);
		if (oldest !== undefined && this.#lines.every(({ state }) => state !== 'closing'))
			void this.#close(oldest);
		return 'none';
	}

	/** The recipients that a request takes over a connection; null: a new one. */
	#askFor(asking: Asking, line: Line | null, now: number): Ask {
		const { recipientsPerConnection, recipientsPerMinute } = this.gate.budget(now);
		const { plan, member, isDoubtful, class: urgency, isTrying } = asking;
		const few = Math.min(inventedIn(plan) + 1, recipientsPerConnection);
		const left = Math.max(few, line?.left ?? recipientsPerConnection);
		const many = inventedIn(plan) + Math.min(plan.targets.length, plan.perTransaction * (RESETS_MAX + 1));
		const most = isTrying() ? few : Math.min(many, left);
		const batch = urgency === 'single' ? 1 : Math.ceil(recipientsPerMinute / BATCHES_A_MINUTE);
		const least = Math.min(most, Math.max(few, batch));
		return { member, isDoubtful, class: urgency, least, most, dials: line === null };
	}

	#grant(waiting: Waiting, open: Line | null, ask: Ask, recipients: number, now: number): void {
		this.#waiting = this.#waiting.filter((one) => one !== waiting);
		const use = { by: waiting, state: 'used' } as const;
		const left = this.gate.budget(now).recipientsPerConnection;
		const line: Line = Object.assign(open ?? { idleSince: now, left, open: null }, use);
		if (open === null) this.#lines = [...this.#lines, line];
		const settles = waiting.gates.map((gate) => gate.take(ask, recipients, now));
		waiting.turn = { line, recipients, settles };
		waiting.served.abort(OVER);
	}

	/** Closes an unused connection. It counts until it is closed. */
	async #close(line: Line): Promise<void> {
		line.state = 'closing';
		if (line.open !== null) await hangUp(line.open);
		this.#lines = this.#lines.filter((one) => one !== line);
		this.#serve();
	}

	/** Infinity: nothing is due. */
	async #wakeAt(at: number): Promise<void> {
		if (this.#alarm.at === at) return;
		this.#alarm.off.abort(OVER);
		const alarm = { at, off: new AbortController() };
		this.#alarm = alarm;
		if (at === Infinity) return;
		await this.#ports.clock.sleep(at - this.#ports.clock.now(), alarm.off.signal);
		if (alarm.off.signal.aborted) return;
		alarm.at = Infinity;
		this.#serve();
	}

	/**
	 * The moment to ask again: for the questions of one share one after the other, as fast as its part of the budget goes.
	 * Lists and short jobs of a share are promised apart.
	 */
	#busy(waiting: Waiting, now: number): Busy {
		const { member, class: urgency, plan, behind = 0, returns, fresh } = waiting;
		const from = Math.max(now + RETURN_MS_MIN, this.#turnAt(waiting, now));
		// Single calls are not retried: nothing is promised to them.
		if (urgency === 'single') return { kind: 'busy', until: from };
		for (const [name, end] of this.#promised) if (end <= now) this.#promised.delete(name);
		const name = `${shareOf(member)} ${urgency}`;
		const at = Math.max(from, this.#promised.get(name) ?? 0);
		const all = inventedIn(plan) + plan.targets.length + behind;
		const sharing = this.#promised.size + Number(!this.#promised.has(name));
		// Those of a short job come back close together, and share connections; those of a list find them closed.
		const isShared = urgency === 'small' && !fresh;
		const dials = isShared ? all / this.gate.budget(now).recipientsPerConnection : Number(waiting.dials);
		const takesMs = this.gate.takesMs(all, dials, now) * sharing;
		this.#promised.set(name, at + Math.ceil(takesMs / PROMISED[returns]));
		const jitterMs = this.#ports.random() * Math.min(JITTER_MS_MAX, JITTER * (at - now));
		return { kind: 'busy', until: Math.ceil(at + jitterMs) };
	}
}

/** Recipients of a plan that don't exist. */
export function inventedIn({ invented }: ConversationRequest['plan']): number {
	return invented.length;
}
