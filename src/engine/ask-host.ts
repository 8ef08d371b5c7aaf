import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import type { PauseReason } from '../core/politeness/pause.ts';
import { partyOfHost } from '../core/outages/parties.ts';
import { CONNECTION_LIMITS } from '../core/smtp/limits.ts';
import type { RecipientReply, SessionPlan, SessionReport } from '../core/smtp/session.ts';
import { interpretSession } from '../core/verification/interpret-session.ts';
import type { Interpretation } from '../core/verification/interpret-session.ts';
import { observeSession } from '../core/verification/observe-session.ts';
import type { Trace } from '../core/verification/trace.ts';
import type { ConversationRequest, Conversations, Conversed } from './conversations-port.ts';
import { converse } from './converse.ts';
import type { Clock, Dialer, HostKey, StandingMemory, WaysOut } from './ports.ts';

export interface AskPorts {
	readonly clock: Clock;
	readonly dialer: Dialer;
	readonly standing: StandingMemory;
	/** Left out: nobody watches. */
	readonly waysOut?: WaysOut;
}

/** What one mail host is to be asked for a domain. */
export interface HostQuestion {
	readonly domain: string;
	readonly operator: MailOperator | null;
	/** Who holds the conversations; null: they are held from here. */
	readonly exchanger: Conversations | null;
	/** No host of better preference was asked before. */
	readonly isBest: boolean;
	/** Somebody waits for the answer: where the exchanger has no time, the host is dialled from here. */
	readonly patient: boolean;
	/** Under which the host's behaviour towards us is remembered. */
	readonly key: HostKey;
	/** `local@domain`, all of the domain. */
	readonly targets: readonly string[];
	readonly recipients: Pick<SessionPlan, 'randoms' | 'confirmingRandoms' | 'confirmsRefusals'>;
	readonly needsSmtputf8: boolean;
	/** Epoch milliseconds. */
	readonly deadline: number;
}

/** What the host says of one target. */
export type HostAnswer =
	| {
			readonly kind: 'heard';
			readonly interpretation: Interpretation;
			/** Of the conversation about this target; its other targets are left out. */
			readonly report: SessionReport;
			/** What the host said to invented recipients, in this conversation or an earlier one about the domain. */
			readonly randoms: readonly RecipientReply[];
	  }
	/** It began to refuse us. */
	| { readonly kind: 'paused'; readonly why: PauseReason }
	/** Time was up before it was asked. */
	| { readonly kind: 'not_reached' };

export const CONNECT_TIMEOUT_MS = 8_000;
// Less than this is not enough for a conversation on a real path.
export const CONVERSATION_MS_MIN = 2_000;
// A host that twice says nothing of anybody will not say more of the next.
const STALLS_MAX = 2;

interface Said {
	readonly report: SessionReport;
	/** Of the target within the report. */
	readonly index: number;
}

/**
 * Asks one mail host about all targets, in as few connections as it bears. An answer is final once it is in; whom a
 * connection left unanswered is asked again by the next. Null: none of its addresses takes a connection.
 */
export async function askHost(
	ports: AskPorts,
	question: HostQuestion,
	addresses: readonly string[],
	trace: Trace,
): Promise<ReadonlyMap<string, HostAnswer> | null> {
	const visit = new HostVisit(ports, question, trace);
	for (const address of addresses) {
		if ((await visit.askAt(address)) === 'done') break;
	}
	return visit.answers();
}

class HostVisit {
	readonly #ports: AskPorts;
	readonly #question: HostQuestion;
	readonly #trace: Trace;
	/** Targets without a final answer. */
	#open: Set<string>;
	/** What was said last of each target. */
	readonly #said = new Map<string, Said>();
	#randoms: readonly RecipientReply[] = [];
	#pipelining: SessionPlan['pipelining'] = 'when_offered';
	#perTransaction: number;
	#tally = { asked: 0, rejected: 0 };
	#stalls = 0;
	#asksOnceMore = true;
	#paused: PauseReason | null = null;

	constructor(ports: AskPorts, question: HostQuestion, trace: Trace) {
		this.#ports = ports;
		this.#question = question;
		this.#trace = trace;
		this.#open = new Set(question.targets);
		this.#perTransaction = question.operator?.perTransaction ?? CONNECTION_LIMITS.recipientsPerTransaction;
	}

