import type { ReplyRule } from './rule.ts';

/** No rule on words matched: the code alone decides, and it never says anything about the mailbox. */
export const FALLBACK: readonly ReplyRule[] = [
	{
		id: 'fallback.protocol_code',
		means: 'protocol_error',
		codes: [500, 501, 502, 503, 504],
		source: 'RFC 5321 §4.2.4: syntax, sequence, not implemented',
		date: '2026-11-21',
	},
	{
		id: 'fallback.protocol_status',
		means: 'protocol_error',
		status: /^5\.5\.[124]$/,
		source: 'RFC 3463 §3.6: X.5.1 invalid command, X.5.2 syntax, X.5.4 arguments',
		date: '2026-11-21',
	},
	{
		id: 'fallback.security_status',
		means: 'policy',
		class: 5,
		status: /^5\.[67]\./,
		source: 'RFC 3463 §3.7 and §3.8: content and policy, about us',
		date: '2026-11-21',
	},
	{
		id: 'fallback.server_status',
		means: 'temporary',
		status: /^5\.3\.[0125]$/,
		source: 'RFC 3463 §3.4: the mail system is in trouble',
		date: '2026-11-21',
	},
	{
		id: 'fallback.before_rcpt',
		means: 'policy',
		stages: ['greeting', 'ehlo', 'mail'],
		class: 5,
		source: 'RFC 5321 §3.1: refused before any recipient was named',
		date: '2026-11-21',
	},
	{
		id: 'fallback.class_4',
		means: 'temporary',
		class: 4,
		source: 'RFC 5321 §4.2.1: transient negative completion',
		date: '2026-11-21',
	},
	{
		id: 'fallback.undetermined',
		means: 'undetermined',
		source: 'none: a reply to learn from',
		date: '2026-11-21',
	},
];
