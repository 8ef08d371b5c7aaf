import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import type { MailHost } from '../core/turns/mail-host.ts';
import type { Pause, PauseReason } from '../core/turns/pause.ts';
import { compareReplies, NO_WORDS } from '../core/catchall/reply-difference.ts';
import { CONNECTION_LIMITS } from '../core/smtp/limits.ts';
import type { RecipientReply, SessionPlan, SessionReport, TlsPlan } from '../core/smtp/session.ts';
import { interpretSession, readInvented } from '../core/verification/interpret-session.ts';
import type { Interpretation } from '../core/verification/interpret-session.ts';
import type { Question, QuestionClass, TargetAnswer } from '../engine/question.ts';
import { CONVERSATION_MS_MIN } from './converse.ts';
import type { Clock, ConversationRequest, Conversed } from './ports.ts';
import type { Step } from './steps.ts';

/** The question to one mail host of a domain. */
export interface HostQuestion {
	readonly question: Question;
	/** The question's targets that no host of better preference had an answer for. */
	readonly targets: readonly string[];
	readonly host: MailHost;
	/** The operator that runs it; null: none that we know. */
	readonly operator: MailOperator | null;
	/** Where it may be dialled. */
	readonly addresses: readonly string[];
	/** No host of better preference was asked before. */
	readonly isBest: boolean;
}

/** The notes on the way. */
export interface Notes {
	readonly steps: Step[];
}

/** The reason why no target is asked any more. */
export type Stopped =
	/** It began to refuse us. */
	| { readonly kind: 'paused'; readonly why: PauseReason }
	/** Our own capacity for it is used up until then (epoch ms). */
	| { readonly kind: 'postponed'; readonly until: number };

/**
 * The answer about the targets while the host is left alone. A list waits for an operator that many of its addresses are
 * at: that is our decision, and no answer of the recipient's. A caller hears why, and so does a list about a single host
 * or domain: one that always limits us must not keep a small job open for a day.
 */
export function leftAlone(
	{ why, until, ofDomain }: Pause,
	{ speaksFor }: Pick<MailHost, 'speaksFor'>,
	urgency: QuestionClass,
): Stopped {
	const waits = urgency !== 'single' && speaksFor !== 'itself' && ofDomain !== true;
	return waits ? { kind: 'postponed', until } : { kind: 'paused', why };
}

type Plan = ConversationRequest['plan'];

// A host that twice says nothing of anybody will not say more of the next.
const STALLS_MAX = 2;

interface Said {
	readonly report: SessionReport;
	/** The target's place within the report. */
	readonly index: number;
}

/**
 * The answers of one host so far, and the next question to it, in as few connections as it takes. An answer is final once
 * it is in; a target that a connection left unanswered is asked about in the next. Without I/O: conversations in, requests
 * out.
 */
export class HostVisit {
	readonly #about: HostQuestion;
	readonly #clock: Pick<Clock, 'now'>;
	readonly #notes: Notes;
	readonly #recipients: Pick<Plan, 'invented' | 'furtherInvented'>;
	/** Targets without a final answer. */
	#open: Set<string>;
	/** The last answer about each target. */
	readonly #said = new Map<string, Said>();
	#invented: readonly RecipientReply[] = [];
	#pipelining: SessionPlan['pipelining'] = 'when_offered';
	#tls: TlsPlan;
	#perTransaction: number;
	#tally = { asked: 0, rejected: 0 };
	#stalls = 0;
	/** Beside several targets, time may not suffice for the invented recipient, by which all of them are judged. */
	#asksInventedFirst = true;
	#asksOnceMore = true;
	/** The address that is asked now, by its place. */
	#at = 0;
	#stopped: Stopped | null = null;
	/** The question's time is over for those who are left. */
	#isLate = false;

