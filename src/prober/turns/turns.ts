import { isFreeProvider } from '../../core/lists/domain-kinds.ts';
import type { Budget } from '../../core/mail-operators/operator-row.ts';
import type { OperatorName } from '../../core/mail-operators/operators.ts';
import { SmtpSession } from '../../core/smtp/session.ts';
import type { SessionReport } from '../../core/smtp/session.ts';
import { budgetOf, partOf, warmth } from '../../core/turns/budget.ts';
import type { BudgetOverrides } from '../../core/turns/budget.ts';
import { Gate } from '../../core/turns/gate.ts';
import { Guessers } from '../../core/turns/guesses.ts';
import { domainName, namesOf } from '../../core/turns/names.ts';
import { afterRefusal, afterWelcome, isOfTheGate, pausedBecause } from '../../core/turns/pause.ts';
import type { Pause, PauseReason } from '../../core/turns/pause.ts';
import { memberOf } from '../../core/turns/who.ts';
import { assert } from '../../lib/assert.ts';
import { ExpiringMap } from '../../lib/expiring-map.ts';
import { DAY_MS, dayOf } from '../../lib/time.ts';
import { carryOn, CONNECT_TIMEOUT_MS, CONVERSATION_MS_MIN, observe, planFor } from '../conversation.ts';
import type { ConversationRequest, Conversed } from '../conversation.ts';
import { overWaysOut } from '../dial/egress-dialer.ts';
import type { Dialled, Dialer } from '../dial/egress-dialer.ts';
import { WAY_BACK_MS } from '../late-answers.ts';
import { Passage } from './passage.ts';
import type { Asking, PassagePorts } from './passage.ts';

export interface TurnsPorts extends PassagePorts {
	readonly dialer: Dialer;
	readonly overrides: BudgetOverrides;
	/** Names of source addresses that are known to operators; `all`: every one. */
	readonly warm: readonly string[];
	/** Told of each conversation that came to its end. */
	readonly held?: (egress: string, end: SessionReport['end']['kind']) => void;
	/** Told of each refusal, by an operator or by another host. */
	readonly refused?: (operator: OperatorName | 'other', egress: string, why: PauseReason) => void;
}

// An account's machines without end are a day's memory each: the one unused for longest gives way.
const GATES_MAX = 5_000;
// Ends without an answer that are not about the connection.
const ABOUT_US: ReadonlySet<string> = new Set(['smtputf8_missing', 'tls_failed']);
// Machines of a network that are asked as much as one machine.
const MACHINES_OF_NETWORK = 4;

/**
 * The turns of a prober: each mail operator, or each machine that belongs to none, has a gate for each of our source
 * addresses. Conversations are held over connections that are kept open for a while and shared by all who ask.
 */
export class Turns {
	readonly guessers = new Guessers();
	readonly #ports: TurnsPorts;
	readonly #passages: ExpiringMap<Passage>;
	/** By machines that were met by an operator's name: anybody may name these machines in the DNS. */
	readonly #met: ExpiringMap<Passage['about']>;
	/** Ceilings of networks, by /24 (/48) and source address. */
	readonly #networks: ExpiringMap<Gate>;
	/** When each source address was used first, epoch ms. */
	readonly #since = new Map<string, number>();

	/** @param gatesMax how many operators and machines are remembered at once */
	constructor(ports: TurnsPorts, gatesMax = GATES_MAX) {
		this.#ports = ports;
		this.#passages = new ExpiringMap(gatesMax);
		this.#met = new ExpiringMap(gatesMax);
		this.#networks = new ExpiringMap(gatesMax);
	}

	/** Connections that are open or being opened, questions that wait for one, and each gate that was asked of late. */
	overview() {
		const gates = this.#all().map((passage) => passage.overview(this.#ports.clock.now()));
		const sum = (of: 'connections' | 'backlog') => gates.reduce((all, gate) => all + gate[of], 0);
		return { connections: sum('connections'), waiting: sum('backlog'), gates };
	}

