import type { ReplyRule } from './rule.ts';
import { DNS_LISTS, or, pattern } from './words.ts';

// Replies about us: our speed, our session, our machine and sender, and what the server permits us.

/** Refusals of our machine, name or sender. Tried before any rule about the mailbox, which such words resemble. */
export const BLOCKED: readonly ReplyRule[] = [
	{
		id: 'blocked.dns_list',
		means: 'blocked',
		text: DNS_LISTS,
		source: 'DNS lists by name and by word; a refused address may ride on any code, 550 5.2.1 included',
	},
	{
		id: 'blocked.listed',
		means: 'blocked',
		// "not listed in Domino Directory" is an unknown user.
		text: pattern(or`
			(?<!not )\blisted (?:in|at|on|by|as)\b |
			(?:found|is) (?:in|on) (?:an? |the |our )?(?:[a-z-]+ )?(?:listing|database|block) |
			\b(?:in|on) (?:an? |the |our )?(?:[a-z-]+ )?spammers?\b | \(bl\) | \(nowl\) | \[bl\d\d\] |
			\btss\d\d\b | \bs(?:31[145]\d|8\d\d)\b | \bwm:bli\b | \bhl:(?:mep|itc)\b | \baup# | \bers-
		`),
		source: 'T-Online, Yahoo, Microsoft, NetEase, Spectrum, Trend Micro',
	},
	{
		id: 'blocked.word',
		means: 'blocked',
		text: pattern(or`
			\bblocked\b | \bblock- | customized-block | \bbanned\b | bloque[esa]?s?\b | \bbloquead[oa]\b |
			\bgesperrt.{0,20}\bip\b | \bblack (?:ip|mail|listed) | junk ?mail | rbl (?:reject|deny) |
			bad host | open relay
		`),
		unless: /due to inactivity/,
		source: 'all gateways; Barracuda marks a blocked probe as "(address:blocked)"',
	},
	{
		id: 'blocked.client',
		means: 'blocked',
		text: pattern(
			or`
				client host rejected | client \S{1,80} (?:rejected|denied) | access to (?:this|submit) |
				your access | your (?:ip|host|server|mail server|network)\b
			`,
			// "Remote host said: …" quotes the next server's reply, which is about the recipient.
			or`
				(?:sending|source|remote|client|connecting) (?:ip|host|mta|server|
				mail server)(?! (?:returned|said|replied|responded|answered|reported)) |
				(?:ip|ips|ip address(?:es)?|hosts?|
				servers?) (?:[^ ]{1,60} ){0,3}(?:is |are |was |were )?(?:not (?:allowed|authori[sz]ed|
				permitted|whitelisted|accepted)|rejected|denied|refused) |
				connections? (?:will )?(?:not (?:be )?accepted|refused|rejected|denied) |
				not accepting connections | adresse ip
			`,
			// Russian: your address is blocked.
			or`
				ваш\S{0,3} (?:ip[- ])?(?:адрес|сервер|домен) | mismatch\w* client | ip check error |
				helo ?(?:host|name)? ?(?:error|reject|invalid|denied|command rejected) | service refuse
			`,
		),
		source: 'Postfix reject_*_client, Cisco, Apple, GoDaddy, Orange',
	},
	{
		id: 'blocked.our_sender',
		means: 'blocked',
		// A callout to our envelope sender failed: the reply says nothing about the recipient.
		text: /<us>/,
		unless: /<>/,
		source: 'Exim and Postfix sender verification',
	},
	{
		id: 'blocked.sender_domain',
		means: 'blocked',
		stages: ['mail'],
		class: 5,
		text: /domain (?:\S{1,80} )?(?:does not exist|doesn't exist|not found|not? exist|unknown|can ?not be (?:resolved|verified))/,
		source: 'Courier "517 Domain does not exist" in reply to MAIL: about our sender',
	},
	{
		id: 'blocked.reverse_dns',
		means: 'blocked',
		text: pattern(or`
			reverse (?:dns|host ?name|lookup|record) | \bptr\b | \brdns\b | fcrdns | ip name lookup failed |
			cannot find your (?:reverse )?host ?name | unverifyable sending | invalid dns (?:mx|ptr|a)\b
		`),
		source: 'Comcast, AT&T, GoDaddy, Postfix reject_unknown_client_hostname',
	},
	{
		id: 'blocked.place',
		means: 'blocked',
		text: pattern(or`
			geo-?(?:ip|graph|location) | \bcountr(?:y|ies)\b | host network not allowed | dynamic ip |
			dial-?up | residential
		`),
		source: 'Mimecast 554 Host network not allowed; country lists',
	},
	{
		id: 'blocked.tenant',
		means: 'blocked',
		text: /tenant ?attribution/,
		source: 'Microsoft 5.7.51, 5.7.64',
	},
	{
		id: 'blocked.sender',
		means: 'blocked',
		text: pattern(or`
			\bsender(?:'s)? (?:[a-z-]+ ){0,3}?(?:address|domain|verif\w*|callout|reject\w*|denied|
			refused|invalid|unknown|unvalidated|not|is|does|ip|e-?mail|id|blocked|mismatch\w*|policy)\b |
			\b(?:invalid|unknown|forged|reject\w*|suspected|spam|bad|banned|envelope|null|blank|header|
			dkim|spf) (?:[a-z-]+ ){0,2}senders?\b | (?<!recipient )verif(?:ication|y) failed for |
			\bmail ?from\b | \bfrom:? (?:address|domain|header)\b | return[- ]path | \boriginator\b |
			(?:expediteur|emetteur|absender|remitente|mittente|remetente)\b | sender (?:filter|verify) |
			call-?(?:back|out)s? to (?:the |your )?(?:sender|mx|host|server)
		`),
		// A greylist's own words: "not yet authorized to deliver mail from …".
		unless: /not yet authori[sz]ed/,
		// "sender verify failed … no such user" is an Exim callout to *our* address.
		source: 'RFC 3463 §3.2 X.1.7 and X.1.8 in words; Exim sender verification repeats the answer about us',
	},
	{
		id: 'blocked.status',
		means: 'blocked',
		status: /^(?:[45]\.1\.[78]|[45]\.7\.(?:23|25|27|511|60[6-9]|6[1-4]\d)|4\.7\.6\d\d)$/,
		source: 'RFC 3463 §3.2; RFC 7372; Microsoft banned senders 5.7.511, 5.7.606-649',
	},
];

const TOO_MANY = pattern(or`
	too many (?:[a-z]+ ){0,3}(?:recipients?|connections?|sessions?|messages?|e-?mails?|errors?|users?|
	requests?|attempts?|invalid|unknown|failures?|bad|rcpts?)\b
`);

/** We were too fast, or guessed too often. Tried early: a defence against address harvesting mentions unknown users. */
export const RATE: readonly ReplyRule[] = [
	{
		id: 'rate.too_many',
		means: 'rate_limited',
		text: TOO_MANY,
		// "user has too many messages on the server" is a full mailbox.
		unless: pattern(or`
			(?:on|in) (?:the |this |your |user'?s? )?(?:server|mail ?box|inbox) | not accepting connections
		`),
		source: 'Postfix, Exim, Cisco (directory harvest), GoDaddy, Microsoft',
	},
	{
		id: 'rate.limit',
		means: 'rate_limited',
		text: pattern(or`
			rate[- ]?limit | unusual rate |
			(?:frequency|connections?|sending|relay|recipients?|recip|hourly|daily|outbound|inbound|
			thread|session|volume|concurrency) (?:[a-z]+ )?limit | recip ?limit | frequency limited |
			throttl |
			(?:sending|submitting|connecting) (?:(?:mail|messages|e-?mails?) )?too (?:fast|quickly|
			often|much) | (?:sender|message|mail|connection|smtp) rate (?:limit )?exceed |
			\brate exceeded\b | too much (?:e-?mail|mail|traffic) from |
			excessive (?:volume|rate|number|connections) | slow down | try again later,? closing |
			daily (?:[a-z]+ )?quota | sending (?:[a-z]+ )?quota |
			exceed\w* (?:[a-z]+ ){0,5}(?:rate|recipients|connections|thread limit)\b |
			max(?:imum)? (?:number of )?(?:messages?|recipients?|rcpts?|connections?|sessions?) (?:per|
			reached|exceeded|allowed) | trop de (?:connexions|destinataires|messages) |
			zu viele (?:verbindungen|empfanger) | demasiad[oa]s (?:conexiones|destinatarios|mensajes) |
			muitas conexoes | troppe connessioni
		`),
		// An IP address that is both listed and slowed down counts as listed: the reputation rules decide.
		unless: /due to ip reputation|low reputation/,
		source: 'Google, Microsoft, Apple, Orange, Tencent, Mimecast',
	},
	{
		id: 'rate.harvest_defence',
		means: 'rate_limited',
		text: pattern(or`
			directory harvest | dictionary attack | suspected bounce attack |
			mailbox unavailable or access denied | out of allow(?:ed)? rcpt |
			reject due to policy violations
		`),
		source: 'Tencent QQ bounce help; GMX/web.de after unknown users or a changed HELO',
	},
	{
		id: 'rate.operator_marks',
		means: 'rate_limited',
		text: pattern(or`
			\bhl:(?:rep|ifc|icc)\b | \bmi:(?:dmc|cel|stc)\b | \brp:(?:cel|drc|orq)\b |
			\bib(?:007|11[0-3]|60[57])\b | \btss0[1-6]\b | \bcloudfilter(?:rate)?\d |
			temporarily deferred due to
		`),
		source: 'NetEase, GoDaddy and Yahoo error tables',
	},
	{
		id: 'rate.status',
		means: 'rate_limited',
		status: /^(?:[45]\.7\.28|4\.7\.[58]\d\d|[45]\.5\.3)$/,
		unless: /reputation|relay|rcpthosts/,
		source: 'RFC 3463 §3.6 X.5.3; Google X.7.28; Microsoft 4.7.500-599 and 4.7.850-899',
	},
];

/** About our side of the protocol: encryption, authentication, order of commands. */
export const SESSION: readonly ReplyRule[] = [
	{
		id: 'session.authentication_required',
		means: 'policy',
		text: pattern(or`
			(?:authentication|auth|login|authentification|autenticacion|autenticacao|autenticazione|
			authentifizierung) (?:is |est )?(?:required|needed|first|necessary|failed|unsuccessful|
			requise|requerida|richiesta|erforderlich|credentials invalid) |
			must (?:be )?(?:first )?(?:log ?in|authenticat) | not (?:yet )?(?:logged in|authenticated) |
			please (?:log ?in|authenticate|turn on smtp authentication) |
			password (?:required|not accepted) | smtp auth
		`),
		source: 'RFC 4954 §6: the server wants its own users',
	},
	{
		id: 'session.authentication_codes',
		means: 'policy',
		codes: [334, 534, 535, 538],
		source: 'RFC 4954 §6',
	},
	{
		id: 'session.encryption_required',
		means: 'tls_required',
		text: pattern(or`
			starttls | (?:tls|ssl|encryption) (?:is |connection )?(?:required|needed|mandatory|version) |
			requires? (?:a |an )?(?:tls|ssl|encrypt\w+|secure connection) |
			must (?:use|be) (?:tls|ssl|encrypt) | tls (?:handshake|negotiation) | tls not available |
			does not support tls
		`),
		unless: /pipelin/,
		source: 'RFC 3207 §4; Google, Mimecast',
	},
	{
		id: 'session.encryption_code',
		means: 'tls_required',
		codes: [530],
		source: 'RFC 3207 §4: 530 Must issue a STARTTLS command first',
	},
	{
		id: 'session.protocol_words',
		means: 'protocol_error',
		text: pattern(
			or`
				protocol (?:error|violation|sync) | synchroni[sz]ation | pipelin |
				(?:bad|improper|wrong|invalid|out of) (?:command |order |)sequence | sequence of commands |
				nested mail |
				(?:command|verb) (?:is )?(?:not |un)(?:recogni[sz]ed|implemented|known|supported) |
				un(?:recogni[sz]ed|known|implemented) command | need (?:mail|rcpt)\b | non-?mail commands |
				polite people say | say (?:helo|ehlo|hello) | send (?:helo|ehlo|hello) | bad command
			`,
			'syntax: ',
			'fully-qualified address',
		),
		source: 'RFC 5321 §4.2.4; Postfix postscreen and Exim on pipelining too early',
	},
];

/** The server's rules, in words that no reply about a missing mailbox uses. */
export const POLICY: readonly ReplyRule[] = [
	{
		id: 'policy.authenticity',
		means: 'policy',
		text: /\bdmarc\b|\bspf\b|\bdkim\b|\barc\b|unauthenticated|authentication checks|spoof/,
		source: 'RFC 7372; Google, Zoho, Mimecast',
	},
	{
		id: 'policy.content',
		means: 'policy',
		text: pattern(or`
			(?:as|is|detected|probable|probably|looks like|considered|similar to|sending|flagged as|
			error:|with|for|not accepted:?|identified) spam\b |
			spam (?:detected|message|mail|e-?mail|score|content|filter|pattern|not accepted|rejected|
			scale|policy) | spamassassin | unsolicited | \bube\b | \bvirus\b | malware | phish |
			content (?:reject|filter|judged|refus) | \bdt:spm\b | suspicious | suspected | header error |
			malformed |
			(?:message|mail|e-?mail|attachment|header|size) (?:is |was )?(?:too (?:large|big|long)) |
			(?:message|mail|e-?mail) size | size limits? |
			exceeds? (?:the )?(?:maximum|fixed) (?:message )?size | exceeds? google's limit | uribl |
			mail loop | loop(?:ing)? (?:detected|message) | too many hops | hop count
		`),
		source: 'RFC 3463 §3.7 and §3.8; the usual filters',
	},
	{
		id: 'policy.preferences',
		means: 'policy',
		text: pattern(or`
			recipient preferences | rejected by (?:this |the )?(?:user|recipient) |
			only accept(?:s|ing)? (?:mail|e-?mail|messages) | policy reject | denied by (?:[a-z]+ )?policy |
			for policy reasons | due to (?:[a-z]+ )?polic | local policy
		`),
		source: 'Facebook, Barracuda, Yahoo: the recipient or its owner refuses this sender',
	},
];

/** Policy too, in words that a reply about a missing mailbox may also use: tried after unknown user. */
export const POLICY_WEAK: readonly ReplyRule[] = [
	{
		id: 'policy.words',
		means: 'policy',
		class: 5,
		text: pattern(or`
			policy | policies | prohibited | administrative |
			not (?:authori[sz]ed|permitted|allowed|verified) | permission | restricted | denied |
			forbidden | refused | \bspam\b | message (?:was |has been )?(?:rejected|refused|not allowed) |
			mail (?:was )?rejected | not accept
		`),
		source: 'words of refusal without a word about the mailbox',
	},
];
