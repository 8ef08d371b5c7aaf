import type { ReplyRule } from './rule.ts';
import { pattern } from './words.ts';

/** Refusals that only an existing mailbox can cause. */
export const EXISTS: readonly ReplyRule[] = [
	{
		id: 'exists.receives_too_much',
		means: 'mailbox_exists',
		text: pattern(
			'receiving (?:e-?)?(?:mail|messages?) (?:too (?:quickly|fast|often)|at (?:a|too high a) rate)',
		),
		source: 'Google 450 4.2.1 and 550 5.2.1, Yahoo 450: the limit is counted per existing user',
		date: '2026-11-21',
	},
	{
		id: 'exists.members_only_status',
		means: 'mailbox_exists',
		class: 5,
		status: /^5\.7\.(?:12|124|129|133|134|136)$/,
		source: 'Microsoft: recipient found, but it takes mail only from authenticated or listed senders',
		date: '2026-11-21',
	},
	{
		id: 'exists.exchange_restriction',
		means: 'mailbox_exists',
		class: 5,
		text: /resolver\.rst\.(?:auth ?required|not ?authorized|restricted)/,
		source: 'Exchange: the restriction is read from the recipient that the resolver has found',
		date: '2026-11-21',
	},
];