	get #isGroup(): boolean {
		return this.#question.targets.length > 1;
	}

	/** Holds conversations at one address until nobody is left. `next_address`: it takes no connection. */
	async askAt(address: string): Promise<'done' | 'next_address'> {
		for (;;) {
			const targets = this.#targets();
			if (targets.length === 0 || !this.#hasTime()) return 'done';
			const { standing } = this.#ports;
			this.#paused = this.#said.size > 0 && this.#isGroup ? standing.paused(this.#question.key) : null;
			if (this.#paused !== null) return 'done';
			const report = await this.#converseAt(address, targets);
			if (report === 'paused') return 'done';
			// One that was there a moment ago had enough of us: its other addresses are no way around that.
			if (report === null) return this.#said.size > 0 ? 'done' : 'next_address';
			this.#hear(report);
		}
	}

	/** Null: no conversation took place. */
	answers(): ReadonlyMap<string, HostAnswer> | null {
		if (this.#said.size === 0 && this.#paused === null) return null;
		return new Map(this.#question.targets.map((target) => [target, this.#answerAbout(target)]));
	}

	#answerAbout(target: string): HostAnswer {
		const said = this.#said.get(target);
		if (this.#open.has(target) && this.#paused !== null) return { kind: 'paused', why: this.#paused };
		const isLate = this.#open.has(target) && this.#isGroup && !this.#hasTime();
		if (said === undefined || isLate) return { kind: 'not_reached' };
		const { report, index } = said;
		return {
			kind: 'heard',
			interpretation: this.#interpret(said),
			report: { ...report, targets: report.targets.slice(index, index + 1) },
			randoms: this.#randoms.length > 0 ? this.#randoms : report.randoms,
		};
	}

	/** Whom the next conversation is about: those without an answer, or one of the accepted for the sake of a random. */
	#targets(): readonly string[] {
		if (this.#open.size > 0) return [...this.#open];
		if (!this.#isGroup || this.#randoms.length > 0 || !this.#asksOnceMore) return [];
		if (this.#question.recipients.randoms.length === 0) return [];
		this.#asksOnceMore = false;
		const accepted = [...this.#said].find(([, { report, index }]) => {
			const code = report.targets[index]?.reply?.code ?? 0;
			return code >= 200 && code < 300;
		});
		return accepted === undefined ? [] : [accepted[0]];
	}

	#hasTime(): boolean {
		const left = this.#question.deadline - this.#ports.clock.now();
		return this.#said.size > 0 && this.#isGroup ? left >= CONVERSATION_MS_MIN : left > 0;
	}

	/** Null: the address takes no connection. */
	async #converseAt(address: string, targets: readonly string[]): Promise<SessionReport | 'paused' | null> {
		const { domain, deadline, recipients, needsSmtputf8, operator, key, isBest } = this.#question;
		const isKnown = this.#randoms.length > 0;
		const begun = this.#ports.clock.now();
		const conversed = await this.#hold({
			domain,
			address,
			key,
			operator: this.#operator,
			isBest,
			deadline,
			plan: {
				...recipients,
				...(isKnown ? { randoms: [], confirmingRandoms: [] } : {}),
				targets,
				needsSmtputf8,
				pipelining: this.#pipelining,
				commandTimeoutMs: operator?.rcptTimeoutMs ?? null,
				limits: { ...CONNECTION_LIMITS, recipientsPerTransaction: this.#perTransaction },
				tally: this.#tally,
			},
		});
		this.#watch(address, conversed, begun);
		if (conversed.kind === 'paused' || conversed.kind === 'busy') {
			this.#paused = conversed.kind === 'busy' ? 'rate_limited' : conversed.why;
			return 'paused';
		}
		const { egress } = conversed;
		if (conversed.kind === 'no_connection') {
			this.#trace({ step: 'dial', address, egress, outcome: conversed.why });
			return null;
		}
		const { report, warm, remembered } = conversed;
		this.#trace({ step: 'dial', address, egress, outcome: warm ? 'connected before' : 'connected' });
		if (!isKnown && remembered.length > 0) this.#randoms = remembered;
		return report;
	}

	/** A connection tells whether the way out leads anywhere; one that was open before does not. */
	#watch(address: string, conversed: Conversed, begun: number): void {
		const worked = conversed.kind === 'held';
		if (worked ? conversed.warm : conversed.kind !== 'no_connection') return;
		const { key, operator } = this.#question;
		const at = this.#ports.clock.now();
		const party = partyOfHost(key.name, address, operator);
		const unexplained = conversed.kind === 'no_connection' && conversed.why === 'egress_cannot_reach';
		this.#ports.waysOut?.tried(key.egress, { ...party, begun, at, worked, unexplained });
	}

	/** By the exchanger where there is one. What befalls the exchanger is nobody's answer: then it is done from here. */
	async #hold(request: ConversationRequest): Promise<Conversed> {
		const { exchanger, patient } = this.#question;
		if (exchanger !== null) {
			const conversed = await exchanger.hold(request);
			if (conversed !== 'unavailable' && (conversed.kind !== 'busy' || !patient)) return conversed;
		}
		return holdHere(this.#ports, request);
	}

	#hear(report: SessionReport): void {
		const before = this.#open.size;
		const hadSaid = this.#said.size > 0;
		this.#perTransaction = report.perTransaction;
		this.#tally = report.tally;
		const stumbled = this.#pipelining === 'when_offered' && this.#stumbled(report);
		if (!stumbled && this.#randoms.length === 0 && report.randoms.some(({ reply }) => reply !== null))
			this.#randoms = report.randoms;
		for (const [index, { recipient, reply }] of report.targets.entries()) {
			if (!this.#open.has(recipient)) continue;
			const said = { report, index };
			this.#said.set(recipient, said);
			const asksInLockstep = this.#interpret(said).advice === 'ask_in_lockstep';
			if (reply !== null && !(stumbled && asksInLockstep)) this.#close(recipient);
		}
		const interpretation = this.#interpret({ report, index: 0 });
		this.#trace({ step: 'conversation', report, interpretation, operator: this.#operator });
		if (stumbled) this.#pipelining = 'never';
		else if (this.#open.size === before) this.#stall(report, hadSaid);
	}

	/** The conversation brought no answer about anybody. */
	#stall(report: SessionReport, hadSaid: boolean): void {
		const timeIsUp = this.#ports.clock.now() >= this.#question.deadline;
		// Later ones were cut short by us: that is no fact about them.
		if (timeIsUp && hadSaid && this.#isGroup) return;
		this.#stalls += 1;
		// Before RCPT it is about us and holds for all; at RCPT it may be one mailbox that takes the server's time.
		const isAboutAll = report.stage !== 'rcpt' || this.#stalls >= STALLS_MAX;
		const [first] = this.#open;
		if (isAboutAll) for (const target of this.#open) this.#close(target);
		else if (first !== undefined) this.#close(first);
	}

	#close(target: string): void {
		this.#open.delete(target);
		const said = this.#said.get(target);
		const observation =
			said === undefined ? null : observeSession(this.#interpret(said), said.report, this.#question.domain);
		if (observation !== null) this.#ports.standing.observed(this.#question.key, observation);
	}

	/** It seems not to bear groups of commands. */
	#stumbled(report: SessionReport): boolean {
		return report.targets.some(
			({ recipient }, index) =>
				this.#open.has(recipient) && this.#interpret({ report, index }).advice === 'ask_in_lockstep',
		);
	}

	get #operator(): string | null {
		return this.#question.operator?.operator ?? null;
	}

	#interpret({ report, index }: Said): Interpretation {
		return interpretSession(report, this.#operator, index, this.#randoms);
	}
}

/** A conversation over a connection of its own. */
async function holdHere(
	{ clock, dialer }: AskPorts,
	{ domain, address, plan, deadline }: ConversationRequest,
): Promise<Conversed> {
	const limitMs = Math.min(CONNECT_TIMEOUT_MS, deadline - clock.now());
	const dialled = await dialer.dial({ domain, address }, limitMs);
	if (dialled.kind === 'no_connection') return dialled;
	const { connection, identity, egress } = dialled;
	const report = await converse(clock, connection, { ...plan, ...identity }, deadline);
	return { kind: 'held', report, egress, warm: false, remembered: [] };
}
