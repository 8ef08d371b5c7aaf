import { comesFirst } from '../../core/politeness/allowance.ts';
import type { Allowance, Ask } from '../../core/politeness/allowance.ts';
import type { Budget } from '../../core/politeness/budget.ts';
import type { Spent } from '../../core/politeness/day-book.ts';
import { FairQueue } from '../../core/politeness/fair-queue.ts';
import type { MailHost } from '../../core/politeness/mail-host.ts';
import { Returns } from '../../core/politeness/returns.ts';
import type { QuestionClass } from '../../engine/question.ts';
import { assert } from '../../lib/assert.ts';
import { CONVERSATION_MS_MIN } from '../converse.ts';
import { hangUp } from './line.ts';
import type { Idle, Line } from './line.ts';
import { IDLE_MS, nextStep } from './places.ts';
import type { Step, PlaceNeeds } from './places.ts';
import { waitingFor } from './turn-request.ts';
import type { Grant, Waiting, TurnRequest } from './turn-request.ts';
import type { Clock } from '../ports.ts';

/** There is no place, or no budget, in time. */
export interface Busy {
	readonly kind: 'busy';
	/** When to ask again, epoch milliseconds. */
	readonly until: number;
	/** It comes soon, but the question has no time left for it. */
	readonly isLate?: true;
}

/** How a host may be asked just now. */
export interface PacedBudget {
	readonly budget: Budget;
	/** It refused us last: one question at a time. */
	readonly isTrying: boolean;
}

/** The connection that a question may have now. */
type Turn = Exclude<Step<Line>, { kind: 'wait' }>;

/** When the queue is served again, if nothing happens before. */
interface Alarm {
	readonly at: number;
	readonly off: AbortController;
}

// With more than this waiting, a list's turn does not come in time. A share may fill as many places as are free, so that
// there is room for one more share.
const WAITING_MAX = 500;
// A caller has fifteen seconds in all: asking again is better than a longer wait.
const WAIT_MS_MAX: Readonly<Record<QuestionClass, number>> = { single: 5_000, small: 15_000, list: 30_000 };
// Questions that are refused ask again no sooner, and not all at the same moment.
const RETURN_MS_MIN = 4_000;
const JITTER = 0.25;
// Times the budget that is promised: some questions come later than the moment they were given, or with less.
const PROMISED = 1.75;
// A list that would be served so soon goes on with its next question, instead of coming back behind all others.
const SOON_MS = 10_000;
const JITTER_MS_MAX = 60_000;
const WAIT: Step<Line> = { kind: 'wait', closing: null };

/** The connections to one operator, or one machine, from one source address, and the questions that wait for them. */
export class LineGroup {
	readonly name: string;
	readonly #clock: Clock;
	readonly #random: () => number;
	readonly #terms: (host: MailHost) => PacedBudget;
	readonly #allowance: Allowance;
	readonly #lines = new Set<Line>();
	readonly #queue = new FairQueue<Waiting>();
	readonly #returns = new Returns();
	/** That of the last question: for figures. */
	#lastHost: MailHost | null = null;
	#alarm: Alarm | null = null;

	constructor(
		name: string,
		{ clock, random }: { readonly clock: Clock; readonly random: () => number },
		terms: (host: MailHost) => PacedBudget,
		allowance: Allowance,
	) {
		this.name = name;
		this.#clock = clock;
		this.#random = random;
		this.#terms = terms;
		this.#allowance = allowance;
	}

	/** Connections open, being opened or being closed. */
	get open(): number {
		return this.#lines.size;
	}

	get waiting(): number {
		return this.#queue.size;
	}

	get spent(): Spent {
		return this.#allowance.spent;
	}

