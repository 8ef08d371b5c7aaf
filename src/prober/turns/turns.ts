import { isFreeProvider } from '../../core/lists/domain-kinds.ts';
import { companyOf } from '../../core/mail-operators/operators.ts';
import type { OperatorName } from '../../core/mail-operators/operators.ts';
import { RESETS_MAX } from '../../core/smtp/limits.ts';
import type { RecipientReply, SessionReport } from '../../core/smtp/session.ts';
import { budgetOf, partOf, timesOf, warmth } from '../../core/turns/budget.ts';
import type { Budget } from '../../core/mail-operators/operator-row.ts';
import type { BudgetOverrides } from '../../core/turns/budget.ts';
import { Gate } from '../../core/turns/gate.ts';
import { Guessers } from '../../core/turns/guesses.ts';
import { domainName, gateName, machineAt, mailHostOf, networkAt } from '../../core/turns/mail-host.ts';
import type { MailHost } from '../../core/turns/mail-host.ts';
import { afterRefusal, afterWelcome, isOfTheGate, pausedBecause } from '../../core/turns/pause.ts';
import type { Pause, Refusal } from '../../core/turns/pause.ts';
import { whoOf } from '../../core/turns/who.ts';
import type { Party } from '../../core/turns/who.ts';
import type { Hear, Question } from '../../engine/question.ts';
import { ExpiringMap } from '../../lib/expiring-map.ts';
import { DAY_MS, dayOf } from '../../lib/time.ts';
import { carryOn, CONNECT_TIMEOUT_MS, CONVERSATION_MS_MIN } from '../converse.ts';
import type { ProberMemory } from '../memory.ts';
import type { Clock, ConversationRequest, Conversations, Conversed, Dialer } from '../ports.ts';
import { planFor } from '../remembered-invented.ts';
import {
	besideTargets,
	hangUp,
	isStale,
	isStillThere,
	keptLine,
	recipientsIn,
	sessionOn,
	tellerOf,
} from './line.ts';
import type { Idle, Open } from './line.ts';
import { observe } from './observe.ts';
import type { Observed } from './observe.ts';
import { Passage } from './passage.ts';
import type { Busy, Turn } from './passage.ts';

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

/** An operator's or a machine's gate by one source address, and its connections. */
interface Known {
	readonly name: string;
	readonly passage: Passage;
	/** An operator, or a host's name at the machine. */
	readonly party: string;
	readonly operator: OperatorName | null;
	readonly egress: string;
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

/**
 * The turns of a prober: each mail operator, or each machine that belongs to none, has a gate for each of our source
 * addresses. Conversations are held over connections that are kept open for a while and shared by all who ask.
 */
export class Turns implements Conversations {
	readonly #ports: TurnsPorts;
	readonly #known = new Map<string, Known>();
	/** Ceilings of networks, by /24 (/48) and source address. */
	readonly #networks: ExpiringMap<Gate>;
	/** The operators of machines that were met by an operator's name: anybody may name these machines in the DNS. */
	readonly #operators = new ExpiringMap<OperatorName>(GATES_MAX);
	readonly guessers = new Guessers();
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
		return [...this.#known.values()].reduce((sum, { passage }) => sum + passage.open, 0);
	}

	/** The questions that wait for one. */
	get waiting(): number {
		return [...this.#known.values()].reduce((sum, { passage }) => sum + passage.waiting, 0);
	}

	/** The use of each gate that was asked of late, and the questions that wait before it. */
	overview() {
		const now = this.#ports.clock.now();
		return [...this.#known.values()].map(({ name, passage, party, operator, egress }) => {
			const { open: connections, waiting, gate } = passage;
			const of = { name, party, operator, egress, connections, waiting };
			return { ...of, budget: gate.budget(now), ...gate.left(now) };
		});
	}

