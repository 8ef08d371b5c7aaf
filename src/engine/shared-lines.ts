import { hasRoomForSpare, nextStep, overdueLines } from '../core/exchanger/lines.ts';
import { answered, asked, closesAt, isDense, NOBODY_ASKED } from '../core/exchanger/linger.ts';
import {
	allAtOnce,
	asIfConfirmed,
	isEnough,
	keptForMs,
	shortened,
} from '../core/exchanger/remembered-invented.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import { SmtpSession } from '../core/smtp/session.ts';
import type { LineState, RecipientReply, SessionPlan, SessionReport } from '../core/smtp/session.ts';
import { interpretInvented, interpretSession } from '../core/verification/interpret-session.ts';
import { observeSession } from '../core/verification/observe-session.ts';
import type { Conversations, ConversationRequest, Conversed, InventedMemory } from './conversations-port.ts';
import { carryOn, CONNECT_TIMEOUT_MS, CONVERSATION_MS_MIN, leave } from './converse.ts';
import type { Clock, Connection, Dialer, SenderIdentity, StandingMemory } from './ports.ts';
import { Spare } from './spare.ts';

export interface SharedLinePorts {
	readonly clock: Clock;
	readonly dialer: Dialer;
	readonly standing: StandingMemory;
	readonly invented: InventedMemory;
}

/** An open connection between two conversations. */
interface Idle {
	readonly connection: Connection;
	readonly identity: SenderIdentity;
	readonly egress: string;
	readonly state: LineState;
	readonly session: SmtpSession;
}

interface Held {
	readonly id: number;
	readonly to: string;
	idleSince: number | null;
	idle: Idle | null;
}

interface Waiting {
	readonly to: string;
	readonly fresh: boolean;
	readonly take: (line: Held) => void;
}

// With more than this before us nobody's turn comes in time.
const WAITING_MAX = 24;
// A caller has fifteen seconds in all; who waits longer than this had better dial for himself.
const WAIT_MS_MAX = 3_000;
// Then the connection is somebody else's: a list of thousands must not keep one address waiting.
const TRANSACTIONS_PER_TURN = 3;

/**
 * Connections to the hosts of one mail operator, kept open for a while and shared by all who ask. One conversation after
 * the other, in the order in which they came.
 */
export class SharedLines implements Conversations {
	readonly #ports: SharedLinePorts;
	readonly #lines = new Map<number, Held>();
	#waiting: Waiting[] = [];
	#ids = 0;
	readonly #spare: Spare;
	#linger = NOBODY_ASKED;
	#watch = new AbortController();

	constructor(ports: SharedLinePorts) {
		this.#ports = ports;
		this.#spare = new Spare(ports.clock, ports.dialer);
	}

	/** Connections open or being opened. */
	get openLines(): number {
		return this.#lines.size;
	}

	/** Whether the next connection has been begun. */
	get hasSpare(): boolean {
		return this.#spare.idleSince !== null;
	}

	async hold(request: ConversationRequest): Promise<Conversed> {
		const { clock, standing } = this.#ports;
		const why = standing.paused(request.host, request.asker);
		if (why !== null) return { kind: 'paused', why };
		this.#linger = asked(this.#linger, clock.now());
		try {
			return await this.#ask(request);
		} finally {
			this.#linger = answered(this.#linger, clock.now());
			this.#watchIdle();
		}
	}

