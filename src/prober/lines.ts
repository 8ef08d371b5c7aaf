import { isEnough, keptForMs, allAtOnce, asIfConfirmed, shortened } from './remembered-invented.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import { everybodysName } from '../core/politeness/mail-host.ts';
import { SmtpSession } from '../core/smtp/session.ts';
import type { LineState, SessionPlan, SessionReport } from '../core/smtp/session.ts';
import { interpretInvented, interpretSession } from '../core/verification/interpret-session.ts';
import { assert } from '../lib/assert.ts';
import type { Conversations, ConversationRequest, Conversed } from './conversation.ts';
import { carryOn, CONNECT_TIMEOUT_MS, CONVERSATION_MS_MIN, leave } from './converse.ts';
import type { QuestionClass } from '../engine/question.ts';
import type { Clock, Connection, Dialer, InventedMemory, SenderIdentity, StandingMemory } from './ports.ts';
import { IDLE_MS, nextStep, RANK } from './places.ts';
import type { Place } from './places.ts';

export interface LinePorts {
	readonly clock: Clock;
	readonly dialer: Dialer;
	readonly standing: StandingMemory;
	readonly invented: InventedMemory;
	/** Told of each conversation that came to its end. */
	readonly held?: (egress: string, end: SessionReport['end']['kind']) => void;
}

/** An open connection between two conversations. */
interface Idle {
	readonly connection: Connection;
	readonly identity: SenderIdentity;
	readonly egress: string;
	readonly state: LineState;
	readonly session: SmtpSession;
}

interface Held extends Place {
	idleSince: number | null;
	idle: Idle | null;
	/** Ends the wait for somebody to use it. */
	patience: AbortController | null;
}

/** The connections to one operator, or mail host, from one source address: whose patience is one. */
interface Group {
	readonly name: string;
	readonly most: number;
	readonly lines: Map<number, Held>;
	waiting: readonly Waiting[];
}

interface Waiting {
	readonly to: string;
	readonly fresh: boolean;
	readonly rank: number;
	readonly take: (line: Held) => void;
}

// A shared operator bears a few callers from one address, a mail host of somebody's own a couple (knowledge of others
// who pace: KumoMTA's shaping rules and Postfix's `default_destination_concurrency_limit`).
const SHARED_OPERATOR_MAX = 4;
const HOST_MAX = 2;
// With more than this before us nobody's turn comes in time.
const WAITING_MAX = 500;
// A caller has fifteen seconds in all: who waits longer than this had better come back.
const WAIT_MS_MAX: Readonly<Record<QuestionClass, number>> = { single: 5_000, small: 10_000, list: 30_000 };
const COME_BACK_MS = 30_000;
// Then the connection is somebody else's: a list of thousands must not keep one address waiting.
const TRANSACTIONS_PER_TURN = 3;

/**
 * The connections of a prober to mail hosts, kept open for a while and shared by all who ask: one conversation after
 * the other, callers before small jobs before lists, each in the order in which they came.
 */
export class Lines implements Conversations {
	readonly #ports: LinePorts;
	readonly #groups = new Map<string, Group>();
	#ids = 0;

	constructor(ports: LinePorts) {
		this.#ports = ports;
	}

