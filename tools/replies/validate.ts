import { classifyReply } from '../../src/core/smtp/classify-reply.ts';
import {
	LIKELIHOOD_ALONE,
	LIKELIHOOD_SECONDED,
	likelihood,
} from '../../src/core/smtp/reply-words/read-words.ts';
import type { Example } from './corpus.ts';
import { train } from './model.ts';
import type { Prepared, Weights } from './model.ts';

/** An example: what the rules say without the reading of words, and how sure the words alone make us. */
export interface Judged {
	readonly example: Example;
	readonly rule: 'gone' | 'other' | 'nothing';
	readonly sure: number;
}

/** Ways to find a missing or shut mailbox, from the rules alone to all that there is. */
export const METHODS = {
	'rules alone': ({ rule }: Judged) => rule === 'gone',
	'words alone': ({ sure }: Judged) => sure >= LIKELIHOOD_ALONE,
	'words alone, seconded': ({ sure }: Judged) => sure >= LIKELIHOOD_SECONDED,
	'rules, then words': ({ rule, sure }: Judged) =>
		rule === 'gone' || (rule === 'nothing' && sure >= LIKELIHOOD_ALONE),
	'rules, then words, seconded': ({ rule, sure }: Judged) =>
		rule === 'gone' || (rule === 'nothing' && sure >= LIKELIHOOD_SECONDED),
} as const;
export type Method = keyof typeof METHODS;

/** Each group judged by what was learnt from the others. */
export function leaveOneGroupOut(prepared: readonly Prepared[]): readonly Judged[] {
	const groups = [...new Set(prepared.map(({ example }) => example.group))];
	return groups.flatMap((group) => {
		const isOf = ({ example }: Prepared) => example.group === group;
		const weights = train(prepared.filter((one) => !isOf(one)));
		return prepared.filter(isOf).map((one) => judge(one, weights));
	});
}

export function judge(prepared: Prepared, weights: Weights): Judged {
	const { example } = prepared;
	const { code, enhanced, line } = example;
	const reply = { code, enhanced, lines: [line] };
	const recipient = 'user@example.com';
	const { meaning, rule } = classifyReply({ stage: 'rcpt', reply, recipient, operator: null });
	const isGone = meaning === 'no_such_mailbox' || meaning === 'mailbox_disabled';
	return {
		example,
		rule: /^(?:words|fallback)\./.test(rule) ? 'nothing' : isGone ? 'gone' : 'other',
		sure: prepared.mayBeJudged ? (likelihood(prepared, weights) ?? 0) : 0,
	};
}

/**
 * How a method did: missing mailboxes, those recognised, other replies, and those of them wrongly accused. Counts permanent
 * replies only: no method ever calls a temporary one undeliverable.
 */
export function scoreOf(judged: readonly Judged[], method: Method) {
	const of = (label: Example['label']) =>
		judged.filter(({ example }) => example.code >= 500 && example.label === label);
	const [missing, others] = [of('missing'), of('other')];
	const found = (from: readonly Judged[]) => from.filter(METHODS[method]).length;
	return {
		missing: missing.length,
		recognised: found(missing),
		others: others.length,
		wrong: found(others),
	};
}

/** Every method, as rows of a Markdown table. */
export function methodsTable(judged: readonly Judged[]): string {
	const rows = (Object.keys(METHODS) as Method[]).map((method) => {
		const { missing, recognised, others, wrong } = scoreOf(judged, method);
		const recall = missing === 0 ? '-' : `${((100 * recognised) / missing).toFixed(1)} %`;
		return `| ${method} | ${recognised} of ${missing} (${recall}) | ${wrong} of ${others} |`;
	});
	const head = '| how a reply is judged | missing mailboxes recognised | other replies accused |';
	return [head, '|---|---|---|', ...rows].join('\n');
}
