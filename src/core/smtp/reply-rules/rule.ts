import type { ReplyHabit } from '../../mail-operators/operator-row.ts';
import type { Stage } from '../reply.ts';

/** What a reply means for us, and whose doing it is. */
export type ReplyMeaning =
	/** 2xx: the server takes it. At RCPT: the recipient, or everything, is accepted. */
	| 'accepted'
	/** A refusal that proves the mailbox is there (too much mail, or members only). Nobody's fault. */
	| 'mailbox_exists'
	/** The address is at fault: nobody has it. Only ever a 5xx to our RCPT. */
	| 'no_such_mailbox'
	/** The address is at fault: it was there and takes no mail now. Only ever a 5xx to our RCPT. */
	| 'mailbox_disabled'
	/** The mailbox's owner is at fault: there, but out of room. */
	| 'mailbox_full'
	/** We are at fault: too many connections, recipients or errors, or the server says slow down. */
	| 'rate_limited'
	/** We are at fault: our address, name, or sender is listed, unverifiable or unwanted. */
	| 'blocked'
	/** The server's rules refuse us (spam, authentication, permission): nothing about the mailbox. */
	| 'policy'
	/** The server is at fault: it cannot answer now. */
	| 'temporary'
	/** The server puts every new sender off once: come back, from the same address. */
	| 'greylisted'
	/** The server wants encryption first. */
	| 'tls_required'
	/** The domain's owner is at fault: this server does not serve the domain, or does not know it. */
	| 'relay_denied'
	/** We are at fault: the server did not follow what we said. */
	| 'protocol_error'
	/** Words and codes that nobody has explained yet. Never a verdict. */
	| 'undetermined';

/** One line of the table. Every condition that is present must hold; a rule without conditions always holds. */
export interface ReplyRule {
	readonly id: string;
	readonly means: ReplyMeaning;
	/** Only when the reply was given at one of these. */
	readonly stages?: readonly Stage[];
	/** First digit of the code. */
	readonly class?: 2 | 3 | 4 | 5;
	readonly codes?: readonly number[];
	/** On the enhanced status (RFC 3463), such as `5.1.1`. A reply without one does not match. */
	readonly status?: RegExp;
	/** Never on an enhanced status like this one. A reply without one does match. */
	readonly notStatus?: RegExp;
	/** On the reply's words: lower case, without accents, `_` read as a space, our recipient
	 * as `<>` and any other address as `<@>`. */
	readonly text?: RegExp;
	/** Not when the words also say this. */
	readonly unless?: RegExp;
	/** Only from operators that have this habit. */
	readonly habit?: ReplyHabit;
	/** Who says so. */
	readonly source: string;
	/** When we last read the source. */
	readonly date: string;
}
