import { isEnough, keptForMs, allAtOnce, asIfConfirmed, shortened } from './remembered-invented.ts';
import { partOf } from '../core/politeness/budget.ts';
import { everybodysName } from '../core/politeness/mail-host.ts';
import type { Asker, MailHost } from '../core/politeness/mail-host.ts';
import { SmtpSession } from '../core/smtp/session.ts';
import type { LineState, SessionPlan, SessionReport } from '../core/smtp/session.ts';
import { interpretInvented } from '../core/verification/interpret-session.ts';
import type { Conversations, ConversationRequest, Conversed } from './conversation.ts';
import { carryOn, CONNECT_TIMEOUT_MS, CONVERSATION_MS_MIN } from './converse.ts';
import { closedIfBroken, hangUp, isDeferring, isStale, isStillThere } from './line.ts';
import type { Idle } from './line.ts';
import { LineGroup } from './line-group.ts';
import type { Grant, Terms } from './line-group.ts';
import { UnprovenPlaces } from './unproven-places.ts';
import type { UnprovenPlace } from './unproven-places.ts';
import type { TurnAt } from './way-out.ts';
import type { BudgetMemory, Clock, Dialer, InventedMemory, StandingMemory } from './ports.ts';

export interface LinePorts {
	readonly clock: Clock;
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
	/** An operator, or the first name of a machine of nobody we know. */
	readonly party: string;
	/** Whose standing counts for it. */
	readonly hosts: Map<string, MailHost>;
	readonly operator: ConversationRequest['operator'];
	readonly egress: string;
}

// Of the names of one machine; which of a thousand are remembered matters little.
const HOSTS_OF_MACHINE_MAX = 20;
// Then the line is somebody else's; but where each recipient takes a transaction, three would be too few a turn.
const TRANSACTIONS_PER_TURN = 3;
const RECIPIENTS_PER_TURN_MIN = 9;
// Only with so many is it worth looking which of them are over.
const GROUPS_MIN = 500;
// An account's machines without end are a minute's memory each: whoever brings one more comes back when some are over.
const GROUPS_MAX = 20_000;
const COME_BACK_MS = 5_000;

/**
 * The connections of a prober to mail hosts, kept open for a while and shared by all who ask: one conversation after
 * the other, within the budget of each operator or host.
 */
export class Lines implements Conversations {
	readonly #ports: LinePorts;
	readonly #groups = new Map<string, Known>();
	readonly #unproven: UnprovenPlaces;
	readonly #groupsMax: number;
	#looksAt = GROUPS_MIN;
	/** When groups that are over were last looked for, epoch ms. */
	#lookedAt = 0;

	/** @param groupsMax how many operators and machines are remembered at once */
	constructor(ports: LinePorts, groupsMax = GROUPS_MAX) {
		this.#ports = ports;
		this.#groupsMax = groupsMax;
		this.#unproven = new UnprovenPlaces(ports.clock);
	}

