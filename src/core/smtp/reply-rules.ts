import { BLOCKED, POLICY, POLICY_WEAK, RATE, SESSION } from './reply-rules/about-us.ts';
import { DISABLED, DISABLED_STATUS, EXISTS, FULL, RECIPIENT_EXCEPTIONS } from './reply-rules/mailbox.ts';
import { RELAY, RELAY_AT_RCPT, TEMPORARY } from './reply-rules/server.ts';
import { BY_WORDS } from './reply-rules/rule.ts';
import type { ReplyRule } from './reply-rules/rule.ts';
import { UNKNOWN_USER, UNKNOWN_USER_STATUS } from './reply-rules/unknown-user.ts';

const ACCEPTED: readonly ReplyRule[] = [
	{
		id: 'accepted.unverified',
		means: 'accepted',
		codes: [252],
		// A rule of its own, so that the trace shows it: a 252 is no evidence that the mailbox exists.
		source: 'RFC 5321 §3.5.3: cannot verify the user, but will accept the message',
	},
	{ id: 'accepted.class_2', means: 'accepted', class: 2, source: 'RFC 5321 §4.2.1' },
];

/** No rule on words matched: the code alone decides, and it never says anything about the mailbox. */
const FALLBACK: readonly ReplyRule[] = [
	{
		id: 'fallback.protocol_code',
		means: 'protocol_error',
		codes: [500, 501, 502, 503, 504],
		source: 'RFC 5321 §4.2.4: syntax, sequence, not implemented',
	},
	{
		id: 'fallback.protocol_status',
		means: 'protocol_error',
		status: /^5\.5\.[124]$/,
		source: 'RFC 3463 §3.6: X.5.1 invalid command, X.5.2 syntax, X.5.4 arguments',
	},
	{
		id: 'fallback.security_status',
		means: 'policy',
		class: 5,
		status: /^5\.[67]\./,
		source: 'RFC 3463 §3.7 and §3.8: content and policy, about us',
	},
	{
		id: 'fallback.server_status',
		means: 'temporary',
		status: /^5\.3\.[0125]$/,
		source: 'RFC 3463 §3.4: the mail system is in trouble',
	},
	{
		id: 'fallback.before_rcpt',
		means: 'policy',
		stages: ['greeting', 'ehlo', 'mail'],
		class: 5,
		source: 'RFC 5321 §3.1: refused before any recipient was named',
	},
	{
		id: 'fallback.class_4',
		means: 'temporary',
		class: 4,
		source: 'RFC 5321 §4.2.1: transient negative completion',
	},
	{ id: 'fallback.undetermined', means: 'undetermined', source: 'none: a reply to learn from' },
];

/**
 * All rules, in the order in which they are tried: the first that matches decides, and the last always matches.
 * The order matters: rules about us come before rules about the mailbox, because replies that refuse a listed
 * machine are full of words like "mailbox unavailable".
 */
export const REPLY_RULES: readonly ReplyRule[] = [
	...ACCEPTED,
	...RECIPIENT_EXCEPTIONS,
	...EXISTS,
	...RATE,
	...SESSION,
	...RELAY_AT_RCPT,
	...BLOCKED,
	...RELAY,
	...FULL,
	...POLICY,
	...TEMPORARY,
	...DISABLED,
	...UNKNOWN_USER,
	...POLICY_WEAK,
	...DISABLED_STATUS,
	...UNKNOWN_USER_STATUS,
	...BY_WORDS,
	...FALLBACK,
];
