import type { ReplyRule } from './rule.ts';
import { anyOf, MAILBOX, near, pattern } from './words.ts';

const SHUT = anyOf(
	'(?:is |was |been )?disabled',
	'de-?activated',
	'inactiv(?:e|ated)',
	'not active\\b',
	'not been activated',
	'suspended',
	'frozen',
	'locked',
	'blocked due to inactivity',
	'closed',
	'terminated',
	'discontinued',
	'archived',
	'expired',
	'cancell?ed',
	'retired',
	'(?:been|was) (?:deleted|removed)',
	'deprovisioned',
	'abandoned',
	'no longer (?:a )?(?:\\w+ )?(?:valid|active|available|in use|used|exists?|works?|' +
		'employed|with|on|accepts?|here|receiv\\w+|maintained|monitored|accepting)\\b',
	'(?:has )?left (?:the|our) (?:company|organi[sz]ation)',
	'(?:has |have )(?:left|moved(?!,? no forwarding))(?! to\\b)',
	// French, Spanish and Portuguese, Italian, German
	'desactive',
	'inactif',
	'suspendue?\\b',
	'fermee?\\b',
	'archivee?\\b',
	'ferme\\b',
	'cloturee?\\b',
	'desactivad[oa]',
	'deshabilitad[oa]',
	'suspendid[oa]',
	'desativad[oa]',
	'inativ[oa]',
	'cancelad[oa]',
	'inactiv[oa]',
	'disattivat[oa]',
	'disabilitat[oa]',
	'sospes[oa]',
	'inattiv[oa]',
	'deaktiviert',
	'gesperrt',
	'stillgelegt',
	'geschlossen',
	'nicht mehr (?:aktiv|gultig|verfugbar|vorhanden)',
);

const SHUT_FIRST = anyOf(
	'disabled',
	'de-?activated',
	'inactive',
	'suspended',
	'frozen',
	'closed',
	'terminated',
	'archived',
	'expired',
	'locked',
);

/** The mailbox existed and is disabled. Tried before unknown user: iCloud says 5.1.1 for an inactive mailbox. */
export const DISABLED: readonly ReplyRule[] = [
	{
		id: 'disabled.words',
		means: 'mailbox_disabled',
		class: 5,
		text: pattern(near(MAILBOX, SHUT, 40), `\\b${SHUT_FIRST} (?:e-?mail |mail )?${MAILBOX}\\b`),
		// "command disabled", "your account is disabled": about the service or about us, not about the recipient.
		unless: pattern(
			'\\b(?:your (?:e-?mail |mail )?account|sending from|submitter|' +
				'command (?:is )?disabled|vrfy|sending denied|inbounds)\\b',
		),
		source: 'Google, Apple, NetEase, Tencent, Comcast, Orange',
		date: '2026-11-21',
	},
	{
		id: 'disabled.alone',
		means: 'mailbox_disabled',
		class: 5,
		stages: ['rcpt'],
		text: pattern(
			'<> (?:is |has been |was )?(?:now |currently )?(?:a )?(?:disabled|deactivated|' +
				'inactive|suspended|closed|no longer (?:valid|available|in use|active|on server|here|' +
				'with us))',
			'p=disableduser',
			'no longer with (?:us|the company|this company)',
			'recei(?:pt|ving) (?:is )?disabled',
			'\\brecipient no longer on server',
			'deactivated due to abuse',
			'not an? active (?:address|account|user|mailbox)',
			'account (?:is )?not active',
			'帐号(?:已)?(?:停用|禁用|冻结|锁定)',
			'账号(?:已)?(?:停用|禁用|冻结|锁定)',
			'用户(?:已)?(?:停用|禁用|冻结|锁定)',
			'邮箱(?:已)?(?:停用|禁用|冻结|锁定)',
			'заблокирован',
			'отключен',
		),
		source: 'the recipient itself, then the word; Google links to p=DisabledUser',
		date: '2026-11-21',
	},
];

/** The enhanced status alone: tried after all rules on words. */
export const DISABLED_STATUS: readonly ReplyRule[] = [
	{
		id: 'disabled.status',
		means: 'mailbox_disabled',
		class: 5,
		status: /^5\.2\.1$/,
		source: 'RFC 3463 §3.3: X.2.1 mailbox disabled, not accepting messages',
		date: '2026-11-21',
	},
];
