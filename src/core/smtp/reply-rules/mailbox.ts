import type { ReplyRule } from './rule.ts';
import { anyOf, DNS_LISTS, MAILBOX, near, or, pattern } from './words.ts';

// Replies about a mailbox that exists, or that existed once.

/** The mailbox exists and is full. Tried before unknown user: Orange says 552 5.1.1 for a full mailbox. */
export const FULL: readonly ReplyRule[] = [
	{
		id: 'full.words',
		means: 'mailbox_full',
		text: pattern(or`
			\bquota\b | over-?quota |
			(?:mail ?box|account|storage|
			inbox) (?:size |storage )?(?:limit )?(?:has |is |was )?(?:been )?(?:exceeded|reached) |
			allocated size | disk (?:is )?full |
			(?:exceed\w*|out of|over|insufficient|no) (?:[a-z'<>]+ ){0,4}(?:quota|storage|mailbox size|
			allowed size|mailbox space) | storage (?:is )?(?:full|limit) |
			(?:mail ?box|inbox|maildrop|mailfolder|mail folder|account|recipient|
			user) (?:'[^']{0,64}' |<> |\(<>\) |\S{1,64} ){0,2}?(?:is |has |are |was )?(?:(?:currently|
			temporarily|already) )?(?:too )?(?:full|over(?:-| )?(?:size|limit|stored|drawn)|exceed(?:ed|
			s) (?:its |the |allowed |maximum |storage |mailbox )*(?:quota|size|limit|storage)) |
			mailbox exceeds | boite (?:aux lettres |du destinataire |mail |<> )?(?:est )?pleine |
			buzon (?:de correo |<> )?(?:esta )?lleno | casilla llena | cuota (?:excedida|superada) |
			caixa (?:postal |de entrada |de correio )?(?:esta )?cheia |
			casella (?:di posta |<> )?(?:e )?piena | postfach (?:<> )?(?:ist )?voll |
			mailbox (?:<> )?(?:ist )?voll | skrzynka .{0,20}pelna | yashik perepolnen |
			ящик .{0,20}переполнен | ящик.{0,20}полон | 邮箱已满 | 郵箱已滿 | 容量已满 | 空间不足 | 容量超
		`),
		// The space on the server's disks and our own quota are not about the mailbox.
		unless: pattern(
			or`
				sending | sent\b | relay | daily | hourly | per (?:day|hour) | message-id | system storage |
				system resources | message (?:size|too) | size of (?:the |your )?message | maximum message
			`,
			// Our own quota at the server.
			or`
				\bconnections?\b | \b(?:ip|host|server) quota | for (?:your |this )?(?:ip|host|domain|\d)
			`,
		),
		source: 'RFC 5321 §4.2.3 552 and 452; RFC 3463 §3.3 X.2.2 in words; Google, Microsoft, Orange, Yahoo',
	},
	{
		id: 'full.counted',
		means: 'mailbox_full',
		text: pattern(or`
			too many messages (?:on|in) (?:the |this |user'?s? )?(?:server|mail ?box|inbox) |
			(?:blocks|inode) limit exceeded | can't create output | disk quota
		`),
		source: 'Sendmail local delivery, eXtremail',
	},
	{
		id: 'full.status',
		means: 'mailbox_full',
		status: /^[45]\.2\.2$/,
		source: 'RFC 3463 §3.3: X.2.2 mailbox full',
	},
	{
		id: 'full.docomo',
		means: 'mailbox_full',
		codes: [552],
		text: /too much mail data/,
		habit: 'calls_full_too_much_data',
		source: 'sisimai Rhost: docomo says it of a full mailbox, others of a message that is too large',
	},
	{
		id: 'full.code',
		means: 'mailbox_full',
		codes: [422],
		source: 'some servers number a full mailbox 422',
	},
];

