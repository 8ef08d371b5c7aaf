import type { ReplyRule } from './rule.ts';
import { pattern } from './words.ts';

/** The mailbox exists and is full. Tried before unknown user: Orange says 552 5.1.1 for a full mailbox. */
export const FULL: readonly ReplyRule[] = [
	{
		id: 'full.words',
		means: 'mailbox_full',
		text: pattern(
			'\\bquota\\b',
			'over-?quota',
			'(?:mail ?box|account|storage|inbox) (?:size |storage )?(?:limit )?(?:has |is |' +
				'was )?(?:been )?(?:exceeded|reached)',
			'allocated size',
			'disk (?:is )?full',
			"(?:exceed\\w*|out of|over|insufficient|no) (?:[a-z'<>]+ ){0,4}(?:quota|storage|" +
				'mailbox size|allowed size|mailbox space)',
			'storage (?:is )?(?:full|limit)',
			'(?:mail ?box|inbox|maildrop|mailfolder|mail folder|account|recipient|' +
				"user) (?:'[^']{0,64}' |<> |\\(<>\\) |\\S{1,64} ){0,2}?(?:is |has |are |" +
				'was )?(?:(?:currently|temporarily|already) )?(?:too )?(?:full|over(?:-| )?(?:size|' +
				'limit|stored|drawn)|exceed(?:ed|s) (?:its |the |allowed |maximum |storage |' +
				'mailbox )*(?:quota|size|limit|storage))',
			'mailbox exceeds',
			'boite (?:aux lettres |du destinataire |mail |<> )?(?:est )?pleine',
			'buzon (?:de correo |<> )?(?:esta )?lleno',
			'casilla llena',
			'cuota (?:excedida|superada)',
			'caixa (?:postal |de entrada |de correio )?(?:esta )?cheia',
			'casella (?:di posta |<> )?(?:e )?piena',
			'postfach (?:<> )?(?:ist )?voll',
			'mailbox (?:<> )?(?:ist )?voll',
			'skrzynka .{0,20}pelna',
			'yashik perepolnen',
			'ящик .{0,20}переполнен',
			'ящик.{0,20}полон',
			'邮箱已满',
			'郵箱已滿',
			'容量已满',
			'空间不足',
			'容量超',
		),
		// The space on the server's disks and our own quota are not about the mailbox.
		unless: pattern(
			'sending',
			'sent\\b',
			'relay',
			'daily',
			'hourly',
			'per (?:day|hour)',
			'message-id',
			'system storage',
			'system resources',
			'message (?:size|too)',
			'size of (?:the |your )?message',
			'maximum message',
			// Our own quota at the server.
			'\\bconnections?\\b',
			'\\b(?:ip|host|server) quota',
			'for (?:your |this )?(?:ip|host|domain|\\d)',
		),
		source: 'RFC 5321 §4.2.3 552 and 452; RFC 3463 §3.3 X.2.2 in words; Google, Microsoft, Orange, Yahoo',
		date: '2026-11-21',
	},
	{
		id: 'full.counted',
		means: 'mailbox_full',
		text: pattern(
			"too many messages (?:on|in) (?:the |this |user'?s? )?(?:server|mail ?box|inbox)",
			'(?:blocks|inode) limit exceeded',
			"can't create output",
			'disk quota',
		),
		source: 'Sendmail local delivery, eXtremail',
		date: '2026-11-21',
	},
	{
		id: 'full.status',
		means: 'mailbox_full',
		status: /^[45]\.2\.2$/,
		source: 'RFC 3463 §3.3: X.2.2 mailbox full',
		date: '2026-11-21',
	},
	{
		id: 'full.docomo',
		means: 'mailbox_full',
		codes: [552],
		text: /too much mail data/,
		habit: 'calls_full_too_much_data',
		source: 'sisimai Rhost: docomo says it of a full mailbox, others of a message that is too large',
		date: '2026-11-23',
	},
	{
		id: 'full.code',
		means: 'mailbox_full',
		codes: [422],
		source: 'some servers number a full mailbox 422',
		date: '2026-11-21',
	},
];