	/** Says goodbye on every connection that is not used. */
	async end(): Promise<void> {
		await Promise.all([...this.#known.values()].map(({ passage }) => passage.end()));
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
		const hosts = this.#ports.dialer
			.egressesFor(spreads ? mailbox : domain)
			.map((egress) => mailHostOf(name, operator, egress)) as [MailHost, ...MailHost[]];
		const [preferred] = hosts;
		if (!spreads || hosts.length === 1 || this.#isRefused(preferred)) return preferred;
		const now = this.#ports.clock.now();
		const request = {
			who: whoOf(question),
			isDoubtful: false,
			urgency: question.class,
			to: '',
			fresh: false,
			party: '',
			isTrying: () => null,
			goesAnywhere: true,
			targets: targets.length,
			behind: 0,
			atOnce: targets.length,
			beside: 0,
		};
		let best = { host: preferred, at: Infinity };
		for (const host of hosts) {
			const known = this.#known.get(gateName(host.party, host.egress));
			if (known !== undefined && this.#isRefused(host)) continue;
			const at = known?.passage.turnAt({ ...request, gates: [known.passage.gate] }) ?? now;
			if (at < best.at) best = { host, at };
			if (best.at <= now) break;
		}
		return best.host;
	}

	async hold(request: ConversationRequest, hear?: Hear): Promise<Conversed> {
		const { clock, dialer, held, memory } = this.#ports;
		const { domain, address, host, deadline } = request;
		const known = this.#gateFor(request);
		if (known === null) return { kind: 'busy', until: clock.now() + COME_BACK_MS };
		const early = this.#paused(request, known);
		if (early !== null) return { kind: 'paused', ...early };
		const { plan, remembered, finish } = planFor(this.#ports, request);
		const isNew = request.fresh || plan.pipelining === 'never';
		// A question that an old connection leaves unanswered is put to a new one: the failure is the old one's.
		for (const fresh of isNew ? [true] : [false, true]) {
			const turn = await this.#turn(request, known, plan, fresh);
			if ('kind' in turn) return turn;
			const { passage } = known;
			const { idle } = turn.line;
			turn.line.idle = null;
			let open: Open | null = null;
			let kept: Idle | null = null;
			let closing: Promise<void> | null = null;
			let isPaid = false;
			try {
				// Also of the time that was spent waiting for the turn.
				const pause = this.#paused(request, known);
				if (pause !== null) {
					kept = idle;
					return { kind: 'paused', ...pause };
				}
				if (idle === null) {
					passage.dial(turn);
					const limitMs = Math.min(CONNECT_TIMEOUT_MS, deadline - clock.now());
					const target = { domain, address, hostName: host.host, egress: host.egress };
					const dialled = await dialer.dial(target, limitMs);
					if (dialled.kind === 'no_connection') return dialled;
					open = { ...dialled, state: null };
				} else open = await isStillThere(idle);
				if (open === null) continue;
				const session = sessionOn(open, plan, turn);
				const wrote = (bytes: Uint8Array): void => passage.send(turn, recipientsIn(bytes));
				const heard = hear && tellerOf(session, { request, plan, remembered }, hear);
				await carryOn(clock, open.connection, session, deadline, wrote, heard);
				const report = session.report();
				kept = keptLine(open, session, request);
				if (kept === null) closing = hangUp(open.connection, session);
				if (idle !== null && isStale(report) && deadline - clock.now() >= CONVERSATION_MS_MIN) continue;
				held?.(open.egress, report.end.kind);
				const { served } = this.#learn(request, known, report, remembered);
				isPaid = served && clock.now() + WAY_BACK_MS <= (request.paysUntil ?? Infinity);
				return { kind: 'held', report: finish(report), egress: open.egress, warm: idle !== null, remembered };
			} catch (error) {
				// No connection stays open that a fault of ours would leave without an owner.
				void open?.connection.close();
				throw error;
			} finally {
				passage.release(turn, kept, closing, isPaid);
				if (turn.held < turn.recipients) memory.keepSpent(known.name, passage.gate);
			}
		}
		return { kind: 'busy', until: clock.now() };
	}

	/** Waits for a connection, or for the right to open one. */
	#turn(
		request: ConversationRequest,
		known: Known,
		plan: ConversationRequest['plan'],
		fresh: boolean,
	): Promise<Turn | Busy> {
		const { dialer } = this.#ports;
		const { domain, operator, address, host, class: urgency, deadline } = request;
		const party = partyOf(host, address);
		const isTrying = (): 'gate' | 'party' | null => {
			if (this.#isTrying(known.name)) return 'gate';
			return party !== known.name && this.#isTrying(party) ? 'party' : null;
		};
		return known.passage.place({
			gates: this.#gatesOf(request, known),
			who: whoOf(request),
			isDoubtful: request.paysUntil !== undefined && request.asker !== null,
			urgency,
			to: address,
			fresh,
			party,
			isTrying,
			goesAnywhere: isSpread(operator, domain) && dialer.egressesFor(domain).length > 1,
			deadline,
			beside: besideTargets(plan),
			targets: plan.targets.length,
			behind: request.behind ?? 0,
			atOnce: plan.perTransaction * (RESETS_MAX + 1),
		});
	}

	/** The gate of the operator, or of the machine that is dialled. Null: there is no room for one more. */
	#gateFor({ host, operator: named, address }: ConversationRequest): Known | null {
		const { clock, memory } = this.#ports;
		const now = clock.now();
		const machine = gateName(machineAt(address), host.egress);
		if (named !== null) this.#operators.set(machine, named, now + DAY_MS);
		const operator = named ?? this.#operators.get(machine, now) ?? null;
		const name = operator === null ? machine : gateName(companyOf(operator), host.egress);
		const known = this.#known.get(name);
		if (known !== undefined) return known;
		if (this.#known.size >= Math.min(GATES_MIN, this.#gatesMax)) this.#forgetQuiet(now);
		if (this.#known.size >= this.#gatesMax) return null;
		const budget = (at: number): Budget =>
			this.#budgetOf(operator, host.egress, at, memory.standing(name)?.factor);
		const gate = new Gate(budget, memory.spentOf(name));
		const passage = new Passage(gate, this.#ports);
		const made = { name, passage, party: operator ?? host.party, operator, egress: host.egress };
		this.#known.set(name, made);
		return made;
	}

	/** All gates that a question passes: the operator's or machine's, the network's, and one before who guesses there. */
	#gatesOf(request: ConversationRequest, { passage, operator, egress }: Known): readonly Gate[] {
		const now = this.#ports.clock.now();
		const gates = [passage.gate];
		if (operator === null) {
			const name = gateName(networkAt(request.address), egress);
			const ofMachine = (at: number): Budget => this.#budgetOf(null, egress, at);
			const network =
				this.#networks.get(name, now) ?? new Gate((at) => timesOf(ofMachine(at), MACHINES_OF_NETWORK));
			this.#networks.set(name, network, Infinity);
			gates.push(network);
		}
		const guessed = this.guessers.gateFor(request, now);
		return guessed === null ? gates : [...gates, guessed];
	}

	#budgetOf(operator: OperatorName | null, egress: string, now: number, factor = 1): Budget {
		return partOf(budgetOf(operator, this.#ports.overrides), this.#warmthOf(egress, now) * factor);
	}

	/** How much of a budget the source address may use by now. */
	#warmthOf(egress: string, now: number): number {
		const { warm, memory } = this.#ports;
		if (warm.includes('all') || warm.includes(egress)) return 1;
		const since = this.#since.get(egress) ?? memory.usedSince(egress);
		this.#since.set(egress, since);
		// Days of the calendar, as the day's budget.
		return warmth(dayOf(now) - dayOf(since));
	}

	/** Why the host, its operator or the domain there is left alone; null: it may be asked. */
	#paused({ host, address, domain }: ConversationRequest, { name }: Known): Pause | null {
		const { clock, memory } = this.#ports;
		const now = clock.now();
		const party = partyOf(host, address);
		const whole = pausedBecause(memory.standing(name), now) ?? pausedBecause(memory.standing(party), now);
		if (whole !== null) return whole;
		const ofDomain = pausedBecause(memory.standing(domainName(domain, party)), now);
		return ofDomain === null ? null : { ...ofDomain, ofDomain: true };
	}

	/** A pause has ended, and no question was served since. */
	#isTrying(name: string): boolean {
		return (this.#ports.memory.standing(name)?.pause ?? null) !== null;
	}

	#isRefused({ party, egress, speaksFor }: MailHost): boolean {
		return speaksFor !== 'itself' && this.#isTrying(gateName(party, egress));
	}

	/** The conversation's news about our standing, and about who guesses. */
	#learn(
		request: ConversationRequest,
		{ name }: Known,
		report: SessionReport,
		remembered: readonly RecipientReply[],
	): Observed {
		const { clock, memory, refused } = this.#ports;
		const { host, address, operator, domain } = request;
		const observed = observe(report, operator, domain, remembered);
		const { served, refusal, decided } = observed;
		const party = partyOf(host, address);
		const ofDomain = domainName(domain, party);
		if (served) for (const one of new Set([name, party, ofDomain])) this.#welcome(one);
		if (refusal !== null) {
			if (refusal.why !== 'unavailable_smtp') refused?.(host, refusal);
			const isWhole = isOfTheGate(refusal, host);
			const of = isWhole ? party : ofDomain;
			const why = isWhole ? refusal : { why: refusal.why };
			const before = memory.standing(of);
			const after = afterRefusal(before, why, clock.now());
			if (after !== before) memory.keepStanding(of, after);
		}
		this.guessers.count(request, decided, clock.now());
		return observed;
	}

	#welcome(name: string): void {
		const { clock, memory } = this.#ports;
		const before = memory.standing(name);
		const after = before && afterWelcome(before, clock.now());
		if (after !== before) memory.keepStanding(name, after);
	}

	#forgetQuiet(now: number): void {
		if (now - this.#lookedAt < COME_BACK_MS) return;
		this.#lookedAt = now;
		for (const [name, { passage }] of this.#known) if (passage.isOver) this.#known.delete(name);
	}
}

/** A large operator's own mailboxes go by all our source addresses, those of other domains by one. */
function isSpread(operator: OperatorName | null, domain: string): boolean {
	return operator !== null && isFreeProvider(domain);
}

/** The party whose refusals before RCPT count together: an operator, or the machine that is dialled. */
function partyOf({ party, egress, speaksFor }: MailHost, address: string): string {
	return gateName(speaksFor === 'itself' ? machineAt(address) : party, egress);
}