	/** Says goodbye on every connection that is not used. */
	async end(): Promise<void> {
		await Promise.all(this.#all().map((passage) => passage.end()));
	}

	/**
	 * Holds a conversation. A way out that is dead is left before the turn, so that none is booked on another's budget. Throws
	 * what `overWaysOut` throws.
	 */
	hold(request: ConversationRequest): Promise<Conversed> {
		const first = this.#bestEgress(request);
		return overWaysOut(this.#ports.dialer, { domain: request.domain, first }, async (egress) => {
			const asking = this.#askingOf(request, egress);
			// A question that an old connection leaves unanswered is put to a new one: the failure is the old one's.
			const outcome = (await this.#holdBy(asking)) ?? (await this.#holdBy({ ...asking, fresh: true }));
			assert(outcome !== null, 'a new connection is no old one');
			return outcome;
		});
	}

	/**
	 * The source address that serves a question. A domain keeps its own, since servers greylist strangers; a free provider's
	 * mailboxes go by the one whose gate has most room. One that is refused is no choice, and a question whose own address
	 * is refused waits: else it would be moving on.
	 */
	#bestEgress(request: ConversationRequest): string {
		const { domain, operator, address, plan } = request;
		const { dialer, clock, memory } = this.#ports;
		if (operator === null || !isFreeProvider(domain)) return dialer.egressesFor(domain)[0];
		const sources = dialer.egressesFor(plan.targets[0] ?? domain);
		const now = clock.now();
		const one = { ...whoOf(request), class: request.class, least: 1, most: 1, dials: false };
		let best = { egress: sources[0], at: Infinity };
		for (const egress of sources) {
			const { refuser, gate } = namesOf(operator, address, egress);
			const isRefused = memory.standing(refuser).pause !== null;
			const passage = this.#passages.get(gate, now);
			const at = passage?.turnAt(one, [passage.gate], now) ?? now;
			if (at < best.at && !isRefused) best = { egress, at };
			if (best.at <= now || (isRefused && egress === sources[0])) break;
		}
		return best.egress;
	}

	/** Null: the connection was an old one, which is of no use any more. */
	async #holdBy(request: Asking): Promise<Conversed | Extract<Dialled, { kind: 'fault' }> | null> {
		const { clock, dialer, held, memory } = this.#ports;
		const pause = this.#paused(request);
		if (pause !== null) return { kind: 'paused', ...pause };
		const { plan, isCatchAll, finish } = planFor(this.#ports, request);
		const asking = { ...request, fresh: request.fresh || plan.pipelining === 'never', plan };
		const { passage, domain, address, hostName, egress, operator, deadline } = asking;
		const turn = await passage.place(asking);
		if ('kind' in turn) return turn;
		const { line } = turn;
		const old = line.open;
		const used = { recipients: 0, dials: false, isPaid: false };
		let isOfUse = false;
		let session: SmtpSession | null = null;
		try {
			// Also of the time that was spent waiting for the turn.
			const pausedNow = this.#paused(asking);
			isOfUse = pausedNow !== null && old !== null;
			if (pausedNow !== null) return { kind: 'paused', ...pausedNow };
			// A server that spoke, or hung up, without a question is of no more use: what it says next answers nothing.
			if (old !== null && (await old.connection.read(0)).kind !== 'timeout') return null;
			if (line.open === null) {
				const limitMs = Math.min(CONNECT_TIMEOUT_MS, deadline - clock.now());
				const outcome = await dialer.dial({ address, hostName, egress }, limitMs);
				used.dials = outcome.kind !== 'fault';
				if (outcome.kind !== 'connected') return outcome;
				line.open = { ...outcome, session };
			}
			const { connection, identity } = line.open;
			// As many targets as the turn has room for.
			const targets = plan.targets.slice(0, Math.max(1, turn.recipients - plan.invented.length));
			const asked = { ...plan, targets, ...identity };
			const talk = new SmtpSession(asked, old?.session?.line ?? null, () => clock.now());
			session = talk;
			line.open = { connection, identity, session };
			await carryOn(clock, connection, session, deadline, () => {
				if (talk.isGreeted && (isCatchAll || talk.acceptsInvented)) asking.foundCatchAll?.();
			});
			const report = session.report();
			const isMute = report.targets.every(({ reply }) => reply === null) && !ABOUT_US.has(report.end.kind);
			if (old !== null && isMute && deadline - clock.now() >= CONVERSATION_MS_MIN) return null;
			held?.(egress, report.end.kind);
			const reading = finish(report);
			const news = observe(report, reading, operator, domain);
			this.#learn(asking, news);
			isOfUse = session.line !== null && !news.isDeferring;
			used.isPaid = news.served && clock.now() + WAY_BACK_MS <= (asking.paysUntil ?? Infinity);
			return { kind: 'held', report, reading, egress, warm: old !== null };
		} finally {
			// A conversation that broke off, also by a fault of ours, closes its connection.
			used.recipients = session?.recipientsAsked ?? 0;
			passage.release(turn, used, isOfUse);
			memory.keepSpent(passage.about.name, passage.gate);
		}
	}

