import { isEnough, keptForMs, allAtOnce, asIfConfirmed } from '../remembered-invented.ts';
import { Allowance } from '../../core/politeness/allowance.ts';
import { partOf } from '../../core/politeness/budget.ts';
import { grown } from '../../core/politeness/growth.ts';
import { nameOfMachine, nameOfWhole, networkAt } from '../../core/politeness/mail-host.ts';
import type { MailHost } from '../../core/politeness/mail-host.ts';
import { companyOf } from '../../core/mail-operators/operators.ts';
import type { OperatorName } from '../../core/mail-operators/operators.ts';
import { ExpiringMap } from '../../lib/expiring-map.ts';
import { DAY_MS } from '../../lib/time.ts';
import { SmtpSession } from '../../core/smtp/session.ts';
import type { LineState, RecipientReply, SessionPlan, SessionReport } from '../../core/smtp/session.ts';
import { interpretInvented, interpretSession } from '../../core/verification/interpret-session.ts';
import type { Hear } from '../../engine/question.ts';
import { carryOn, CONNECT_TIMEOUT_MS, CONVERSATION_MS_MIN } from '../converse.ts';
import { hangUp, isDeferring, isStale, isStillThere } from './line.ts';
import type { Idle } from './line.ts';
import { LineGroup } from './line-group.ts';
import type { Busy, PacedBudget } from './line-group.ts';
import type { Grant } from './turn-request.ts';
import type { TurnAt } from '../way-out.ts';
import type {
	BudgetMemory,
	Clock,
	ConversationRequest,
	Conversations,
	Conversed,
	Dialer,
	InventedMemory,
	StandingMemory,
} from '../ports.ts';

export interface LinePorts {
	readonly clock: Clock;
	/** From 0 to below 1: a refused question asks again at a time of its own. */
	readonly random: () => number;
	readonly dialer: Dialer;
	readonly standing: StandingMemory;
	readonly invented: InventedMemory;
	readonly budgets: BudgetMemory;
	/** Told of each conversation that came to its end. */
	readonly held?: (egress: string, end: SessionReport['end']['kind']) => void;
}

/** A group of connections, and to whom it leads. */
interface Known {
	readonly group: LineGroup;
	/** An operator, or a host's name at the machine. */
	readonly party: string;
	readonly operator: ConversationRequest['operator'];
	readonly egress: string;
}

// Then the line is another's; but where each recipient takes a transaction, three would be too few a turn.
const TRANSACTIONS_PER_TURN = 3;
const RECIPIENTS_PER_TURN_MIN = 9;
// Only with so many is it worth looking which of them are over.
const GROUPS_MIN = 500;
// An account's machines without end are a minute's memory each: one more is refused until some are over.
const GROUPS_MAX = 20_000;
const COME_BACK_MS = 5_000;

/**
 * The connections of a prober to mail hosts, kept open for a while and shared by all who ask: one conversation after
 * the other, within the budget of each operator or host.
 */
export class Lines implements Conversations {
	readonly #ports: LinePorts;
	readonly #groups = new Map<string, Known>();
	/** Ceilings of networks, by /24 (/48) and source address. */
	readonly #networks: ExpiringMap<Allowance>;
	/** The operators of machines that were met by an operator's name. */
	readonly #operators = new ExpiringMap<OperatorName>(GROUPS_MAX);
	readonly #groupsMax: number;
	/** When groups that are over were last looked for, epoch ms: that takes long, and is not done for each that comes. */
	#lookedAt = 0;

	/** @param groupsMax how many operators and machines are remembered at once */
	constructor(ports: LinePorts, groupsMax = GROUPS_MAX) {
		this.#ports = ports;
		this.#groupsMax = groupsMax;
		this.#networks = new ExpiringMap(groupsMax);
	}