/** Refusals that only an existing mailbox can cause. */
export const EXISTS: readonly ReplyRule[] = [
	{
		id: 'exists.receives_too_much',
		means: 'mailbox_exists',
		text: pattern(or`
			receiving (?:e-?)?(?:mail|messages?) (?:too (?:quickly|fast|often)|at (?:a|too high a) rate)
		`),
		source: 'Google 450 4.2.1 and 550 5.2.1, Yahoo 450: the limit is counted per existing user',
	},
	{
		id: 'exists.members_only_status',
		means: 'mailbox_exists',
		class: 5,
		status: /^5\.7\.(?:12|124|129|133|134|136)$/,
		source: 'Microsoft: recipient found, but it takes mail only from authenticated or listed senders',
	},
	{
		id: 'exists.exchange_restriction',
		means: 'mailbox_exists',
		class: 5,
		text: /resolver\.rst\.(?:auth ?required|not ?authorized|restricted)/,
		source: 'Exchange: the restriction is read from the recipient that the resolver has found',
	},
];

const SHUT = anyOf(
	or`
		(?:is |was |been )?disabled | de-?activated | inactiv(?:e|ated) | not active\b | not been activated |
		suspended | frozen | locked | blocked due to inactivity | closed | terminated | discontinued |
		archived | expired | cancell?ed | retired | (?:been|was) (?:deleted|removed) | deprovisioned |
		abandoned |
		no longer (?:a )?(?:\w+ )?(?:valid|active|available|in use|used|exists?|works?|employed|with|on|
		accepts?|here|receiv\w+|maintained|monitored|accepting)\b |
		(?:has )?left (?:the|our) (?:company|organi[sz]ation) |
		(?:has |have )(?:left|moved(?!,? no forwarding))(?! to\b)
	`,
	// French, Spanish and Portuguese, Italian, German
	or`
		desactive | inactif | suspendue?\b | fermee?\b | archivee?\b | ferme\b | cloturee?\b |
		desactivad[oa] | deshabilitad[oa] | suspendid[oa] | desativad[oa] | inativ[oa] | cancelad[oa] |
		inactiv[oa] | disattivat[oa] | disabilitat[oa] | sospes[oa] | inattiv[oa] | deaktiviert | gesperrt |
		stillgelegt | geschlossen | nicht mehr (?:aktiv|gultig|verfugbar|vorhanden)
	`,
);

const SHUT_FIRST = anyOf(or`
	disabled | de-?activated | inactive | suspended | frozen | closed | terminated | archived | expired |
	locked
`);

/** The mailbox existed and is disabled. Tried before unknown user: iCloud says 5.1.1 for an inactive mailbox. */
export const DISABLED: readonly ReplyRule[] = [
	{
		id: 'disabled.words',
		means: 'mailbox_disabled',
		class: 5,
		text: pattern(near(MAILBOX, SHUT, 40), `\\b${SHUT_FIRST} (?:e-?mail |mail )?${MAILBOX}\\b`),
		// "command disabled", "your account is disabled": about the service or about us, not about the recipient.
		unless: pattern(or`
			\b(?:your (?:e-?mail |mail )?account|sending from|submitter|command (?:is )?disabled|vrfy|
			sending denied|inbounds)\b
		`),
		source: 'Google, Apple, NetEase, Tencent, Comcast, Orange',
	},
	{
		id: 'disabled.alone',
		means: 'mailbox_disabled',
		class: 5,
		stages: ['rcpt'],
		text: pattern(or`
			<> (?:is |has been |was )?(?:now |currently )?(?:a )?(?:disabled|deactivated|inactive|
			suspended|closed|no longer (?:valid|available|in use|active|on server|here|with us)) |
			p=disableduser | no longer with (?:us|the company|this company) |
			recei(?:pt|ving) (?:is )?disabled | \brecipient no longer on server | deactivated due to abuse |
			not an? active (?:address|account|user|mailbox) | account (?:is )?not active |
			帐号(?:已)?(?:停用|禁用|冻结|锁定) | 账号(?:已)?(?:停用|禁用|冻结|锁定) | 用户(?:已)?(?:停用|禁用|冻结|锁定) |
			邮箱(?:已)?(?:停用|禁用|冻结|锁定) | заблокирован | отключен
		`),
		source: 'the recipient itself, then the word; Google links to p=DisabledUser',
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
	},
];