	/**
	 * The request by a source address, and the gates before the operator or the machine that is dialled: its own, a machine's
	 * network's, and one before who guesses there.
	 */
	#askingOf(request: ConversationRequest, egress: string): Asking {
		const { clock, memory, dialer } = this.#ports;
		const now = clock.now();
		const { operator, address, hostName, domain } = request;
		const names = namesOf(operator, address, egress);
		const met = operator === null ? this.#met.get(names.machine, now) : undefined;
		const about = met ?? { name: names.gate, operator, party: operator ?? hostName, egress };
		if (operator !== null) this.#met.set(names.machine, about, now + DAY_MS);
		const budget = (at: number): Budget =>
			this.#budgetOf(about.operator, egress, at, memory.standing(about.name).factor);
		const passage =
			this.#passages.get(about.name, now) ??
			new Passage(about, new Gate(budget, memory.spentOf(about.name)), this.#ports);
		this.#passages.set(about.name, passage, now + DAY_MS);
		const guessed = this.guessers.gateFor(request, now);
		const network = about.operator === null ? this.#networkBy(names.network, egress, now) : null;
		const gates = [passage.gate, network, guessed].filter((gate) => gate !== null);
		const isSpread = operator !== null && isFreeProvider(domain) && dialer.egressesFor(domain).length > 1;
		return { ...request, ...whoOf(request), ...names, egress, passage, isSpread, gates };
	}

	#networkBy(name: string, egress: string, now: number): Gate {
		const budget = (at: number): Budget => partOf(this.#budgetOf(null, egress, at), MACHINES_OF_NETWORK);
		const network = this.#networks.get(name, now) ?? new Gate(budget, null, true);
		this.#networks.set(name, network, Infinity);
		return network;
	}

	/** The part of the budget that the source address may use by now. */
	#budgetOf(operator: OperatorName | null, egress: string, now: number, factor = 1): Budget {
		const { warm, memory, overrides } = this.#ports;
		const since = this.#since.get(egress) ?? memory.usedSince(egress);
		this.#since.set(egress, since);
		const isWarm = warm.includes('all') || warm.includes(egress);
		// Days of the calendar, as the day's budget.
		const part = isWarm ? 1 : warmth(dayOf(now) - dayOf(since));
		return partOf(budgetOf(operator, overrides), part * factor);
	}

	/** Why the host, its operator or the domain there is left alone; null: it may be asked. */
	#paused({ refuser, domain }: Asking): Pause | null {
		const { clock, memory } = this.#ports;
		const now = clock.now();
		const ofDomain = pausedBecause(memory.standing(domainName(domain, refuser)), now);
		return pausedBecause(memory.standing(refuser), now) ?? (ofDomain && { ...ofDomain, ofDomain: true });
	}

	/** The conversation's news about our standing, and about who guesses. */
	#learn(asking: Asking, { served, refusal, decided }: ReturnType<typeof observe>): void {
		const { operator, company, refuser, domain, egress } = asking;
		const { clock, memory, refused } = this.#ports;
		const now = clock.now();
		const isWhole = refusal !== null && isOfTheGate(refusal, operator);
		for (const name of [refuser, domainName(domain, refuser)]) {
			const before = memory.standing(name);
			const welcome = served ? afterWelcome(before, now) : before;
			const isRefused = refusal !== null && isWhole === (name === refuser);
			// A customer may write that a list names us.
			const listed = isWhole && refusal.listed === true;
			const after = isRefused ? afterRefusal(welcome, { ...refusal, listed }, now) : welcome;
			if (after !== before) memory.keepStanding(name, after);
		}
		if (refusal !== null && refusal.why !== 'unavailable_smtp')
			refused?.(company ?? 'other', egress, refusal.why);
		this.guessers.count(asking, decided, now);
	}

	#all(): readonly Passage[] {
		return [...this.#passages.entries(this.#ports.clock.now())].map(([, passage]) => passage);
	}
}

function whoOf(request: ConversationRequest) {
	return { member: memberOf(request), isDoubtful: request.paysUntil !== undefined && request.asker !== null };
}

/** Where conversations with mail hosts are held. */
export type Conversations = Pick<Turns, 'hold'>;
