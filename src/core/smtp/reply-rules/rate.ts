import type { ReplyRule } from './rule.ts';
import { pattern } from './words.ts';

const TOO_MANY = pattern(
	'too many (?:[a-z]+ ){0,3}(?:recipients?|connections?|sessions?|messages?|e-?mails?|' +
		'errors?|users?|requests?|attempts?|invalid|unknown|failures?|bad|rcpts?)\\b',
);

/** We were too fast, or guessed too often. Tried early: a defence against address harvesting mentions unknown users. */
export const RATE: readonly ReplyRule[] = [
	{
		id: 'rate.too_many',
		means: 'rate_limited',
		text: TOO_MANY,
		// "user has too many messages on the server" is a full mailbox.
		unless: pattern(
			"(?:on|in) (?:the |this |your |user'?s? )?(?:server|mail ?box|inbox)",
			'not accepting connections',
		),
		source: 'Postfix, Exim, Cisco (directory harvest), GoDaddy, Microsoft',
		date: '2026-11-21',
	},
	{
		id: 'rate.limit',
		means: 'rate_limited',
		text: pattern(
			'rate[- ]?limit',
			'unusual rate',
			'(?:frequency|connections?|sending|relay|recipients?|recip|hourly|daily|outbound|' +
				'inbound|thread|session|volume|concurrency) (?:[a-z]+ )?limit',
			'recip ?limit',
			'frequency limited',
			'throttl',
			'(?:sending|submitting|connecting) (?:(?:mail|messages|e-?mails?) )?too (?:fast|quickly|often|much)',
			'(?:sender|message|mail|connection|smtp) rate (?:limit )?exceed',
			'\\brate exceeded\\b',
			'too much (?:e-?mail|mail|traffic) from',
			'excessive (?:volume|rate|number|connections)',
			'slow down',
			'try again later,? closing',
			'daily (?:[a-z]+ )?quota',
			'sending (?:[a-z]+ )?quota',
			'exceed\\w* (?:[a-z]+ ){0,5}(?:rate|recipients|connections|thread limit)\\b',
			'max(?:imum)? (?:number of )?(?:messages?|recipients?|rcpts?|connections?|' +
				'sessions?) (?:per|reached|exceeded|allowed)',
			'trop de (?:connexions|destinataires|messages)',
			'zu viele (?:verbindungen|empfanger)',
			'demasiad[oa]s (?:conexiones|destinatarios|mensajes)',
			'muitas conexoes',
			'troppe connessioni',
		),
		// An IP address that is both listed and slowed down counts as listed: the reputation rules decide.
		unless: /due to ip reputation|low reputation/,
		source: 'Google, Microsoft, Apple, Orange, Tencent, Mimecast',
		date: '2026-11-21',
	},
	{
		id: 'rate.harvest_defence',
		means: 'rate_limited',
		text: pattern(
			'directory harvest',
			'dictionary attack',
			'suspected bounce attack',
			'mailbox unavailable or access denied',
			'out of allow(?:ed)? rcpt',
			'reject due to policy violations',
		),
		source: 'Tencent QQ bounce help; GMX/web.de after unknown users or a changed HELO',
		date: '2026-11-21',
	},
	{
		id: 'rate.operator_marks',
		means: 'rate_limited',
		text: pattern(
			'\\bhl:(?:rep|ifc|icc)\\b',
			'\\bmi:(?:dmc|cel|stc)\\b',
			'\\brp:(?:cel|drc|orq)\\b',
			'\\bib(?:007|11[0-3]|60[57])\\b',
			'\\btss0[1-6]\\b',
			'\\bcloudfilter(?:rate)?\\d',
			'temporarily deferred due to',
		),
		source: 'NetEase, GoDaddy and Yahoo error tables',
		date: '2026-11-21',
	},
	{
		id: 'rate.status',
		means: 'rate_limited',
		status: /^(?:[45]\.7\.28|4\.7\.[58]\d\d|[45]\.5\.3)$/,
		unless: /reputation|relay|rcpthosts/,
		source: 'RFC 3463 §3.6 X.5.3; Google X.7.28; Microsoft 4.7.500-599 and 4.7.850-899',
		date: '2026-11-21',
	},
];
