import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import type { MailHost } from '../core/politeness/mail-host.ts';
import type { Observation, Pause, PauseReason } from '../core/politeness/pause.ts';
import { CONNECTION_LIMITS } from '../core/smtp/limits.ts';
import type { RecipientReply, SessionPlan, SessionReport, TlsPlan } from '../core/smtp/session.ts';
import { interpretSession } from '../core/verification/interpret-session.ts';
import type { Interpretation } from '../core/verification/interpret-session.ts';
import { observeSession } from '../core/verification/observe-session.ts';
import type { ConversationRequest } from './conversation.ts';
import { CONVERSATION_MS_MIN } from './converse.ts';
import type { Question, QuestionClass } from '../engine/question.ts';

/** What one mail host is to be asked for a domain. */
export interface HostQuestion {
	readonly question: Question;
	/** Those of the question to whom no host of better preference had an answer. */
	readonly targets: readonly string[];
	readonly host: MailHost;
	/** Who runs it; null: nobody we know. */
	readonly operator: MailOperator | null;
}

/** Why nobody is asked any more. */
export type Stopped =
	/** It began to refuse us. */
	| { readonly kind: 'paused'; readonly why: PauseReason }
	/** Our own capacity for it is used up until then (epoch ms). */
	| { readonly kind: 'postponed'; readonly until: number };

/** What the host says of one target. */
export type HostAnswer =
	| {
			readonly kind: 'heard';
			readonly interpretation: Interpretation;
			/** Of the conversation about this target; its other targets are left out. */
			readonly report: SessionReport;
			/** What the host said to invented recipients, in this conversation or an earlier one about the domain. */
			readonly invented: readonly RecipientReply[];
	  }
	| Stopped
	/** Time was up before it was asked. */
	| { readonly kind: 'not_reached' };

/**
 * What is said of the targets while the host is left alone. A list waits for an operator that many of its addresses are
 * at: that is our decision, and no answer of the recipient's. A caller hears why, and so does a list about a single host:
 * one that always limits us must not keep a small job open for a day.
 */
export function leftAlone(
	{ why, until }: Pause,
	{ speaksFor }: Pick<MailHost, 'speaksFor'>,
	urgency: QuestionClass,
): Stopped {
	const waits = urgency !== 'single' && speaksFor !== 'itself';
	return waits ? { kind: 'postponed', until } : { kind: 'paused', why };
}

type Plan = ConversationRequest['plan'];

// A host that twice says nothing of anybody will not say more of the next.
const STALLS_MAX = 2;

interface Said {
	readonly report: SessionReport;
	/** Of the target within the report. */
	readonly index: number;
}

/** What one host said so far, and what it is to be asked next. Without I/O: reports in, plans out. */
export class HostVisit {
	readonly #about: HostQuestion;
	readonly #observed: (observation: Observation) => void;
	readonly #recipients: Pick<Plan, 'invented' | 'furtherInvented'>;
	/** Targets without a final answer. */
	#open: Set<string>;
	/** What was said last of each target. */
	readonly #said = new Map<string, Said>();
	#invented: readonly RecipientReply[] = [];
	#pipelining: SessionPlan['pipelining'] = 'when_offered';
	#tls: TlsPlan;
	#perTransaction: number;
	#tally = { asked: 0, rejected: 0 };
	#stalls = 0;
	#asksOnceMore = true;

	constructor(about: HostQuestion, observed: (observation: Observation) => void) {
		this.#about = about;
		this.#observed = observed;
		this.#recipients = inventedFor(about);
		this.#open = new Set(about.targets);
		this.#tls = about.operator?.tls ?? 'when_demanded';
		this.#perTransaction = about.operator?.perTransaction ?? CONNECTION_LIMITS.recipientsPerTransaction;
	}

	get isGroup(): boolean {
		return this.#about.targets.length > 1;
	}

	/** A conversation took place. */
	get hasHeard(): boolean {
		return this.#said.size > 0;
	}

