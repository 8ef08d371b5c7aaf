import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { Asked, Question } from '../engine/question.ts';
import type { Finding } from '../core/verification/finding.ts';
import { ADDRESSES_PER_HOST_MAX, HOSTS_MAX, VERSION } from './prober.ts';
import type { WireAnswer, WireQuestion } from './prober.ts';

// Answers carry what the prober read in the servers' replies, so that one place reads them, and never twice.

/** The question as it is sent, at `now` (epoch ms). `tells`: the prober sends news as they come. */
export function questionToWire(
	{ deadline, paysUntil, hosts, ...question }: Question,
	now: number,
	tells: boolean,
): WireQuestion {
	return {
		...question,
		version: VERSION,
		tells,
		hosts: hosts.slice(0, HOSTS_MAX).map(({ name, addresses, failed }) => ({
			name,
			addresses: addresses.slice(0, ADDRESSES_PER_HOST_MAX),
			failed,
		})),
		...(paysUntil === undefined ? {} : { paysMs: msFrom(now, paysUntil) }),
		budgetMs: msFrom(now, deadline),
	};
}

/** The question as it arrived at `now` (epoch ms). */
export function questionFromWire(sent: WireQuestion, now: number): Question {
	const { version: _, budgetMs, paysMs, tells: __, ...question } = sent;
	const paysUntil = paysMs === undefined ? undefined : now + paysMs;
	return { ...question, paysUntil, deadline: now + budgetMs };
}

function msFrom(now: number, until: number): number {
	return Math.max(0, Math.round(until - now));
}

/**
 * The answer to a question, as it is sent at `now` (epoch ms).
 *
 * @param rules the version of the rules that read the replies
 */
export function answerToWire(
	{ answers, evidence, recipients }: Asked,
	now: number,
	rules: string,
): WireAnswer {
	return {
		version: VERSION,
		rules,
		results: answers.map((answer): WireAnswer['results'][number] => {
			if (answer?.kind === 'postponed') return { kind: 'postponed', inMs: msFrom(now, answer.until) };
			if (answer?.kind !== 'heard') return answer;
			const { operator: _, ...heard } = answer;
			return heard;
		}),
		evidence: evidence.map(({ at, ...step }) => ({ ...step, agoMs: now - at })),
		recipients,
	};
}

/** The answer as it arrived at `now` (epoch ms); null: it does not fit this question. */
export function answerFromWire(
	{ results, evidence, recipients }: WireAnswer,
	{ targets, implicit }: Pick<Question, 'targets' | 'implicit'>,
	now: number,
): Asked | null {
	if (results.length !== targets.length) return null;
	return {
		answers: results.map((result): Finding | null => {
			if (result?.kind === 'postponed') return { kind: 'postponed', until: now + result.inMs };
			if (result?.kind !== 'heard') return result;
			return { ...result, operator: implicit ? null : findMailOperator([result.host]) };
		}),
		evidence: evidence.map(({ agoMs, ...step }) => ({ ...step, at: now - agoMs })),
		recipients,
	};
}
