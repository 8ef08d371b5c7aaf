import { isFreeProvider } from '../../core/lists/domain-kinds.ts';
import type { Budget } from '../../core/mail-operators/operator-row.ts';
import { companyOf } from '../../core/mail-operators/operators.ts';
import type { OperatorName } from '../../core/mail-operators/operators.ts';
import type { SessionReport } from '../../core/smtp/session.ts';
import { budgetOf, partOf, timesOf, warmth } from '../../core/turns/budget.ts';
import type { BudgetOverrides } from '../../core/turns/budget.ts';
import { Gate } from '../../core/turns/gate.ts';
import { Guessers } from '../../core/turns/guesses.ts';
import { domainName, gateName, machineAt, mailHostOf, networkAt } from '../../core/turns/mail-host.ts';
import type { MailHost } from '../../core/turns/mail-host.ts';
import { afterRefusal, afterWelcome, isOfTheGate, pausedBecause } from '../../core/turns/pause.ts';
import type { Pause, Refusal, Standing } from '../../core/turns/pause.ts';
import { whoOf } from '../../core/turns/who.ts';
import type { Party } from '../../core/turns/who.ts';
import type { Question } from '../../engine/question.ts';
import { assert } from '../../lib/assert.ts';
import { ExpiringMap } from '../../lib/expiring-map.ts';
import { DAY_MS, dayOf } from '../../lib/time.ts';
import { carryOn, CONNECT_TIMEOUT_MS, CONVERSATION_MS_MIN } from '../converse.ts';
import { overWaysOut } from '../dial/ways-out.ts';
import type { ProberMemory } from '../memory.ts';
import type { Clock, ConversationRequest, Conversed, Dialled, Dialer } from '../ports.ts';
import { planFor } from '../remembered-invented.ts';
import { observe } from './observe.ts';
import { Passage } from './passage.ts';
import type { TurnRequest } from './passage.ts';
import {
	catchAllWatch,
	hangUp,
	isOfUse,
	isStale,
	isStillThere,
	recipientsIn,
	recipientsOf,
	sessionOn,
} from './talk.ts';
import type { Idle } from './talk.ts';

export interface TurnsPorts {
	readonly clock: Clock;
	/** From 0 to below 1: a refused question asks again at a time of its own. */
	readonly random: () => number;
	readonly dialer: Dialer;
	readonly memory: ProberMemory;
	readonly overrides: BudgetOverrides;
	/** Names of source addresses that are known to operators; `all`: every one. */
	readonly warm: readonly string[];
	/** Told of each conversation that came to its end. */
	readonly held?: (egress: string, end: SessionReport['end']['kind']) => void;
	/** Told of each refusal. */
	readonly refused?: (host: MailHost, refusal: Refusal) => void;
}

// Only with so many is it worth looking which of them are over.
const GATES_MIN = 500;
// An account's machines without end are a minute's memory each: one more is refused until some are over.
const GATES_MAX = 20_000;
const COME_BACK_MS = 5_000;
// The answer has a way back to the caller.
const WAY_BACK_MS = 100;
// Machines of a network that are asked as much as one machine.
const MACHINES_OF_NETWORK = 4;

type Outcome = Conversed | Extract<Dialled, { kind: 'fault' }>;
type Planned = ReturnType<typeof planFor>;

/**
 * The turns of a prober: each mail operator, or each machine that belongs to none, has a gate for each of our source
 * addresses. Conversations are held over connections that are kept open for a while and shared by all who ask.
 */
export class Turns {
	readonly guessers = new Guessers();
	readonly #ports: TurnsPorts;
	readonly #passages = new Map<string, Passage>();
	/** Ceilings of networks, by /24 (/48) and source address. */
	readonly #networks: ExpiringMap<Gate>;
	/** The operators of machines that were met by an operator's name: anybody may name these machines in the DNS. */
	readonly #operators = new ExpiringMap<OperatorName>(GATES_MAX);
	/** When each source address was used first, epoch ms. */
	readonly #since = new Map<string, number>();
	readonly #gatesMax: number;
	/** When gates that are over were last looked for, epoch ms: that takes long, and is not done for each that comes. */
	#lookedAt = 0;