	/** Connections open or being opened. */
	get open(): number {
		return [...this.#groups.values()].reduce((sum, { lines }) => sum + lines.size, 0);
	}

	/** Who waits for one. */
	get waiting(): number {
		return [...this.#groups.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
	}

	/** Says goodbye on every connection that nobody uses. */
	async end(): Promise<void> {
		const groups = [...this.#groups.values()];
		await Promise.all(
			groups.flatMap((group) =>
				[...group.lines.values()].filter(({ idle }) => idle !== null).map(({ id }) => this.#close(group, id)),
			),
		);
	}

	async hold(request: ConversationRequest): Promise<Conversed> {
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
		let conversed = await this.#converse(request, plan, to, request.fresh || plan.pipelining === 'never');
		// What an old connection leaves unanswered is about that connection.
		if (conversed === 'stale') conversed = await this.#converse(request, plan, to, true);
		if (conversed === 'stale') return this.#busy();
		if (conversed.kind !== 'held') return conversed;
		const report = isKnownToAccept ? asIfConfirmed(conversed.report, request.plan) : conversed.report;
		this.#ports.held?.(conversed.egress, report.end.kind);
		this.#learn(request, report);
		return { ...conversed, report, remembered };
	}

	async #converse(
		request: ConversationRequest,
		plan: ConversationRequest['plan'],
		to: string,
		fresh: boolean,
	): Promise<Conversed | 'stale'> {
		const group = this.#groupOf(request.host);
		const line = await this.#place(group, request, to, fresh);
		if (line === null) return this.#busy();
		const { idle } = line;
		line.idle = null;
		let kept: Idle | null = null;
		try {
			// Also of the time that was spent waiting for the place.
			const why = this.#ports.standing.paused(request.host, request.asker);
			if (why !== null) {
				kept = idle;
				return { kind: 'paused', why };
			}
			const open = idle === null ? await this.#dial(request) : await isStillThere(idle);
			if (open === null) return 'stale';
			if ('kind' in open) return open;
			const { connection, identity, egress, state } = open;
			const session = new SmtpSession({ ...plan, ...identity, limits: limitsFor(plan, state) }, state);
			await carryOn(this.#ports.clock, connection, session, request.deadline);
			const report = session.report();
			if (session.line !== null && !isDeferring(report, request.operator))
				kept = { connection, identity, egress, state: session.line, session };
			else await hangUp(connection, session);
			if (idle !== null && isStale(report) && this.#hasTime(request.deadline)) return 'stale';
			return { kind: 'held', report, egress, warm: idle !== null, remembered: [] };
		} finally {
			this.#release(group, line, kept);
		}
	}

	async #dial(
		request: ConversationRequest,
	): Promise<
		| (Omit<Idle, 'state' | 'session'> & { readonly state: null })
		| Extract<Conversed, { kind: 'no_connection' }>
	> {
		const { clock, dialer } = this.#ports;
		const dialled = await dialer.dial(
			targetOf(request),
			Math.min(CONNECT_TIMEOUT_MS, request.deadline - clock.now()),
		);
		if (dialled.kind === 'no_connection') return dialled;
		const { connection, identity, egress } = dialled;
		return { connection, identity, egress, state: null };
	}

	#groupOf(host: ConversationRequest['host']): Group {
		const name = everybodysName(host);
		const known = this.#groups.get(name);
		if (known !== undefined) return known;
		const group: Group = {
			name,
			most: host.speaksFor === 'itself' ? HOST_MAX : SHARED_OPERATOR_MAX,
			lines: new Map(),
			waiting: [],
		};
		this.#groups.set(name, group);
		return group;
	}

	/** Waits for a place; null: not in time. */
	async #place(
		group: Group,
		{ class: urgency, deadline }: ConversationRequest,
		to: string,
		fresh: boolean,
	): Promise<Held | null> {
		const { clock } = this.#ports;
		let taken: Held | null = null;
		const { promise: served, resolve: wake } = Promise.withResolvers<void>();
		const rank = RANK[urgency];
		const take = (line: Held): void => {
			taken = line;
			wake();
		};
		const waiting: Waiting = { to, fresh, rank, take };
		// Behind all who come first: a stable order within a rank.
		const before = group.waiting.filter((other) => other.rank <= rank);
		group.waiting = [...before, waiting, ...group.waiting.filter((other) => other.rank > rank)];
		this.#serve(group);
		if (taken !== null) return taken;
		const patienceMs = Math.min(WAIT_MS_MAX[urgency], deadline - clock.now() - CONVERSATION_MS_MIN);
		if (before.length < WAITING_MAX && patienceMs > 0) {
			const patience = new AbortController();
			await Promise.race([served, clock.sleep(patienceMs, patience.signal)]);
			patience.abort();
		}
		group.waiting = group.waiting.filter((other) => other !== waiting);
		return taken;
	}

	/** Gives every place that there is to who comes first for it. */
	#serve(group: Group): void {
		for (const waiting of group.waiting) {
			const step = nextStep([...group.lines.values()], waiting, group.most);
			if (step.kind === 'wait') continue;
			group.waiting = group.waiting.filter((other) => other !== waiting);
			waiting.take(
				step.kind === 'use' ? useLine(group, step.id) : this.#reserve(group, waiting.to, step.closing),
			);
		}
	}

	#reserve(group: Group, to: string, closing: number | null): Held {
		if (closing !== null) void this.#close(group, closing);
		this.#ids += 1;
		const line: Held = { id: this.#ids, to, idleSince: null, idle: null, patience: null };
		group.lines.set(line.id, line);
		return line;
	}

	#release(group: Group, line: Held, kept: Idle | null): void {
		if (kept === null) group.lines.delete(line.id);
		else {
			line.idle = kept;
			line.idleSince = this.#ports.clock.now();
			line.patience = new AbortController();
			void this.#watch(group, line, line.patience);
		}
		this.#serve(group);
		this.#forget(group);
	}

	/** A group that holds nothing and that nobody waits for is nobody's. */
	#forget(group: Group): void {
		if (group.lines.size === 0 && group.waiting.length === 0) this.#groups.delete(group.name);
	}

	/** Closes the line when nobody has used it for long enough. */
	async #watch(group: Group, line: Held, patience: AbortController): Promise<void> {
		await this.#ports.clock.sleep(IDLE_MS, patience.signal);
		if (!patience.signal.aborted) await this.#close(group, line.id);
	}

	async #close(group: Group, id: number): Promise<void> {
		const line = group.lines.get(id);
		line?.patience?.abort();
		group.lines.delete(id);
		this.#forget(group);
		const idle = line?.idle ?? null;
		if (idle !== null) await hangUp(idle.connection, idle.session);
	}

	#busy(): Conversed {
		return { kind: 'busy', until: this.#ports.clock.now() + COME_BACK_MS };
	}

	#hasTime(deadline: number): boolean {
		return deadline - this.#ports.clock.now() >= CONVERSATION_MS_MIN;
	}

	/** What the conversation shows of the domain. */
	#learn({ domain, operator, isBest }: ConversationRequest, report: SessionReport): void {
		const { clock, invented } = this.#ports;
		const keptMs = keptForMs(interpretInvented(report, operator));
		if (!isBest || keptMs === 0) return;
		const now = clock.now();
		invented.keep(domain, shortened(report.invented), now, now + keptMs);
	}
}

function targetOf({ domain, address, host }: ConversationRequest): Parameters<Dialer['dial']>[0] {
	return { domain, address, hostName: host.host };
}

function useLine(group: Group, id: number): Held {
	const line = group.lines.get(id);
	assert(line !== undefined, 'the line is held');
	line.patience?.abort();
	line.idleSince = null;
	return line;
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
	return (
		end.kind !== 'smtputf8_missing' &&
		end.kind !== 'tls_failed' &&
		targets.every(({ reply }) => reply === null)
	);
}

function limitsFor({ limits }: Pick<SessionPlan, 'limits'>, state: LineState | null): SessionPlan['limits'] {
	const transactions = (state?.transactions ?? 0) + TRANSACTIONS_PER_TURN;
	return { ...limits, resets: Math.min(limits.resets, transactions - 1) };
}
