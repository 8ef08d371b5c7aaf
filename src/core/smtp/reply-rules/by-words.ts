import { LIKELIHOOD_ALONE, LIKELIHOOD_SECONDED } from '../reply-words/read-words.ts';
import type { ReplyRule } from './rule.ts';

/** Wordings that no rule knows, judged word by word. Tried after every rule on words and statuses. */
export const BY_WORDS: readonly ReplyRule[] = [
	{
		id: 'words.no_such_mailbox',
		means: 'no_such_mailbox',
		class: 5,
		likelihood: LIKELIHOOD_ALONE,
		source: 'weights learnt from tools/replies/wordings.txt; docs/reply-wording.md has precision and recall',
		date: '2026-11-22',
	},
	{
		id: 'words.no_such_mailbox_seconded',
		means: 'no_such_mailbox',
		class: 5,
		likelihood: LIKELIHOOD_SECONDED,
		seconded: true,
		source: 'the same, less plain, where the answers to other recipients show that it is not about us',
		date: '2026-11-22',
	},
];

/** True for a rule that judged the reply by its words alone. */
export function isReadByWords(rule: string | null): boolean {
	return BY_WORDS.some(({ id }) => id === rule);
}
