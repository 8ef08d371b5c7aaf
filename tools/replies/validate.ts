import { classifyReply } from '../../src/core/smtp/classify-reply.ts';
import {
	LIKELIHOOD_ALONE,
	LIKELIHOOD_SECONDED,
	likelihood,
} from '../../src/core/smtp/reply-words/read-words.ts';
import type { Example } from './corpus.ts';
import { train } from './model.ts';
import type { Prepared } from './model.ts';
import type { Weights } from './regression.ts';

/** Ways to judge a reply, from the rules alone to all that there is. */
export const METHODS = [
	'rules alone',
	'words alone',
	'words alone, seconded',
	'rules, then words',
	'rules, then words, seconded',
] as const;
export type Method = (typeof METHODS)[number];

/** An example, and which methods found that its mailbox is missing or shut. */
export interface Judged {
	readonly example: Example;
	readonly found: ReadonlySet<Method>;
}

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
	const sure = prepared.mayBeJudged ? (likelihood(prepared, weights) ?? 0) : 0;
	const byRule = ruleSays(example);
	const found = new Set<Method>();
	const add = (holds: boolean, method: Method) => (holds ? found.add(method) : found);
	add(byRule === 'gone', 'rules alone');
	add(sure >= LIKELIHOOD_ALONE, 'words alone');
	add(sure >= LIKELIHOOD_SECONDED, 'words alone, seconded');
	const isSilent = byRule === 'nothing';
	add(byRule === 'gone' || (isSilent && sure >= LIKELIHOOD_ALONE), 'rules, then words');
	add(byRule === 'gone' || (isSilent && sure >= LIKELIHOOD_SECONDED), 'rules, then words, seconded');
	return { example, found };
}

/** The verdict of the rules on words and statuses, without the reading of words: gone, something else, or nothing. */
function ruleSays({ code, enhanced, line }: Example): 'gone' | 'other' | 'nothing' {
	const reply = { code, enhanced, lines: [line] };
	const { meaning, rule } = classifyReply({
		stage: 'rcpt',
		reply,
		recipient: 'user@example.com',
		operator: null,
	});
	if (rule.startsWith('words.') || rule.startsWith('fallback.')) return 'nothing';
	return meaning === 'no_such_mailbox' || meaning === 'mailbox_disabled' ? 'gone' : 'other';
}

/** How a method did. `wrong`: replies that are about neither a missing nor a shut mailbox, found to be. */
export interface Score {
	readonly missing: number;
	readonly recognised: number;
	readonly others: number;
	readonly wrong: number;
}

/** Counts permanent replies only: no method ever calls a temporary one undeliverable. */
export function scoreOf(judged: readonly Judged[], method: Method): Score {
	const permanent = judged.filter(({ example }) => example.code >= 500);
	const missing = permanent.filter(({ example }) => example.label === 'missing');
	const others = permanent.filter(({ example }) => example.label === 'other');
	const found = (from: readonly Judged[]) => from.filter((one) => one.found.has(method)).length;
	return {
		missing: missing.length,
		recognised: found(missing),
		others: others.length,
		wrong: found(others),
	};
}
