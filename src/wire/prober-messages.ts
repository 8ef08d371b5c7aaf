import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import type { SmtpReply } from '../core/smtp/reply-reader.ts';
import type { RecipientReply, SessionReport } from '../core/smtp/session.ts';
import type { TraceEvent } from '../core/verification/trace.ts';
import { interpretSession } from '../core/verification/interpret-session.ts';
import type { Asked, News, Question, TargetAnswer } from '../engine/question.ts';
import { ADDRESSES_PER_HOST_MAX, HOSTS_MAX } from './prober.ts';
import type { WireAnswer, WireNews, WireQuestion } from './prober.ts';

// Answers carry the servers' replies, not their interpretation. The Worker interprets them itself, so that one place
// decides what they mean, whatever version a prober has.

/** The question as it is sent, at `now` (epoch ms). `tells`: the prober sends news as they come. */
export function questionToWire(
	{ deadline, paysUntil, hosts, ...question }: Question,
	now: number,
	tells: boolean,
): WireQuestion {
	return {
		...question,
		tells,
		hosts: hosts.slice(0, HOSTS_MAX).map(({ name, addresses, failed }) => ({
			name,
			addresses: addresses.slice(0, ADDRESSES_PER_HOST_MAX),
			failed,
		})),
		targets: [...question.targets],
		invented:
			question.invented === null
				? null
				: { first: question.invented.first, further: [...question.invented.further] },
		...(paysUntil === undefined ? {} : { paysMs: msFrom(now, paysUntil) }),
		budgetMs: msFrom(now, deadline),
	};
}

/** The question as it arrived at `now` (epoch ms). */
export function questionFromWire(sent: WireQuestion, now: number): Question {
	const { budgetMs, paysMs, tells: _, ...question } = sent;
	const paysUntil = paysMs === undefined ? undefined : now + paysMs;
	return { ...question, paysUntil, deadline: now + budgetMs };
}

function msFrom(now: number, until: number): number {
	return Math.max(0, Math.round(until - now));
}

/** News, as they are sent. */
export function newsToWire(news: News): WireNews {
	if (news.kind === 'greeted') return { ...news, invented: repliesToWire(news.invented) };
	return { ...news, reply: replyToWire(news.reply) };
}

/** The answer to a question, as it is sent at `now` (epoch ms). */
export function answerToWire({ answers, trace, tried }: Asked, now: number): WireAnswer {
	const conversations = new Places<SessionReport>(({ transcript }) => transcript);
	const invented = new Places<readonly RecipientReply[]>((replies) => replies);
	const steps = trace.flatMap((event): WireAnswer['trace'] => {
		if (event.step === 'dial' || event.step === 'wait' || event.step === 'paused') return [{ ...event }];
		if (event.step !== 'conversation') return [];
		const { report, host, invented: known } = event;
		return [
			{ step: 'conversation', host, conversation: conversations.of(report), invented: invented.of(known) },
		];
	});
	const results = answers.map((answer): WireAnswer['results'][number] => {
		if (answer?.kind === 'postponed') return { kind: 'postponed', inMs: Math.max(0, answer.until - now) };
		if (answer?.kind !== 'heard') return answer === null ? null : { ...answer };
		const { host, viaBackup, report } = answer;
		const conversation = conversations.of(report);
		const recipient = report.targets[0]?.recipient;
		const target = conversations.all[conversation]?.targets.findIndex((one) => one.recipient === recipient);
		return {
			kind: 'heard',
			host,
			viaBackup,
			conversation,
			target: Math.max(0, target ?? 0),
			invented: invented.of(answer.invented),
		};
	});
	return {
		results,
		conversations: conversations.all.map((report) => conversationToWire(report, now)),
		invented: invented.all.map(repliesToWire),
		trace: steps,
		tried: tried.map(({ begun, at, ...attempt }) => ({
			...attempt,
			begunAgoMs: now - begun,
			endedAgoMs: now - at,
		})),
	};
}