/** Replies that read like policy but are about the recipient: tried before all other refusals. */
export const RECIPIENT_EXCEPTIONS: readonly ReplyRule[] = [
	{
		id: 'exception.microsoft_edge_block',
		means: 'no_such_mailbox',
		class: 5,
		status: /^5\.4\.1$/,
		// "All recipient addresses rejected" after the message is a tenant's rule instead.
		text: /(?<!all )recipient address rejected: access denied/,
		unless: DNS_LISTS,
		habit: 'denies_access_to_unknown',
		source: 'Microsoft: Directory-Based Edge Blocking refuses recipients that the tenant does not have',
	},
	{
		id: 'exception.microsoft_edge_block_relayed',
		means: 'no_such_mailbox',
		class: 5,
		status: /^5\.4\.1$/,
		text: /(?<!all )recipient address rejected: access denied.{0,200}\boutlook\.com/,
		unless: DNS_LISTS,
		source: 'the same, repeated by a gateway; Microsoft signs with its own host name',
	},
	{
		id: 'exception.marked_as_invalid',
		means: 'no_such_mailbox',
		class: 5,
		status: /^5\.7\.\d+$/,
		text: /(?:user|recipient|address) (?:email )?(?:address )?(?:is )?marked as invalid/,
		unless: DNS_LISTS,
		source: 'Proofpoint Essentials: 5.7.1 for a user that its discovery marked invalid',
	},
	{
		id: 'exception.yandex_no_such_user',
		means: 'no_such_mailbox',
		class: 5,
		status: /^5\.7\.1$/,
		text: /no such user/,
		unless: DNS_LISTS,
		habit: 'calls_unknown_policy',
		source: 'Yandex answers 550 5.7.1 to an unknown user',
	},
	{
		id: 'exception.yandex_target_refused',
		means: 'mailbox_disabled',
		class: 5,
		status: /^5\.7\.1$/,
		text: /policy rejection on the target address/,
		habit: 'calls_unknown_policy',
		source: 'Yandex help: the recipient is blocked and takes no mail',
	},
	{
		id: 'exception.badrcptto',
		means: 'mailbox_disabled',
		class: 5,
		text: /bad ?rcpt ?to|bad ?recipients? ?(?:to )?list/,
		unless: DNS_LISTS,
		source: 'qmail control/badrcptto: this recipient is refused to every sender, whatever the #5.7.1 says',
	},
	{
		id: 'exception.qpsmtpd_badrcptto',
		means: 'mailbox_disabled',
		class: 5,
		text: /mail to <> not accepted here/,
		source: 'qpsmtpd badrcptto: "mail to … not accepted here (#5.1.1)", refused to every sender',
	},
	{
		id: 'exception.expansion',
		means: 'no_such_mailbox',
		class: 5,
		codes: [524],
		text: /mailing list expansion problem/,
		source: 'OpenSMTPD with a table of virtual users says it of every missing name',
	},
	{
		id: 'exception.exim_characters',
		means: 'no_such_mailbox',
		class: 5,
		text: /restricted characters in (?:the )?address/,
		source: 'Debian’s configuration of Exim refuses the local part as such, for every sender',
	},
	{
		id: 'exception.only_another',
		means: 'no_such_mailbox',
		class: 5,
		text: /^(?:\S{1,12} )?only \S{1,80} is allowed to receive/,
		source: 'npm smtp-server, as its manual writes it: any other name is refused',
	},
	{
		id: 'exception.recipient_chooses',
		means: 'policy',
		class: 5,
		text: /recipient (?:refuses|rejects|does not (?:want|accept)) (?:mail|messages|e-?mail) from/,
		unless: DNS_LISTS,
		source:
			'"550 5.7.1 Recipient refuses mail from outside": the recipient’s choice, no listing of our sender',
	},
	{
		id: 'exception.validrcptto',
		means: 'no_such_mailbox',
		class: 5,
		text: /not in (?:my |our |the )?valid ?rcpt ?to/,
		unless: DNS_LISTS,
		source: 'qmail validrcptto: the list of the mailboxes that exist, refused with #5.7.1 or #5.1.1',
	},
	{
		id: 'exception.recipient_syntax',
		means: 'no_such_mailbox',
		class: 5,
		status: /^5\.1\.3$/,
		unless: /sender|mail from|originat/,
		source: 'RFC 3463 §3.2: X.1.3 bad destination mailbox address syntax',
	},
];
