import type { ReplyHabit } from '../../mail-operators/operator-row.ts';
import type { Stage } from '../reply-reader.ts';
import { LIKELIHOOD_ALONE, LIKELIHOOD_SECONDED } from '../reply-words/read-words.ts';

/** The meaning of a reply, and the party at fault. */
export type ReplyMeaning =
	/** 2xx. At RCPT: the server accepts this recipient, or every recipient. */
	| 'accepted'
	/** A refusal that proves that the mailbox exists (too much mail, or members only). No party is at fault. */
	| 'mailbox_exists'
	/** The address is at fault: there is no such mailbox. Only ever a 5xx to our RCPT. */
	| 'no_such_mailbox'
	/** The address is at fault: its mailbox existed and takes no mail now. Only ever a 5xx to our RCPT. */
	| 'mailbox_disabled'
	/** The mailbox's owner is at fault: the mailbox exists but is full. */
	| 'mailbox_full'
	/** We are at fault: too many connections, recipients or errors, or the server says slow down. */
	| 'rate_limited'
	/** We are at fault: our address, name, or sender is listed, unverifiable or unwanted. */
	| 'blocked'
	/** The server's rules refuse us (spam, authentication, permission): nothing about the mailbox. */
	| 'policy'
	/** The server is at fault: it cannot answer now. */
	| 'temporary'
	/** Greylisting: the server defers every new sender once. Ask again, from the same IP address. */
	| 'greylisted'
	/** The server demands TLS first. */
	| 'tls_required'
	/** The domain's owner is at fault: this server does not serve the domain, or does not know it. */
	| 'relay_denied'
	/** We are at fault: the server did not understand our command. */
	| 'protocol_error'
	/** Words and codes that no rule explains yet. Never a verdict. */
	| 'undetermined';

/** One row of the table. Every condition that is present must hold; a rule without conditions always matches. */
export interface ReplyRule {
	readonly id: string;
	readonly means: ReplyMeaning;
	/** Only for replies at one of these stages. */
	readonly stages?: readonly Stage[];
	/** First digit of the code. */
	readonly class?: 2 | 3 | 4 | 5;
	readonly codes?: readonly number[];
	/** Tested on the enhanced status (RFC 3463), such as `5.1.1`. A reply without one does not match. */
	readonly status?: RegExp;
	/** Excludes replies with an enhanced status like this one. A reply without one does match. */
	readonly notStatus?: RegExp;
	/** Tested on the reply's words: lower case, without accents, `_` read as a space, our recipient
	 * as `<>`, our sender as `<us>` and any other address as `<@>`. */
	readonly text?: RegExp;
	/** Excludes replies whose words also match this. */
	readonly unless?: RegExp;
	/**
	 * Only where the words read as "no such mailbox" with at least this likelihood (0-1), and no other reply
	 * contradicts it.
	 */
	readonly likelihood?: number;
	/** Only where another recipient's reply supports this reading. */
	readonly seconded?: true;
	/** Only for mail operators that have this habit. */
	readonly habit?: ReplyHabit;
	/** Where the wording or the rule is documented. */
	readonly source: string;
}

/** Wordings that no rule knows, judged word by word. Tried after every rule on words and statuses. */
export const BY_WORDS: readonly ReplyRule[] = [
	{
		id: 'words.no_such_mailbox',
		means: 'no_such_mailbox',
		class: 5,
		likelihood: LIKELIHOOD_ALONE,
		source: 'weights learnt from tools/replies/wordings.txt; docs/reply-wording.md has precision and recall',
	},
	{
		id: 'words.no_such_mailbox_seconded',
		means: 'no_such_mailbox',
		class: 5,
		likelihood: LIKELIHOOD_SECONDED,
		seconded: true,
		source: 'the same, less plain, where the answers to other recipients show that it is not about us',
	},
];