	/** Connections open or being opened. */
	get open(): number {
		return [...this.#groups.values()].reduce((sum, { group }) => sum + group.open, 0);
	}

	/** Who waits for one. */
	get waiting(): number {
		return [...this.#groups.values()].reduce((sum, { group }) => sum + group.waiting, 0);
	}

	/** What is used of each budget, and who waits for it: of all that were asked of late. */
	overview() {
		return [...this.#groups.values()].map(({ group, party, operator, egress }) => {
			return { party, operator, egress, ...group.overview() };
		});
	}

	/** Says goodbye on every connection that nobody uses. */
	async end(): Promise<void> {
		await Promise.all([...this.#groups.values()].map(({ group }) => group.end()));
	}

	async hold(request: ConversationRequest): Promise<Conversed> {
		const { clock, invented } = this.#ports;
		const known = request.isBest ? (invented.find(request.domain, clock.now()) ?? []) : [];
		const finding = interpretInvented({ invented: known, sender: null }, request.operator);
		const remembered = isEnough(finding, request.plan) ? known : [];
		const isKnownToAccept = remembered.length === 0 && finding === 'accepted';
		const plan = {
			...request.plan,
			...(remembered.length > 0 ? { invented: [], furtherInvented: [] } : {}),
			...(isKnownToAccept ? allAtOnce(request.plan) : {}),
		};
		let conversed = await this.#converse(request, plan, request.fresh || plan.pipelining === 'never');
		// What an old connection leaves unanswered is about that connection.
		if (conversed === 'stale') conversed = await this.#converse(request, plan, true);
		if (conversed === 'stale') return { kind: 'busy', until: clock.now() };
		if (conversed.kind !== 'held') return conversed;
		const report = isKnownToAccept ? asIfConfirmed(conversed.report, request.plan) : conversed.report;
		this.#ports.held?.(conversed.egress, report.end.kind);
		this.#learn(request, report);
		return { ...conversed, report, remembered };
	}

	async #converse(
		request: ConversationRequest,
		plan: ConversationRequest['plan'],
		fresh: boolean,
	): Promise<Conversed | 'stale'> {
		const { clock, standing } = this.#ports;
		const group = this.#groupOf(request);
		if (group === null) return { kind: 'busy', until: clock.now() + COME_BACK_MS };
		const { address: to, class: urgency, asker, deadline } = request;
		const beside = plan.invented.length + plan.furtherInvented.length;
		const atOnce = plan.limits.recipientsPerTransaction * transactionsPerTurn(plan.limits);
		const targets = plan.targets.length;
		const wish = { to, fresh, class: urgency, asker, deadline, beside, targets, atOnce };
		const grant = await group.place(wish);
		if ('kind' in grant) return grant;
		const { line } = grant;
		const { idle } = line;
		line.idle = null;
		let kept: Idle | null = null;
		let place: UnprovenPlace | null = null;
		let answered: boolean | null = null;
		try {
			// Also of the time that was spent waiting for the place.
			const pause = standing.paused(request.host, asker);
			if (pause !== null) {
				kept = idle;
				return { kind: 'paused', ...pause };
			}
			// Operators that we know answer, or have a standing that says so.
			if (idle === null && request.operator === null) {
				const entered = await this.#unproven.enter(request);
				if ('kind' in entered) return entered;
				place = entered;
			}
			const open = idle === null ? await this.#dial(request, group, grant) : await isStillThere(idle);
			if (open === null) return 'stale';
			if ('kind' in open) {
				// Of a way out that can not lead there, the host knows nothing.
				answered = open.why === 'egress_cannot_reach' ? null : false;
				return open;
			}
			const { connection, identity, egress, state } = open;
			const granted = plan.targets.slice(0, Math.max(1, grant.recipients - beside));
			const limits = limitsFor(plan, state);
			const session = new SmtpSession({ ...plan, targets: granted, ...identity, limits }, state);
			const wrote = (bytes: Uint8Array): void => group.send(grant, recipientsIn(bytes));
			await closedIfBroken(connection, carryOn(clock, connection, session, deadline, wrote));
			const report = session.report();
			answered = report.end.kind !== 'timeout' && session.repliesHeard > 0;
			// Where another way out had to do, that is not what this group's budget is for.
			const isKept = session.line !== null && egress === request.host.egress;
			if (isKept && session.line !== null && !isDeferring(report, request.operator))
				kept = { connection, identity, egress, state: session.line, session };
			else await hangUp(connection, session);
			if (idle !== null && isStale(report) && this.#hasTime(deadline)) return 'stale';
			return { kind: 'held', report, egress, warm: idle !== null, remembered: [] };
		} finally {
			place?.leave(answered);
			group.release(grant, kept);
			if (grant.held < grant.recipients) this.#ports.budgets.keepSpent(group.name, group.spent);
		}
	}

	async #dial(
		request: ConversationRequest,
		group: LineGroup,
		grant: Grant,
	): Promise<
		| (Omit<Idle, 'state' | 'session'> & { readonly state: null })
		| Extract<Conversed, { kind: 'no_connection' }>
	> {
		const { clock, dialer } = this.#ports;
		const { domain, address, host, deadline } = request;
		group.dial(grant);
		const dialled = await dialer.dial(
			{ domain, address, hostName: host.host, egress: host.egress },
			Math.min(CONNECT_TIMEOUT_MS, deadline - clock.now()),
		);
		if (dialled.kind === 'no_connection') return dialled;
		const { connection, identity, egress } = dialled;
		return { connection, identity, egress, state: null };
	}

	/** When it would be somebody's turn at an operator by the source address; now, where nobody was asked lately. */
	turnAt: TurnAt = (egress, operator, of) => {
		const known = this.#groups.get(everybodysName({ party: operator, egress }));
		return known?.group.turnAt({ ...of, targets: of.targets.length }) ?? this.#ports.clock.now();
	};

	/** Null: there is no room for one more. */
	#groupOf({ host, operator, machine }: ConversationRequest): LineGroup | null {
		// A hosting company's hosts judge us one by one, and are one machine room. So is a machine of nobody we know, by
		// whatever names.
		const name = everybodysName({ ...host, party: operator ?? machine });
		const known = this.#groups.get(name);
		if (known !== undefined) {
			if (operator === null) rememberHost(known.hosts, host);
			return known.group;
		}
		if (this.#groups.size >= this.#looksAt) this.#forgetGroups();
		if (this.#groups.size >= this.#groupsMax) return null;
		const { clock, budgets } = this.#ports;
		const hosts = new Map([[host.party, host]]);
		const terms = (): Terms => this.#termsOf(hosts, operator, host.egress);
		const group = new LineGroup(name, clock, terms, budgets.spentOf(name));
		const party = operator ?? host.party;
		this.#groups.set(name, { group, party, hosts, operator, egress: host.egress });
		return group;
	}

	/** @param hosts that share the budget: the operator, or the names of one machine */
	#termsOf(
		hosts: ReadonlyMap<string, MailHost>,
		operator: ConversationRequest['operator'],
		egress: string,
	): Terms {
		const { budgets, standing } = this.#ports;
		const budget = budgets.budgetOf(operator, egress);
		const all = [...hosts.values()];
		const isTryingFor = (asker: Asker): boolean => all.some((host) => standing.isTrying(host, asker));
		const ofGroup = operator === null ? all : all.filter(({ party }) => party === operator);
		const paces = ofGroup.map((host) => standing.pace(host));
		const share = Math.min(1, ...paces.map((pace) => pace.share));
		return { budget: partOf(budget, share), isTrying: paces.some(({ isTrying }) => isTrying), isTryingFor };
	}

	#forgetGroups(): void {
		const now = this.#ports.clock.now();
		// Full, it is looked through once a second, not for each that comes.
		if (this.#groups.size >= this.#groupsMax && now - this.#lookedAt < 1_000) return;
		this.#lookedAt = now;
		for (const [name, { group }] of this.#groups) if (group.isOver) this.#groups.delete(name);
		this.#looksAt = Math.min(this.#groupsMax, Math.max(GROUPS_MIN, 2 * this.#groups.size));
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

function rememberHost(hosts: Map<string, MailHost>, host: MailHost): void {
	hosts.delete(host.party);
	hosts.set(host.party, host);
	const [oldest] = hosts.keys();
	if (hosts.size > HOSTS_OF_MACHINE_MAX && oldest !== undefined) hosts.delete(oldest);
}

const decoder = new TextDecoder('latin1');

/** How many recipients the commands name. */
function recipientsIn(bytes: Uint8Array): number {
	return decoder.decode(bytes).match(/^RCPT TO:/gm)?.length ?? 0;
}

function limitsFor({ limits }: Pick<SessionPlan, 'limits'>, state: LineState | null): SessionPlan['limits'] {
	const transactions = (state?.transactions ?? 0) + transactionsPerTurn(limits);
	return { ...limits, resets: Math.min(limits.resets, transactions - 1) };
}

function transactionsPerTurn({ recipientsPerTransaction }: SessionPlan['limits']): number {
	return Math.max(TRANSACTIONS_PER_TURN, Math.ceil(RECIPIENTS_PER_TURN_MIN / recipientsPerTransaction));
}