	/** @param gatesMax how many operators and machines are remembered at once */
	constructor(ports: TurnsPorts, gatesMax = GATES_MAX) {
		this.#ports = ports;
		this.#gatesMax = gatesMax;
		this.#networks = new ExpiringMap(gatesMax);
	}

	/** Connections open or being opened. */
	get open(): number {
		return [...this.#passages.values()].reduce((sum, { open }) => sum + open, 0);
	}

	/** The questions that wait for one. */
	get waiting(): number {
		return [...this.#passages.values()].reduce((sum, { waiting }) => sum + waiting, 0);
	}

	/** The use of each gate that was asked of late, and the questions that wait before it. */
	overview() {
		const now = this.#ports.clock.now();
		return [...this.#passages.values()].map(({ name, gate, party, operator, egress, open, waiting }) => {
			const of = { name, party, operator, egress, connections: open, backlog: waiting };
			return { ...of, ...gate.figures(now) };
		});
	}

	/** Says goodbye on every connection that is not used. */
	async end(): Promise<void> {
		await Promise.all([...this.#passages.values()].map((passage) => passage.end()));
	}

	/**
	 * A mail host by the source address that serves a question. A domain keeps its own, since servers greylist strangers; a
	 * free provider's mailboxes go by the one whose gate has most room. One that is refused is no choice, and a question
	 * whose own address is refused waits: else it would be moving on.
	 */
	hostFor(
		name: string,
		operator: OperatorName | null,
		question: Pick<Question, 'domain' | 'targets' | 'class'> & Party,
	): MailHost {
		const { domain, targets } = question;
		const [mailbox = domain] = targets;
		const spreads = isSpread(operator, domain);
		const [preferred, ...others] = this.#ports.dialer
			.egressesFor(spreads ? mailbox : domain)
			.map((egress) => mailHostOf(name, operator, egress)) as [MailHost, ...MailHost[]];
		if (!spreads || this.#isRefused(preferred)) return preferred;
		const now = this.#ports.clock.now();
		let best = { host: preferred, at: Infinity };
		for (const host of [preferred, ...others]) {
			const passage = this.#passages.get(gateName(host.party, host.egress));
			if (passage !== undefined && this.#isRefused(host)) continue;
			const few = { few: 1, most: targets.length, all: targets.length };
			const at = passage?.turnAt(this.#turnOf(passage, question, few)) ?? now;
			if (at < best.at) best = { host, at };
			if (best.at <= now) break;
		}
		return best.host;
	}

	/**
	 * Holds a conversation. A way out that is dead is left before the turn, so that none is booked on another's budget. Throws
	 * what `overWaysOut` throws.
	 */
	hold(request: ConversationRequest): Promise<Conversed> {
		const { domain, host, operator } = request;
		const first = isSpread(operator, domain) ? { first: host.egress } : {};
		return overWaysOut(this.#ports.dialer, { domain, ...first }, (egress) =>
			this.#holdBy({ ...request, host: { ...host, egress } }),
		);
	}

	async #holdBy(request: ConversationRequest): Promise<Outcome> {
		const { clock } = this.#ports;
		const passage = this.#passageFor(request);
		if (passage === null) return { kind: 'busy', until: clock.now() + COME_BACK_MS };
		const pause = this.#paused(request);
		if (pause !== null) return { kind: 'paused', ...pause };
		const planned = planFor(this.#ports, request);
		const isNew = request.fresh || planned.plan.pipelining === 'never';
		// A question that an old connection leaves unanswered is put to a new one: the failure is the old one's.
		const early = isNew ? null : await this.#holdOnce(request, passage, planned, false);
		const outcome = early ?? (await this.#holdOnce(request, passage, planned, true));
		assert(outcome !== null, 'a new connection is no old one');
		return outcome;
	}

	/** Null: the connection was an old one, which is of no use any more. */
	async #holdOnce(
		request: ConversationRequest,
		passage: Passage,
		{ plan, remembered, finish }: Planned,
		fresh: boolean,
	): Promise<Outcome | null> {
		const { clock, dialer, held, memory } = this.#ports;
		const { domain, address, host, operator, deadline, foundCatchAll } = request;
		const turn = await passage.place({
			...this.#turnOf(passage, request, recipientsOf(plan, request.behind)),
			gates: this.#gatesOf(request, passage),
			to: address,
			fresh,
			party: partyOf(host, address),
			isTrying: () => this.#isTrying(partyOf(host, address)),
			deadline,
		});
		if ('kind' in turn) return turn;
		const { idle } = turn;
		let open: Pick<Idle, 'connection' | 'identity'> | null = idle;
		let kept: Idle | null = null;
		let closing: Promise<void> | null = null;
		let [sent, dialled, isPaid] = [0, false, false];
		try {
			// Also of the time that was spent waiting for the turn.
			const pause = this.#paused(request);
			if (pause !== null) {
				kept = idle;
				return { kind: 'paused', ...pause };
			}
			if (idle !== null && !(await isStillThere(idle))) return null;
			if (open === null) {
				const limitMs = Math.min(CONNECT_TIMEOUT_MS, deadline - clock.now());
				const target = { domain, address, hostName: host.host, egress: host.egress };
				const outcome = await dialer.dial(target, limitMs);
				dialled = outcome.kind !== 'fault';
				if (outcome.kind !== 'connected') return outcome;
				open = outcome;
			}
			const { connection, identity } = open;
			const session = sessionOn({ identity, session: idle?.session ?? null }, plan, turn.recipients);
			const heard = foundCatchAll && catchAllWatch(session, plan, remembered, foundCatchAll);
			await carryOn(clock, connection, session, deadline, (bytes) => (sent += recipientsIn(bytes)), heard);
			const report = session.report();
			if (isOfUse(session, operator)) kept = { connection, identity, session };
			else closing = hangUp(connection, session);
			if (idle !== null && isStale(report) && deadline - clock.now() >= CONVERSATION_MS_MIN) return null;
			held?.(host.egress, report.end.kind);
			const observed = observe(report, operator, domain, remembered);
			this.#learn(request, observed);
			isPaid = observed.served && clock.now() + WAY_BACK_MS <= (request.paysUntil ?? Infinity);
			const way = { egress: host.egress, warm: idle !== null };
			return { kind: 'held', report: finish(report), ...way, remembered };
		} finally {
			// A conversation that broke off, also by a fault of ours, closes its connection, which counts until then.
			if (kept === null && open !== null) closing ??= open.connection.close();
			passage.release(turn, { sent, dialled, kept, closing, isPaid });
			memory.keepSpent(passage.name, passage.gate);
		}
	}

	/** The turn of a question, before it is known at which machine. */
	#turnOf(
		{ gate }: Passage,
		question: Party & Pick<ConversationRequest, 'domain' | 'class'>,
		recipients: Pick<TurnRequest, 'few' | 'most' | 'all'>,
	): TurnRequest {
		const { domain, class: urgency, paysUntil, asker } = question;
		const sources = this.#ports.dialer.egressesFor(domain);
		return {
			...recipients,
			gates: [gate],
			who: whoOf(question),
			isDoubtful: paysUntil !== undefined && asker !== null,
			urgency,
			to: '',
			fresh: false,
			party: '',
			isTrying: () => false,
			returns: !isFreeProvider(domain) ? 'here' : sources.length > 1 ? 'anywhere' : 'toProvider',
			deadline: Infinity,
		};
	}

	/** The passage to the operator, or to the machine that is dialled. Null: there is no room for one more. */
	#passageFor({ host, operator: named, address }: ConversationRequest): Passage | null {
		const { clock, memory } = this.#ports;
		const { egress } = host;
		const now = clock.now();
		const machine = gateName(machineAt(address), egress);
		if (named !== null) this.#operators.set(machine, named, now + DAY_MS);
		const operator = named ?? this.#operators.get(machine, now) ?? null;
		const name = operator === null ? machine : gateName(companyOf(operator), egress);
		const known = this.#passages.get(name);
		if (known !== undefined) return known;
		if (this.#passages.size >= Math.min(GATES_MIN, this.#gatesMax)) this.#forgetQuiet(now);
		if (this.#passages.size >= this.#gatesMax) return null;
		const budget = (at: number): Budget =>
			this.#budgetOf(operator, egress, at, memory.standing(name)?.factor);
		const gate = new Gate(budget, memory.spentOf(name));
		const party = operator ?? host.party;
		const passage = new Passage({ name, gate, party, operator, egress }, this.#ports);
		this.#passages.set(name, passage);
		return passage;
	}

	/** All gates that a question passes: the operator's or machine's, the network's, and one before who guesses there. */
	#gatesOf(request: ConversationRequest, { gate, operator, egress }: Passage): readonly Gate[] {
		const now = this.#ports.clock.now();
		const gates = [gate];
		if (operator === null) {
			const name = gateName(networkAt(request.address), egress);
			const budget = (at: number): Budget => timesOf(this.#budgetOf(null, egress, at), MACHINES_OF_NETWORK);
			const network = this.#networks.get(name, now) ?? new Gate(budget);
			this.#networks.set(name, network, Infinity);
			gates.push(network);
		}
		const guessed = this.guessers.gateFor(request, now);
		return guessed === null ? gates : [...gates, guessed];
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
	#paused({ host, address, domain }: ConversationRequest): Pause | null {
		const { clock, memory } = this.#ports;
		const now = clock.now();
		const party = partyOf(host, address);
		const ofDomain = pausedBecause(memory.standing(domainName(domain, party)), now);
		return pausedBecause(memory.standing(party), now) ?? (ofDomain && { ...ofDomain, ofDomain: true });
	}

	/** The pause has ended, and no question was served since. */
	#isTrying(name: string): boolean {
		return (this.#ports.memory.standing(name)?.pause ?? null) !== null;
	}

	#isRefused({ party, egress, speaksFor }: MailHost): boolean {
		return speaksFor !== 'itself' && this.#isTrying(gateName(party, egress));
	}

	/** The conversation's news about our standing, and about who guesses. */
	#learn(request: ConversationRequest, { served, refusal, decided }: ReturnType<typeof observe>): void {
		const { host, address, domain } = request;
		const now = this.#ports.clock.now();
		const party = partyOf(host, address);
		const ofDomain = domainName(domain, party);
		if (served)
			for (const one of [party, ofDomain]) this.#stand(one, (before) => before && afterWelcome(before, now));
		if (refusal !== null) {
			if (refusal.why !== 'unavailable_smtp') this.#ports.refused?.(host, refusal);
			const isWhole = isOfTheGate(refusal, host);
			const why = isWhole ? refusal : { why: refusal.why };
			this.#stand(isWhole ? party : ofDomain, (before) => afterRefusal(before, why, now));
		}
		this.guessers.count(request, decided, now);
	}

	#stand(name: string, after: (before: Standing | null) => Standing | null): void {
		const { memory } = this.#ports;
		const before = memory.standing(name);
		const standing = after(before);
		if (standing !== before) memory.keepStanding(name, standing);
	}

	#forgetQuiet(now: number): void {
		if (now - this.#lookedAt < COME_BACK_MS) return;
		this.#lookedAt = now;
		for (const [name, { isOver }] of this.#passages) if (isOver) this.#passages.delete(name);
	}
}

/** Where conversations with mail hosts are held. */
export type Conversations = Pick<Turns, 'hostFor' | 'hold'>;

/** A large operator's own mailboxes go by all our source addresses, those of other domains by one. */
function isSpread(operator: OperatorName | null, domain: string): boolean {
	return operator !== null && isFreeProvider(domain);
}

/** The party whose refusals before RCPT count together: an operator, or the machine that is dialled. */
function partyOf({ party, egress, speaksFor }: MailHost, address: string): string {
	return gateName(speaksFor === 'itself' ? machineAt(address) : party, egress);
}