	/** Connections open or being opened. */
	get open(): number {
		return [...this.#groups.values()].reduce((sum, { group }) => sum + group.open, 0);
	}

	/** The questions that wait for one. */
	get waiting(): number {
		return [...this.#groups.values()].reduce((sum, { group }) => sum + group.waiting, 0);
	}

	/** The use of each budget that was asked of late, and the questions that wait for it. */
	overview() {
		return [...this.#groups.values()].flatMap(({ group, party, operator, egress }) => {
			const figures = group.overview();
			return figures === null ? [] : [{ party, operator, egress, ...figures }];
		});
	}

	/** Says goodbye on every connection that is not used. */
	async end(): Promise<void> {
		await Promise.all([...this.#groups.values()].map(({ group }) => group.end()));
	}

	async hold(request: ConversationRequest, hear?: Hear): Promise<Conversed> {
		const { clock, dialer, standing, budgets, held } = this.#ports;
		const { domain, address, host, deadline } = request;
		const { plan, remembered, finish } = this.#planFor(request);
		const isNew = request.fresh || plan.pipelining === 'never';
		// A question that an old connection leaves unanswered is put to a new one: the failure is the old one's.
		for (const fresh of isNew ? [true] : [false, true]) {
			const turn = await this.#turn(request, plan, fresh);
			if ('kind' in turn) return turn;
			const { group, grant, idle } = turn;
			let open: Open | null = null;
			let kept: Idle | null = null;
			let closing: Promise<void> | null = null;
			let isPaid = false;
			try {
				// Also of the time that was spent waiting for the turn.
				const pause = standing.paused(host, request);
				if (pause !== null) {
					kept = idle;
					return { kind: 'paused', ...pause };
				}
				if (idle === null) {
					group.dial(grant);
					const limitMs = Math.min(CONNECT_TIMEOUT_MS, deadline - clock.now());
					const target = { domain, address, hostName: host.host, egress: host.egress };
					const dialled = await dialer.dial(target, limitMs);
					if (dialled.kind === 'no_connection') return dialled;
					open = { ...dialled, state: null };
				} else open = await isStillThere(idle);
				if (open === null) continue;
				const session = sessionOn(open, plan, grant);
				const wrote = (bytes: Uint8Array): void => group.send(grant, recipientsIn(bytes));
				const heard = hear && tellerOf(session, { request, plan, remembered }, hear);
				await carryOn(clock, open.connection, session, deadline, wrote, heard);
				const report = session.report();
				isPaid = request.paysUntil === undefined || isPaidFor(request, report, clock.now());
				kept = keptLine(open, session, request);
				if (kept === null) closing = hangUp(open.connection, session);
				if (idle !== null && isStale(report) && deadline - clock.now() >= CONVERSATION_MS_MIN) continue;
				held?.(open.egress, report.end.kind);
				return { kind: 'held', report: finish(report), egress: open.egress, warm: idle !== null, remembered };
			} catch (error) {
				// No connection stays open that a fault of ours would leave without an owner.
				void open?.connection.close();
				throw error;
			} finally {
				group.release(grant, kept, closing, isPaid);
				if (grant.held < grant.recipients) budgets.keepSpent(group.name, group.spent);
			}
		}
		return { kind: 'busy', until: clock.now() };
	}

	/** The plan without what is known of the domain already. `finish` reads a report as the answer to the whole plan. */
	#planFor(request: ConversationRequest) {
		const { clock, invented } = this.#ports;
		const { plan, isBest, operator, domain } = request;
		const known = isBest ? (invented.find(domain, clock.now()) ?? []) : [];
		const finding = interpretInvented({ invented: known, sender: null }, operator);
		const remembered = isEnough(finding, plan) ? known : [];
		const isKnownToAccept = remembered.length === 0 && finding === 'accepted';
		const finish = (heard: SessionReport): SessionReport => {
			const report = isKnownToAccept ? asIfConfirmed(heard, plan) : heard;
			this.#learn(request, report);
			return report;
		};
		const about = remembered.length > 0 ? { invented: [], furtherInvented: [] } : {};
		return {
			plan: { ...plan, ...about, ...(isKnownToAccept ? allAtOnce(plan) : {}) },
			remembered,
			finish,
		};
	}

	/** Waits for a connection, or for the right to open one. */
	async #turn(
		request: ConversationRequest,
		plan: ConversationRequest['plan'],
		fresh: boolean,
	): Promise<Busy | { readonly group: LineGroup; readonly grant: Grant; readonly idle: Idle | null }> {
		const group = this.#groupOf(request);
		if (group === null) return { kind: 'busy', until: this.#ports.clock.now() + COME_BACK_MS };
		const atOnce = plan.limits.recipientsPerTransaction * transactionsPerTurn(plan.limits);
		const recipients = { beside: besideTargets(plan), targets: plan.targets.length, atOnce };
		const grant = await group.place({ ...request, to: request.address, fresh, ...recipients });
		if ('kind' in grant) return grant;
		const { idle } = grant.line;
		grant.line.idle = null;
		return { group, grant, idle };
	}

	/** When it would be a question's turn at an operator's host; now, if the operator was not asked lately. */
	turnAt: TurnAt = (host, operator, of) => {
		const known = this.#groups.get(nameOfWhole({ ...host, party: companyOf(operator) }));
		return known?.group.turnAt({ ...of, host, targets: of.targets.length }) ?? this.#ports.clock.now();
	};

	/** Null: there is no room for one more. */
	#groupOf({ host, operator: named, address }: ConversationRequest): LineGroup | null {
		// A hosting company's hosts judge us one by one, and are one machine room. An unknown host is the machine
		// that is dialled, by whatever names: also an operator's that anyone may name in the DNS.
		const machine = nameOfMachine(address, host.egress);
		const now = this.#ports.clock.now();
		if (named !== null) this.#operators.set(machine, named, now + DAY_MS);
		const operator = named ?? this.#operators.get(machine, now) ?? null;
		const isMachine = operator === null;
		const name = isMachine ? machine : nameOfWhole({ ...host, party: companyOf(operator) });
		const known = this.#groups.get(name);
		if (known !== undefined) return known.group;
		if (this.#groups.size >= Math.min(GROUPS_MIN, this.#groupsMax)) this.#forgetGroups();
		if (this.#groups.size >= this.#groupsMax) return null;
		const { budgets, standing } = this.#ports;
		const termsOf = (of: MailHost): PacedBudget => {
			const { share, isTrying } = standing.pace(of);
			const budget = partOf(budgets.budgetOf(operator, of.egress), share);
			return { budget: isMachine ? grown(budget, standing.growthOf(name)) : budget, isTrying };
		};
		const network = isMachine
			? { allowance: this.#networkOf(address, host), budget: () => budgets.budgetOf(null, host.egress) }
			: null;
		const group = new LineGroup(name, this.#ports, termsOf, new Allowance(budgets.spentOf(name), network));
		this.#groups.set(name, { group, party: operator ?? host.party, operator, egress: host.egress });
		return group;
	}

	#networkOf(address: string, { egress }: MailHost): Allowance {
		const name = nameOfWhole({ party: networkAt(address), egress });
		const network = this.#networks.get(name, this.#ports.clock.now()) ?? new Allowance(null);
		this.#networks.set(name, network, Infinity);
		return network;
	}

	#forgetGroups(): void {
		const now = this.#ports.clock.now();
		if (now - this.#lookedAt < COME_BACK_MS) return;
		this.#lookedAt = now;
		for (const [name, { group }] of this.#groups) if (group.isOver) this.#groups.delete(name);
	}

	/** The conversation's news about the domain. */
	#learn({ domain, operator, isBest }: ConversationRequest, report: SessionReport): void {
		const { clock, invented } = this.#ports;
		const keptMs = keptForMs(interpretInvented(report, operator));
		if (!isBest || keptMs === 0) return;
		const now = clock.now();
		invented.keep(domain, report.invented, now, now + keptMs);
	}
}

/** Tells what a conversation has heard since it was called last. */
function tellerOf(session: SmtpSession, { request, plan, remembered }: AboutNews, hear: Hear): () => void {
	const { host } = request.host;
	const untold = new Set([...plan.targets, ...plan.invented, ...plan.furtherInvented]);
	let isGreeted = false;
	return () => {
		const { greeting } = session;
		if (greeting !== '' && !isGreeted) hear({ kind: 'greeted', host, greeting, invented: remembered });
		isGreeted = greeting !== '';
		for (const recipient of untold) {
			const reply = session.answerTo(recipient);
			if (reply !== null && untold.delete(recipient)) hear({ kind: 'replied', host, recipient, reply });
		}
	};
}

interface AboutNews {
	readonly request: ConversationRequest;
	readonly plan: ConversationRequest['plan'];
	readonly remembered: readonly RecipientReply[];
}

const decoder = new TextDecoder('latin1');

/** How many recipients the commands name. */
function recipientsIn(bytes: Uint8Array): number {
	return decoder.decode(bytes).match(/^RCPT TO:/gm)?.length ?? 0;
}

/** A connection for a conversation: a new one has no state yet. */
type Open = Omit<Idle, 'state' | 'session'> & { readonly state: LineState | null };

/** A conversation over the connection, about as many targets as were granted. */
function sessionOn({ state, identity }: Open, plan: ConversationRequest['plan'], grant: Grant): SmtpSession {
	const targets = plan.targets.slice(0, Math.max(1, grant.recipients - besideTargets(plan)));
	const transactions = (state?.transactions ?? 0) + transactionsPerTurn(plan.limits);
	const limits = { ...plan.limits, resets: Math.min(plan.limits.resets, transactions - 1) };
	return new SmtpSession({ ...plan, targets, ...identity, limits }, state);
}

/** The connection for the next conversation; null: it is of no more use. */
function keptLine(
	{ connection, identity, egress }: Open,
	session: SmtpSession,
	{ host, operator }: ConversationRequest,
): Idle | null {
	const state = session.line;
	// Where another way out had to do, that is not what this group's budget is for.
	if (state === null || egress !== host.egress || isDeferring(session.report(), operator)) return null;
	return { connection, identity, egress, state, session };
}

// The answer has a way back to the caller.
const WAY_BACK_MS = 100;

/** Whether the answer is in time, and decides about a target. */
function isPaidFor(
	{ paysUntil = Infinity, operator }: ConversationRequest,
	report: SessionReport,
	now: number,
): boolean {
	if (now + WAY_BACK_MS > paysUntil) return false;
	return report.targets.some((_, at) => interpretSession(report, operator, at).target.kind !== 'unknown');
}

/** How many invented recipients are asked about beside the targets. */
function besideTargets({ invented, furtherInvented }: ConversationRequest['plan']): number {
	return invented.length + furtherInvented.length;
}

function transactionsPerTurn({ recipientsPerTransaction }: SessionPlan['limits']): number {
	return Math.max(TRANSACTIONS_PER_TURN, Math.ceil(RECIPIENTS_PER_TURN_MIN / recipientsPerTransaction));
}
