import { BLOCKED } from './reply-rules/blocked.ts';
import { DISABLED, DISABLED_STATUS } from './reply-rules/disabled.ts';
import { EXISTS } from './reply-rules/exists.ts';
import { FALLBACK } from './reply-rules/fallback.ts';
import { FULL } from './reply-rules/full.ts';
import { POLICY, POLICY_WEAK } from './reply-rules/policy.ts';
import { BY_WORDS } from './reply-rules/rule.ts';
import type { ReplyRule } from './reply-rules/rule.ts';
import { RATE } from './reply-rules/rate.ts';
import { RECIPIENT_EXCEPTIONS } from './reply-rules/recipient-exceptions.ts';
import { RELAY, RELAY_AT_RCPT } from './reply-rules/relay.ts';
import { SESSION } from './reply-rules/session.ts';
import { TEMPORARY } from './reply-rules/temporary.ts';
import { UNKNOWN_USER, UNKNOWN_USER_STATUS } from './reply-rules/unknown-user.ts';

const ACCEPTED: readonly ReplyRule[] = [
	{
		id: 'accepted.unverified',
		means: 'accepted',
		codes: [252],
		// A rule of its own, so that the trace shows it: a 252 is no evidence that the mailbox exists.
		source: 'RFC 5321 §3.5.3: cannot verify the user, but will accept the message',
		date: '2026-11-21',
	},
	{ id: 'accepted.class_2', means: 'accepted', class: 2, source: 'RFC 5321 §4.2.1', date: '2026-11-21' },
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