	/** The next conversation; null: nobody is left, or no time. */
	nextPlan(now: number): Plan | null {
		const targets = this.#nextTargets();
		if (targets.length === 0 || !this.#hasTime(now)) return null;
		const { question, operator } = this.#about;
		return {
			...(this.#invented.length > 0 ? NOBODY_INVENTED : this.#recipients),
			deep: question.deep,
			targets,
			needsSmtputf8: question.needsSmtputf8,
			pipelining: this.#pipelining,
			tls: this.#tls,
			replyTimeoutMs: replyTimeoutMs(operator, question.deadline - now),
			limits: { ...CONNECTION_LIMITS, recipientsPerTransaction: this.#perTransaction },
			tally: this.#tally,
		};
	}

	/**
	 * Takes in what a conversation brought, and reads what it says of its first target.
	 *
	 * @param remembered what the domain said to invented recipients lately, where they were left out for that
	 */
	hear(
		report: SessionReport,
		remembered: readonly RecipientReply[],
		now: number,
	): { readonly interpretation: Interpretation; readonly invented: readonly RecipientReply[] } {
		if (this.#invented.length === 0) this.#invented = remembered;
		const before = this.#open.size;
		const hadHeard = this.hasHeard;
		this.#perTransaction = report.perTransaction;
		this.#tally = report.tally;
		const stumbled = this.#pipelining === 'when_offered' && this.#stumbled(report);
		if (!stumbled && this.#invented.length === 0 && report.invented.some(({ reply }) => reply !== null))
			this.#invented = report.invented;
		for (const [index, { recipient, reply }] of report.targets.entries()) {
			if (!this.#open.has(recipient)) continue;
			const said = { report, index };
			this.#said.set(recipient, said);
			const asksInLockstep = this.#interpret(said).advice === 'ask_in_lockstep';
			if (reply !== null && !(stumbled && asksInLockstep)) this.#close(recipient);
		}
		if (stumbled) this.#pipelining = 'never';
		// The handshake was our wish: the server may well serve us without.
		else if (report.end.kind === 'tls_failed' && this.#tls === 'when_offered') this.#tls = 'never';
		else if (this.#open.size === before) this.#stall(report, hadHeard, now);
		return { interpretation: this.#interpret({ report, index: 0 }), invented: this.#invented };
	}

	/** What is said of each target, also of those who are not asked any more. Null: no conversation took place. */
	answers(now: number, stopped: Stopped | null): ReadonlyMap<string, HostAnswer> | null {
		if (!this.hasHeard && stopped === null) return null;
		return new Map(this.#about.targets.map((target) => [target, this.#answerAbout(target, now, stopped)]));
	}

	#answerAbout(target: string, now: number, stopped: Stopped | null): HostAnswer {
		const said = this.#said.get(target);
		const isOpen = this.#open.has(target);
		if (isOpen && stopped !== null) return stopped;
		const isLate = isOpen && this.isGroup && !this.#hasTime(now);
		if (said === undefined || isLate) return { kind: 'not_reached' };
		const { report, index } = said;
		return {
			kind: 'heard',
			interpretation: this.#interpret(said),
			report: { ...report, targets: report.targets.slice(index, index + 1) },
			invented: this.#invented.length > 0 ? this.#invented : report.invented,
		};
	}

	/** Those without an answer, or one of the accepted for the sake of the invented. */
	#nextTargets(): readonly string[] {
		if (this.#open.size > 0) return [...this.#open];
		if (!this.isGroup || this.#invented.length > 0 || !this.#asksOnceMore) return [];
		if (this.#recipients.invented.length === 0) return [];
		this.#asksOnceMore = false;
		const accepted = [...this.#said].find(([, { report, index }]) => {
			const code = report.targets[index]?.reply?.code ?? 0;
			return code >= 200 && code < 300;
		});
		return accepted === undefined ? [] : [accepted[0]];
	}

	#hasTime(now: number): boolean {
		const left = this.#about.question.deadline - now;
		return this.hasHeard && this.isGroup ? left >= CONVERSATION_MS_MIN : left > 0;
	}

	/** The conversation brought no answer about anybody. */
	#stall(report: SessionReport, hadHeard: boolean, now: number): void {
		const timeIsUp = now >= this.#about.question.deadline;
		// Later ones were cut short by us: that is no fact about them.
		if (timeIsUp && hadHeard && this.isGroup) return;
		this.#stalls += 1;
		// Before RCPT it is about us and holds for all; at RCPT it may be one mailbox that takes the server's time.
		const isAboutAll = report.stage !== 'rcpt' || this.#stalls >= STALLS_MAX;
		const [first] = this.#open;
		if (first !== undefined) this.#close(first);
		// One refusal, however many it befell: observed once.
		if (isAboutAll) this.#open.clear();
	}

	#close(target: string): void {
		this.#open.delete(target);
		const said = this.#said.get(target);
		if (said === undefined) return;
		const { domain } = this.#about.question;
		const observation = observeSession(this.#interpret(said), said.report, domain);
		if (observation !== null) this.#observed(observation);
	}

	/** It seems not to bear groups of commands. */
	#stumbled(report: SessionReport): boolean {
		return report.targets.some(
			({ recipient }, index) =>
				this.#open.has(recipient) && this.#interpret({ report, index }).advice === 'ask_in_lockstep',
		);
	}

	#interpret({ report, index }: Said): Interpretation {
		const operator: OperatorName | null = this.#about.operator?.operator ?? null;
		return interpretSession(report, operator, index, this.#invented);
	}
}

/** A slow operator has the time that it needs for a reply, where whoever asks has that time. */
function replyTimeoutMs(operator: MailOperator | null, leftMs: number): number | null {
	const slowest = operator?.slowestReplyMs ?? null;
	return slowest === null ? null : Math.min(slowest, leftMs);
}

const NOBODY_INVENTED: Pick<Plan, 'invented' | 'furtherInvented'> = { invented: [], furtherInvented: [] };

function inventedFor({ question, operator }: HostQuestion): typeof NOBODY_INVENTED {
	const { invented, deep } = question;
	// Providers that say yes to all, or that hold a second recipient against the first, get the one question.
	const onlyTarget =
		operator !== null && (operator.recipients === 'accepts_everything' || operator.perTransaction === 1);
	if (onlyTarget || invented === null) return NOBODY_INVENTED;
	return { invented: [invented.first], furtherInvented: deep === 'never' ? [] : invented.further };
}
