import type { ReplyRule } from './rule.ts';
import { DNS_LISTS, pattern } from './words.ts';

/** Refusals of our machine, name or sender. Tried before any rule about the mailbox, which such words resemble. */
export const BLOCKED: readonly ReplyRule[] = [
	{
		id: 'blocked.dns_list',
		means: 'blocked',
		text: DNS_LISTS,
		source: 'DNS lists by name and by word; a refused address may ride on any code, 550 5.2.1 included',
		date: '2026-11-21',
	},
	{
		id: 'blocked.listed',
		means: 'blocked',
		// "not listed in Domino Directory" is an unknown user.
		text: pattern(
			'(?<!not )\\blisted (?:in|at|on|by|as)\\b',
			'(?:found|is) (?:in|on) (?:an? |the |our )?(?:[a-z-]+ )?(?:listing|database|block)',
			'\\b(?:in|on) (?:an? |the |our )?(?:[a-z-]+ )?spammers?\\b',
			'\\(bl\\)',
			'\\(nowl\\)',
			'\\[bl\\d\\d\\]',
			'\\btss\\d\\d\\b',
			'\\bs(?:31[145]\\d|8\\d\\d)\\b',
			'\\bwm:bli\\b',
			'\\bhl:(?:mep|itc)\\b',
			'\\baup#',
			'\\bers-',
		),
		source: 'T-Online, Yahoo, Microsoft, NetEase, Spectrum, Trend Micro',
		date: '2026-11-21',
	},
	{
		id: 'blocked.word',
		means: 'blocked',
		text: pattern(
			'\\bblocked\\b',
			'\\bblock-',
			'customized-block',
			'\\bbanned\\b',
			'bloque[esa]?s?\\b',
			'\\bbloquead[oa]\\b',
			'\\bgesperrt.{0,20}\\bip\\b',
			'\\bblack (?:ip|mail|listed)',
			'junk ?mail',
			'rbl (?:reject|deny)',
			'bad host',
			'open relay',
		),
		unless: /due to inactivity/,
		source: 'all gateways; Barracuda marks a blocked probe as "(address:blocked)"',
		date: '2026-11-21',
	},
	{
		id: 'blocked.client',
		means: 'blocked',
		text: pattern(
			'client host rejected',
			'client \\S{1,80} (?:rejected|denied)',
			'access to (?:this|submit)',
			'your access',
			'your (?:ip|host|server|mail server|network)\\b',
			// "Remote host said: …" quotes the next server's reply, which is about the recipient.
			'(?:sending|source|remote|client|connecting) (?:ip|host|mta|server|mail server)' +
				'(?! (?:returned|said|replied|responded|answered|reported))',
			'(?:ip|ips|ip address(?:es)?|hosts?|servers?) (?:[^ ]{1,60} ){0,3}(?:is |are |was |' +
				'were )?(?:not (?:allowed|authori[sz]ed|permitted|whitelisted|accepted)|rejected|' +
				'denied|refused)',
			'connections? (?:will )?(?:not (?:be )?accepted|refused|rejected|denied)',
			'not accepting connections',
			'adresse ip',
			// Russian: your address is blocked.
			'ваш\\S{0,3} (?:ip[- ])?(?:адрес|сервер|домен)',
			'mismatch\\w* client',
			'ip check error',
			'helo ?(?:host|name)? ?(?:error|reject|invalid|denied|command rejected)',
			'service refuse',
		),
		source: 'Postfix reject_*_client, Cisco, Apple, GoDaddy, Orange',
		date: '2026-11-21',
	},
	{
		id: 'blocked.our_sender',
		means: 'blocked',
		// A callout to our envelope sender failed: the reply says nothing about the recipient.
		text: /<us>/,
		unless: /<>/,
		source: 'Exim and Postfix sender verification',
		date: '2026-11-21',
	},
	{
		id: 'blocked.sender_domain',
		means: 'blocked',
		stages: ['mail'],
		class: 5,
		text: /domain (?:\S{1,80} )?(?:does not exist|doesn't exist|not found|not? exist|unknown|can ?not be (?:resolved|verified))/,
		source: 'Courier "517 Domain does not exist" in reply to MAIL: about our sender',
		date: '2026-11-23',
	},
	{
		id: 'blocked.reverse_dns',
		means: 'blocked',
		text: pattern(
			'reverse (?:dns|host ?name|lookup|record)',
			'\\bptr\\b',
			'\\brdns\\b',
			'fcrdns',
			'ip name lookup failed',
			'cannot find your (?:reverse )?host ?name',
			'unverifyable sending',
			'invalid dns (?:mx|ptr|a)\\b',
		),
		source: 'Comcast, AT&T, GoDaddy, Postfix reject_unknown_client_hostname',
		date: '2026-11-21',
	},
	{
		id: 'blocked.place',
		means: 'blocked',
		text: pattern(
			'geo-?(?:ip|graph|location)',
			'\\bcountr(?:y|ies)\\b',
			'host network not allowed',
			'dynamic ip',
			'dial-?up',
			'residential',
		),
		source: 'Mimecast 554 Host network not allowed; country lists',
		date: '2026-11-21',
	},
	{
		id: 'blocked.tenant',
		means: 'blocked',
		text: /tenant ?attribution/,
		source: 'Microsoft 5.7.51, 5.7.64',
		date: '2026-11-21',
	},
	{
		id: 'blocked.sender',
		means: 'blocked',
		text: pattern(
			"\\bsender(?:'s)? (?:[a-z-]+ ){0,3}?(?:address|domain|verif\\w*|callout|reject\\w*|" +
				'denied|refused|invalid|unknown|unvalidated|not|is|does|ip|e-?mail|id|blocked|' +
				'mismatch\\w*|policy)\\b',
			'\\b(?:invalid|unknown|forged|reject\\w*|suspected|spam|bad|banned|envelope|null|' +
				'blank|header|dkim|spf) (?:[a-z-]+ ){0,2}senders?\\b',
			'(?<!recipient )verif(?:ication|y) failed for',
			'\\bmail ?from\\b',
			'\\bfrom:? (?:address|domain|header)\\b',
			'return[- ]path',
			'\\boriginator\\b',
			'(?:expediteur|emetteur|absender|remitente|mittente|remetente)\\b',
			'sender (?:filter|verify)',
			'call-?(?:back|out)s? to (?:the |your )?(?:sender|mx|host|server)',
		),
		// A greylist's own words: "not yet authorized to deliver mail from …".
		unless: /not yet authori[sz]ed/,
		// "sender verify failed … no such user" is an Exim callout to *our* address.
		source: 'RFC 3463 §3.2 X.1.7 and X.1.8 in words; Exim sender verification repeats the answer about us',
		date: '2026-11-21',
	},
	{
		id: 'blocked.status',
		means: 'blocked',
		status: /^(?:[45]\.1\.[78]|[45]\.7\.(?:23|25|27|511|60[6-9]|6[1-4]\d)|4\.7\.6\d\d)$/,
		source: 'RFC 3463 §3.2; RFC 7372; Microsoft banned senders 5.7.511, 5.7.606-649',
		date: '2026-11-21',
	},
];