	/** Nothing of it needs to be remembered, but what was spent today. */
	get isOver(): boolean {
		if (this.open > 0 || this.waiting > 0 || this.#lastHost === null) return false;
		return this.#allowance.isQuiet(this.#terms(this.#lastHost).budget, this.#clock.now());
	}

	/** Figures for admins; null before the first question. */
	overview() {
		if (this.#lastHost === null) return null;
		const { budget, isTrying } = this.#terms(this.#lastHost);
		const { now: leftNow, today, usedToday, mostToday } = this.#allowance.left(budget, this.#clock.now());
		return {
			connections: this.open,
			waiting: this.waiting,
			isTrying,
			budget,
			leftNow,
			leftToday: today,
			usedToday,
			mostToday,
		};
	}

	/** When it would be the turn of one more question, or when it had to ask again. Epoch milliseconds. */
	turnAt(request: Pick<TurnRequest, 'host' | 'class' | 'asker' | 'isTrial' | 'owner' | 'targets'>): number {
		const now = this.#clock.now();
		const { budget } = this.#terms(request.host);
		const question = { ...request, to: '', fresh: false, beside: 0, atOnce: request.targets };
		const waiting = waitingFor(question, budget, () => {});
		const ahead = { recipients: this.#queue.before(waiting), connections: 0 };
		const at = this.#allowance.expectedAt(budget, { ...waiting, connects: false }, ahead, now);
		return Math.max(at, this.#returns.endOf(returnNameOf(waiting)));
	}

	/** Waits for a connection and for a part of the budget. */
	async place(request: TurnRequest): Promise<Grant | Busy> {
		const now = this.#clock.now();
		this.#lastHost = request.host;
		const { budget } = this.#terms(request.host);
		const patienceMs = Math.min(WAIT_MS_MAX[request.class], request.deadline - now - CONVERSATION_MS_MIN);
		const { promise: served, resolve } = Promise.withResolvers<void>();
		let granted: Grant | null = null;
		const waiting = waitingFor(request, budget, (grant) => {
			granted = grant;
			resolve();
		});
		const most = comesFirst(waiting) ? 2 * WAITING_MAX : WAITING_MAX;
		if (this.#queue.sizeOf(waiting.share) >= most - this.#queue.size) return this.#busy(request, waiting);
		this.#queue.add(waiting);
		this.#serve();
		if (granted !== null) return granted;
		if (this.#expectedAt(waiting, budget, now) - now <= patienceMs && patienceMs > 0) {
			const patience = new AbortController();
			await Promise.race([served, this.#clock.sleep(patienceMs, patience.signal)]);
			patience.abort();
			if (granted !== null) return granted;
		}
		this.#queue.remove(waiting);
		this.#serve();
		const waitMs = this.#expectedAt(waiting, budget, now) - now;
		if (request.class === 'list' && patienceMs < SOON_MS && waitMs <= SOON_MS)
			return { kind: 'busy', until: now + waitMs, isLate: true };
		return this.#busy(request, waiting);
	}

	/** The connection that was granted is being opened. */
	dial(grant: Grant): void {
		assert(grant.mayDial, 'a new connection was granted');
		grant.mayDial = false;
	}

	/** So many recipients are asked about now. */
	send(grant: Grant, recipients: number): void {
		grant.held = Math.max(0, grant.held - recipients);
		grant.line.left -= recipients;
	}

	/**
	 * The conversation is over; `kept` is what it left of the connection. `closing`: the connection is being closed.
	 * `isPaid`: the answer decides, and is in time.
	 */
	release(grant: Grant, kept: Idle | null, closing: Promise<void> | null, isPaid: boolean): void {
		const { line, member, isDoubtful, countedAs, recipients, held, mayDial } = grant;
		const now = this.#clock.now();
		this.#allowance.giveBack(countedAs, held, now);
		if (isDoubtful) this.#allowance.settle(countedAs, member, isPaid, recipients - held, now);
		if (mayDial) this.#allowance.giveBackConnection();
		if (kept !== null) {
			line.idle = kept;
			line.idleSince = this.#clock.now();
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

	/** Gives every place, and what there is of the budget, to those whose turn it is. */
	#serve(): void {
		while (this.#serveOne());
		if (this.#queue.size > 0) return;
		this.#alarm?.off.abort();
		this.#alarm = null;
	}

	/** Whether a question was served. */
	#serveOne(): boolean {
		const now = this.#clock.now();
		// A smaller question must not overtake a larger one that waits for the budget.
		const isOut = { first: false, others: false };
		for (const waiting of this.#queue.inTurn()) {
			const level = comesFirst(waiting) ? 'first' : 'others';
			if (isOut[level]) continue;
			const terms = this.#terms(waiting.host);
			const step = this.#stepFor(waiting, terms);
			if (step.kind === 'wait') {
				if (step.closing !== null) void this.#close(step.closing);
				continue;
			}
			const ask = this.#askFor(waiting, step, terms);
			const recipients = this.#allowance.room(terms.budget, ask, now);
			if (recipients > 0) {
				this.#grant(waiting, step, recipients, terms, now);
				return true;
			}
			const nextAt = this.#allowance.nextAt(terms.budget, ask, now);
			void this.#wakeAt(Math.max(nextAt, now + 1), now);
			const isConnection = this.#allowance.room(terms.budget, { ...ask, connects: false }, now) > 0;
			// Other shares need not wait where this one's day is over.
			if (isConnection || nextAt - now > WAIT_MS_MAX.list) continue;
			isOut.others = true;
			isOut.first ||= level === 'first';
		}
		return false;
	}

	#stepFor({ host, share, to, fresh, few }: Waiting, { budget, isTrying }: PacedBudget): Step<Line> {
		const lines = [...this.#lines];
		const inUse = lines.filter(({ idleSince, isClosing }) => idleSince === null && !isClosing);
		if (isTrying && inUse.some((line) => line.party === host.party)) return WAIT;
		// Silent hosts, or thousands of questions of one share, don't keep all connections.
		const ofShare = inUse.filter((line) => line.share === share).length;
		if (ofShare >= Math.max(1, budget.connections - 1)) return WAIT;
		return nextStep(lines, { to, fresh, least: few }, budget.connections);
	}

	#askFor(waiting: Waiting, step: Turn, { budget, isTrying }: PacedBudget): Ask {
		const { few, most } = waiting;
		const connects = step.kind === 'open';
		if (isTrying) return { ...waiting, least: few, most: few, connects };
		const { left } = step.kind === 'use' ? step.place : { left: budget.recipientsPerConnection };
		const fits = Math.max(few, Math.min(left, most));
		return { ...waiting, least: Math.min(waiting.least, fits), most: fits, connects };
	}

	#grant(waiting: Waiting, step: Turn, recipients: number, { budget }: PacedBudget, now: number): void {
		const { member, isDoubtful } = waiting;
		this.#queue.serve(waiting, recipients);
		const countedAs = this.#allowance.nameFor(waiting, recipients, now);
		this.#allowance.take(budget, countedAs, recipients, now);
		const opens = step.kind === 'open';
		if (opens) this.#allowance.takeConnection(budget, now);
		const line = opens ? this.#reserve(waiting, budget) : useAgain(step.place, waiting);
		waiting.take({ line, recipients, member, isDoubtful, countedAs, held: recipients, mayDial: opens });
	}

	#reserve({ to, share, host }: Waiting, budget: Budget): Line {
		const line: Line = {
			to,
			share,
			party: host.party,
			left: budget.recipientsPerConnection,
			idleSince: null,
			isClosing: false,
			idle: null,
			patience: null,
		};
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

	/** When it is a question's turn, as far as the group knows. */
	#expectedAt(waiting: Waiting, budget: Budget, now: number): number {
		const connects = this.#connects(waiting);
		const dials = (one: Waiting): number => (this.#connects(one) ? 1 : 0);
		const ahead = {
			recipients: this.#queue.before(waiting),
			connections: connects ? this.#queue.before(waiting, dials) : 0,
		};
		return this.#allowance.expectedAt(budget, { ...waiting, connects }, ahead, now);
	}

	/** No connection is there that would do. */
	#connects({ to, fresh }: Pick<PlaceNeeds, 'to' | 'fresh'>): boolean {
		return fresh || ![...this.#lines].some((line) => line.to === to && !line.isClosing);
	}

	#busy(request: TurnRequest, waiting: Waiting): Busy {
		const now = this.#clock.now();
		const { budget } = this.#terms(request.host);
		const from = Math.max(now + RETURN_MS_MIN, this.#expectedAt(waiting, budget, now));
		// Single calls are not retried: nothing is promised to them.
		if (request.class === 'single') return { kind: 'busy', until: from };
		const recipients = request.targets + request.beside;
		// At a host that serves one of its operator's customers, new connections are scarce.
		const perDial = this.#connects(waiting) ? budget.recipientsPerMinute / budget.connectionsPerMinute : 0;
		const takesMs = (Math.max(recipients, perDial) * 60_000) / (budget.recipientsPerMinute * PROMISED);
		const at = this.#returns.next(returnNameOf(waiting), now, from, takesMs);
		const jitterMs = this.#random() * Math.min(JITTER_MS_MAX, JITTER * (at - now));
		return { kind: 'busy', until: Math.ceil(at + jitterMs) };
	}
}

function useAgain(line: Line, { share, host }: Waiting): Line {
	line.patience?.abort();
	line.idleSince = null;
	line.share = share;
	line.party = host.party;
	return line;
}

/** Lists and short jobs of a share are promised apart. */
function returnNameOf({ share, urgency }: Pick<Waiting, 'share' | 'urgency'>): string {
	return `${share} ${urgency}`;
}