	constructor({ clock }: { readonly clock: Pick<Clock, 'now'> }, about: HostQuestion, notes: Notes) {
		this.#about = about;
		this.#clock = clock;
		this.#notes = notes;
		this.#recipients = inventedFor(about);
		this.#open = new Set(about.targets);
		this.#tls = about.operator?.tls ?? 'when_demanded';
		this.#perTransaction = about.operator?.perTransaction ?? CONNECTION_LIMITS.recipientsPerTransaction;
	}

	/** The next conversation to be held; null: no target is left, no time, or no address. */
	next(): ConversationRequest | null {
		const { question, host, operator, addresses, isBest } = this.#about;
		const { domain, asker, isTrial, owner, paysUntil, class: urgency, fresh, deadline } = question;
		const address = addresses[this.#at];
		if (address === undefined || this.#stopped !== null || this.#isLate) return null;
		const plan = this.#nextPlan(this.#clock.now());
		if (plan === null) return null;
		const about = { domain, address, host, operator: operator?.operator ?? null };
		const party = { asker, isTrial, owner, paysUntil };
		return { ...about, ...party, class: urgency, fresh, isBest, plan, deadline };
	}

	/** Takes in how the conversation went. */
	take(conversed: Conversed): void {
		const { question, host, operator, addresses } = this.#about;
		if (conversed.kind === 'paused') {
			// Another host of the same domain would be a way around the block.
			this.#notes.steps.push({ step: 'paused', at: this.#clock.now(), host: host.party, why: conversed.why });
			this.#stopped = leftAlone(conversed, host, question.class);
		}
		if (conversed.kind === 'busy' && conversed.isLate === true && this.#hasHeard && this.#isGroup)
			this.#isLate = true;
		else if (conversed.kind === 'busy') this.#stopped = { kind: 'postponed', until: conversed.until };
		if (conversed.kind === 'paused' || conversed.kind === 'busy') return;
		const now = this.#clock.now();
		const { steps } = this.#notes;
		const address = addresses[this.#at] ?? '';
		if (conversed.kind === 'no_connection') {
			steps.push({ step: 'dial', at: now, address, outcome: conversed.why });
			// One that was there a moment ago had enough of us: its other addresses are no way around that.
			this.#at = this.#hasHeard ? addresses.length : this.#at + 1;
			return;
		}
		steps.push({
			step: 'dial',
			at: now,
			address,
			outcome: conversed.warm ? 'connected before' : 'connected',
		});
		const { report, remembered } = conversed;
		this.#hear(report, remembered, now);
		const interpretation = this.#interpret({ report, index: 0 });
		const by = { host: host.host, operator: operator?.operator ?? null };
		steps.push({ step: 'conversation', at: now, report, ...by, interpretation, invented: this.#invented });
	}

	/** The answer about each target, also about those that are not asked any more. Null: no address takes a connection. */
	answers(): ReadonlyMap<string, TargetAnswer | null> | null {
		if (!this.#hasHeard && this.#stopped === null) return null;
		const now = this.#clock.now();
		return new Map(this.#about.targets.map((target) => [target, this.#answerAbout(target, now)]));
	}

	get #isGroup(): boolean {
		return this.#about.targets.length > 1;
	}

	/** A conversation took place. */
	get #hasHeard(): boolean {
		return this.#said.size > 0;
	}

	/** The next question; null: no target is left, or no time. */
	#nextPlan(now: number): Plan | null {
		const targets = this.#nextTargets();
		if (targets.length === 0 || !this.#hasTime(now)) return null;
		const { question, operator } = this.#about;
		return {
			...(this.#invented.length > 0 ? NOBODY_INVENTED : this.#recipients),
			asksInventedFirst: this.#asksInventedFirst && targets.length > 1,
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

	/** @param remembered what the domain said to invented recipients lately, where they were left out for that */
	#hear(report: SessionReport, remembered: readonly RecipientReply[], now: number): void {
		if (this.#invented.length === 0) this.#invented = remembered;
		const before = { open: this.#open.size, invented: this.#invented.length };
		const hadHeard = this.#hasHeard;
		this.#perTransaction = report.perTransaction;
		this.#tally = report.tally;
		const stumbled = this.#pipelining === 'when_offered' && this.#stumbled(report);
		if (!stumbled && this.#invented.length === 0 && report.invented.some(({ reply }) => reply !== null))
			this.#invented = report.invented;
		for (const [index, { recipient, reply }] of report.targets.entries()) {
			if (!this.#open.has(recipient)) continue;
			const latest = { report, index };
			this.#said.set(recipient, latest);
			const asksInLockstep = this.#interpret(latest).advice === 'ask_in_lockstep';
			if (reply !== null && !(stumbled && asksInLockstep)) this.#open.delete(recipient);
		}
		if (stumbled) this.#pipelining = 'never';
		// The handshake was our wish: the server may well serve us without.
		else if (report.end.kind === 'tls_failed' && this.#tls === 'when_offered') this.#tls = 'never';
		else if (this.#open.size === before.open && !this.#heldUpByInvented(report, before.invented, now))
			this.#stall(report, hadHeard, now);
	}

	/** The invented recipient came first, and may be why no target has an answer: that is no fact about a target. */
	#heldUpByInvented(report: SessionReport, knownBefore: number, now: number): boolean {
		const { invented, stage, targets } = report;
		// The server hung up on it, or left the targets no time. It is not asked again.
		if (this.#invented.length > knownBefore) return true;
		const cameFirst = this.#asksInventedFirst && targets.length > 1 && invented.length > 0;
		if (!cameFirst || stage !== 'rcpt' || !this.#hasTime(now)) return false;
		// Perhaps the server is silent about it alone.
		this.#asksInventedFirst = false;
		this.#stalls += 1;
		return true;
	}

	/** Null: time was up before it was asked. */
	#answerAbout(target: string, now: number): TargetAnswer | null {
		const latest = this.#said.get(target);
		const isOpen = this.#open.has(target);
		if (isOpen && this.#stopped !== null) return this.#stopped;
		const isLate = isOpen && this.#isGroup && (this.#isLate || !this.#hasTime(now));
		if (latest === undefined || isLate) return null;
		const { report, index } = latest;
		const reply = report.targets[index];
		const { host, operator, isBest } = this.#about;
		return {
			kind: 'heard',
			host: host.host,
			viaBackup: !isBest,
			operator,
			interpretation: this.#interpret(latest),
			readings: readInvented(
				{ sender: report.sender, invented: this.#invented.length > 0 ? this.#invented : report.invented },
				operator?.operator ?? null,
			),
			words: reply === undefined ? NO_WORDS : compareReplies(reply, report),
			secured: report.secured,
		};
	}

	/** The targets without an answer, or one of the accepted for the sake of the invented. */
	#nextTargets(): readonly string[] {
		if (this.#open.size > 0) return [...this.#open];
		if (!this.#isGroup || this.#invented.length > 0 || !this.#asksOnceMore) return [];
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
		return this.#hasHeard && this.#isGroup ? left >= CONVERSATION_MS_MIN : left > 0;
	}

	/** The conversation brought no answer about anybody. */
	#stall(report: SessionReport, hadHeard: boolean, now: number): void {
		const timeIsUp = now >= this.#about.question.deadline;
		const isFirst = this.#open.size === this.#about.targets.length;
		// Later ones were cut short by us: that is no fact about them. But each question brings one answer at least.
		if (timeIsUp && hadHeard && this.#isGroup && !isFirst) return;
		this.#stalls += 1;
		// Before RCPT it is about us and holds for all; at RCPT it may be one mailbox that takes the server's time.
		const isAboutAll = report.stage !== 'rcpt' || (this.#stalls >= STALLS_MAX && !timeIsUp);
		const [first] = this.#open;
		if (first !== undefined) this.#open.delete(first);
		// One refusal, however many it befell: observed once.
		if (isAboutAll) this.#open.clear();
	}

	/** It seems not to take groups of commands. */
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

/** A slow operator has the time that it needs for a reply, where the asker has that time. */
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