function conversationToWire(
	{ times, ...report }: SessionReport,
	now: number,
): WireAnswer['conversations'][number] {
	const { end, targets, invented, keywords, transcript } = report;
	return {
		...report,
		saidAgoMs: times.map((at) => now - at),
		end: end.kind === 'refused' ? { ...end, reply: replyToWire(end.reply) } : end,
		targets: repliesToWire(targets),
		invented: repliesToWire(invented),
		keywords: [...keywords],
		transcript: [...transcript],
	};
}

function repliesToWire(replies: readonly RecipientReply[]): WireAnswer['invented'][number] {
	return replies.map(({ recipient, reply }) => ({
		recipient,
		reply: reply === null ? null : replyToWire(reply),
	}));
}

function replyToWire(reply: SmtpReply): { code: number; enhanced: string | null; lines: string[] } {
	return { ...reply, lines: [...reply.lines] };
}

/** A list in which each thing is stored once, and referred to by its index. */
class Places<T extends object> {
	readonly all: T[] = [];
	readonly #places = new Map<object, number>();
	readonly #identity: (thing: T) => object;

	constructor(identity: (thing: T) => object) {
		this.#identity = identity;
	}

	of(thing: T): number {
		const key = this.#identity(thing);
		const known = this.#places.get(key);
		if (known !== undefined) return known;
		this.#places.set(key, this.all.length);
		return this.all.push(thing) - 1;
	}
}

/**
 * The answer as it arrived at `now` (epoch ms); null: it does not fit this question.
 *
 * @param from `prober` is added to the names of egresses, since two probers may use the same names
 */
export function answerFromWire(
	sent: WireAnswer,
	{ targets, implicit }: Pick<Question, 'targets' | 'implicit'>,
	from: { readonly prober: string; readonly now: number },
): Asked | null {
	if (sent.results.length !== targets.length) return null;
	const conversations = sent.conversations.map(({ saidAgoMs, ...report }) => ({
		...report,
		times: saidAgoMs.map((ms) => from.now - ms),
	}));
	const operatorOf = (host: string) => (implicit ? null : findMailOperator([host]));
	const way = (egress: string): string => `${egress} at ${from.prober}`;
	const read = (conversation: number, target: number, invented: number, operator: OperatorName | null) => {
		const report = conversations[conversation];
		const known = sent.invented[invented];
		if (report === undefined || known === undefined) return null;
		return { report, known, interpretation: interpretSession(report, operator, target, known) };
	};
	const answers: (TargetAnswer | null)[] = [];
	for (const result of sent.results) {
		if (result === null || result.kind === 'paused' || result.kind === 'dns_error') answers.push(result);
		else if (result.kind === 'unroutable') answers.push(result);
		else if (result.kind === 'postponed') answers.push({ kind: 'postponed', until: from.now + result.inMs });
		else if (result.kind === 'no_connect') answers.push({ ...result, egress: way(result.egress) });
		else {
			const { host, viaBackup, conversation, target, invented } = result;
			const operator = operatorOf(host);
			const heard = read(conversation, target, invented, operator?.operator ?? null);
			if (heard === null || heard.report.targets[target] === undefined) return null;
			const { report, interpretation, known } = heard;
			const ofTarget = { ...report, targets: report.targets.slice(target, target + 1) };
			answers.push({
				kind: 'heard',
				host,
				viaBackup,
				operator,
				report: ofTarget,
				interpretation,
				invented: known,
			});
		}
	}
	const trace: TraceEvent[] = [];
	for (const step of sent.trace) {
		if (step.step === 'dial') trace.push({ ...step, egress: way(step.egress) });
		else if (step.step !== 'conversation') trace.push(step);
		else {
			const operator = operatorOf(step.host)?.operator ?? null;
			const heard = read(step.conversation, 0, step.invented, operator);
			if (heard === null) return null;
			const { report, interpretation, known: invented } = heard;
			trace.push({ step: 'conversation', host: step.host, report, interpretation, operator, invented });
		}
	}
	const tried = sent.tried.map(({ begunAgoMs, endedAgoMs, egress, ...attempt }) => ({
		...attempt,
		egress: way(egress),
		begun: from.now - begunAgoMs,
		at: from.now - endedAgoMs,
	}));
	return { answers, trace, tried };
}