	async #ask(request: ConversationRequest): Promise<Conversed> {
		const { clock, dialer, invented } = this.#ports;
		const known = request.isBest ? (invented.find(request.domain, clock.now()) ?? []) : [];
		const finding = interpretInvented({ invented: known, sender: null }, request.operator);
		const remembered = isEnough(finding, request.plan) ? known : [];
		const isKnownToAccept = remembered.length === 0 && finding === 'accepted';
		const plan = {
			...request.plan,
			...(remembered.length > 0 ? { invented: [], furtherInvented: [] } : {}),
			...(isKnownToAccept ? allAtOnce(request.plan) : {}),
		};
		const to = `${dialer.egressFor(request.domain)} ${request.address}`;
		let conversed = await this.#converse(request, plan, to, plan.pipelining === 'never');
		// What an old connection leaves unanswered is about that connection.
		if (conversed === 'stale') conversed = await this.#converse(request, plan, to, true);
		if (conversed === 'stale') return { kind: 'busy' };
		if (conversed.kind !== 'held') return conversed;
		const report = isKnownToAccept ? asIfConfirmed(conversed.report, request.plan) : conversed.report;
		this.#learn(request, report, remembered);
		return { ...conversed, report, remembered };
	}

	async #converse(
		request: ConversationRequest,
		plan: ConversationRequest['plan'],
		to: string,
		fresh: boolean,
	): Promise<Conversed | 'stale'> {
		const line = await this.#place(to, fresh, request.deadline);
		if (line === null) return { kind: 'busy' };
		const { idle } = line;
		line.idle = null;
		let kept: Idle | null = null;
		try {
			const open = idle === null ? await this.#dial(request) : await isStillThere(idle);
			if (open === null) return 'stale';
			if ('kind' in open) return open;
			const { connection, identity, egress, state } = open;
			const session = new SmtpSession({ ...plan, ...identity, limits: limitsFor(plan, state) }, state);
			await carryOn(this.#ports.clock, connection, session, request.deadline);
			const report = session.report();
			if (session.line !== null && !isDeferring(report, request.operator))
				kept = { connection, identity, egress, state: session.line, session };
			else {
				await hangUp(connection, session);
				this.#prepare(request.domain);
			}
			if (idle !== null && isStale(report) && this.#hasTime(request.deadline)) return 'stale';
			return { kind: 'held', report, egress, warm: idle !== null, remembered: [] };
		} finally {
			this.#release(line, kept);
		}
	}

	async #dial(
		request: ConversationRequest,
	): Promise<
		| (Omit<Idle, 'state' | 'session'> & { readonly state: null })
		| Extract<Conversed, { kind: 'no_connection' }>
	> {
		const { clock, dialer } = this.#ports;
		const limitMs = Math.min(CONNECT_TIMEOUT_MS, request.deadline - clock.now());
		const begun = await this.#spare.take(request.domain);
		// One that could not be taken makes room for this one.
		if (!hasRoomForSpare(this.#lines.size)) this.#spare.end();
		try {
			const dialled = await (begun?.dialer ?? dialer).dial(
				{ domain: request.domain, address: request.address },
				limitMs,
			);
			if (dialled.kind === 'no_connection') return dialled;
			const { connection, identity, egress } = dialled;
			this.#prepare(request.domain);
			return { connection, identity, egress, state: null };
		} finally {
			begun?.end();
		}
	}

	/** Begins the next connection, where it will soon be needed: a server bears ten conversations or so. */
	#prepare(domain: string): void {
		if (isDense(this.#linger) && hasRoomForSpare(this.#lines.size)) this.#spare.prepare(domain);
	}

	/** Waits for a place, first come first served; null: not in time. */
	async #place(to: string, fresh: boolean, deadline: number): Promise<Held | null> {
		const { clock } = this.#ports;
		let taken: Held | null = null;
		const { promise: served, resolve: wake } = Promise.withResolvers<void>();
		const waiting: Waiting = {
			to,
			fresh,
			take: (line) => {
				taken = line;
				wake();
			},
		};
		this.#waiting.push(waiting);
		this.#serve();
		if (taken !== null) return taken;
		const patienceMs = Math.min(WAIT_MS_MAX, deadline - clock.now() - CONVERSATION_MS_MIN);
		if (this.#waiting.length <= WAITING_MAX && patienceMs > 0) {
			const patience = new AbortController();
			await Promise.race([served, clock.sleep(patienceMs, patience.signal)]);
			patience.abort();
		}
		this.#waiting = this.#waiting.filter((other) => other !== waiting);
		return taken;
	}

	/** Gives every place that there is to who has waited longest for it. */
	#serve(): void {
		for (const waiting of this.#waiting) {
			const step = nextStep([...this.#lines.values()], waiting.to, waiting.fresh);
			if (step.kind === 'wait') continue;
			this.#waiting = this.#waiting.filter((other) => other !== waiting);
			waiting.take(step.kind === 'use' ? this.#use(step.id) : this.#reserve(waiting.to, step.closing));
		}
	}

	#use(id: number): Held {
		const line = this.#lines.get(id);
		if (line === undefined) throw new Error('the line is held');
		line.idleSince = null;
		return line;
	}

	#reserve(to: string, closing: number | null): Held {
		if (closing !== null) void this.#close(closing);
		this.#ids += 1;
		const line: Held = { id: this.#ids, to, idleSince: null, idle: null };
		this.#lines.set(line.id, line);
		return line;
	}

	#release(line: Held, kept: Idle | null): void {
		if (kept === null) this.#lines.delete(line.id);
		else {
			line.idle = kept;
			kept.connection.listen();
			line.idleSince = this.#ports.clock.now();
		}
		this.#serve();
	}

	/** Closes what has been idle for too long, and waits for the next to become so: for no longer, since a wait is billed. */
	#watchIdle(): void {
		this.#watch.abort();
		const now = this.#ports.clock.now();
		for (const id of overdueLines([...this.#lines.values()], this.#linger, now)) void this.#close(id);
		const spareSince = this.#spare.idleSince;
		if (spareSince !== null && closesAt(this.#linger, spareSince) <= now) this.#spare.end();
		const idle = [...this.#lines.values(), this.#spare].flatMap(({ idleSince }) => idleSince ?? []);
		if (idle.length === 0) return;
		const nextAt = Math.min(...idle.map((since) => closesAt(this.#linger, since)));
		const watch = new AbortController();
		this.#watch = watch;
		void this.#ports.clock
			.sleep(nextAt - now, watch.signal)
			.then(() => (watch.signal.aborted ? undefined : this.#watchIdle()));
	}

	async #close(id: number): Promise<void> {
		const idle = this.#lines.get(id)?.idle ?? null;
		this.#lines.delete(id);
		if (idle !== null) await hangUp(idle.connection, idle.session);
	}

	#hasTime(deadline: number): boolean {
		return deadline - this.#ports.clock.now() >= CONVERSATION_MS_MIN;
	}

	/** What the conversation shows of our standing, and of the domain. */
	#learn(request: ConversationRequest, report: SessionReport, remembered: readonly RecipientReply[]): void {
		const { clock, standing, invented } = this.#ports;
		const { domain, operator, host, asker, isBest } = request;
		const nobody = report.targets.every(({ reply }) => reply === null);
		for (const [index, { reply }] of report.targets.entries()) {
			if (reply === null && !(nobody && index === 0)) continue;
			const interpretation = interpretSession(report, operator, index, remembered);
			const observation = observeSession(interpretation, report, domain);
			if (observation !== null) standing.observed(host, observation, asker);
		}
		const keptMs = keptForMs(interpretInvented(report, operator));
		if (!isBest || keptMs === 0) return;
		const now = clock.now();
		invented.keep(domain, shortened(report.invented), now, now + keptMs);
	}
}

/** A server that said something, or hung up, while nobody asked is of no more use: what it says next answers nothing. */
async function isStillThere(idle: Idle): Promise<Idle | null> {
	const { kind } = await idle.connection.read(0);
	if (kind === 'timeout') return idle;
	idle.connection.close();
	return null;
}

async function hangUp(connection: Connection, session: SmtpSession): Promise<void> {
	try {
		await leave(connection, session);
	} finally {
		connection.close();
	}
}

/** Postscreen answers truly to those who come again: the connection that it put off stays put off (4.3.2). */
function isDeferring(report: SessionReport, operator: OperatorName | null): boolean {
	return report.targets.some(
		(_, index) => interpretSession(report, operator, index).advice === 'ask_again_soon',
	);
}

function isStale({ targets, end }: SessionReport): boolean {
	return end.kind !== 'smtputf8_missing' && targets.every(({ reply }) => reply === null);
}

function limitsFor({ limits }: Pick<SessionPlan, 'limits'>, state: LineState | null): SessionPlan['limits'] {
	const transactions = (state?.transactions ?? 0) + TRANSACTIONS_PER_TURN;
	return { ...limits, resets: Math.min(limits.resets, transactions - 1) };
}
