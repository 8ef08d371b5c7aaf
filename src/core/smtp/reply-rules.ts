import {
	NOT_THE_MAILBOX,
	ABSENT,
	ABSENT_FIRST,
	GONE,
	mailboxIs,
	SHUT,
	START,
} from './reply-words/vocabulary.ts';
import { LIKELIHOOD_ALONE, LIKELIHOOD_SECONDED } from './reply-words/read-words.ts';
import { rules } from './reply-rule.ts';
import type { ReplyRule } from './reply-rule.ts';

/**
 * All rules, in the order in which they are tried: the first that matches decides, and the last always matches.
 * The order matters: rules about us come before rules about the mailbox, because replies that refuse a listed
 * machine are full of words like "mailbox unavailable".
 */
export const REPLY_RULES: readonly ReplyRule[] = rules`
# A rule of its own, so that the trace shows it: a 252 is no evidence that the mailbox exists.
accepted.unverified | accepted | RFC 5321 §3.5.3: cannot verify the user, but will accept the message
	only codes 252
accepted.class_2 | accepted | RFC 5321 §4.2.1
	only class 2

# A list's or a filter's verdict about the machine or domain that connects, whatever else the reply says.
blocked.dns_list | blocked | DNS lists by name and by word; a refused address may ride on any code, 550 5.2.1 included
	spamhaus | spamcop | \bsorbs\b | abuseat | abusix | invaluement | uceprotect | mailspike | barracudacentral |
	hostkarma | psbl | backscatterer | cloudmark | senderscore | senderbase | talosintelligence | dnsbl | \brbls?\b |
	\b(?:xbl|pbl|sbl|cbl|drbl|brbl)\b | black[- ]?(?:ed )?list | block[- ]?list | deny[- ]?list | reputation

# Replies that read like policy but are about the recipient.
# "All recipient addresses rejected" after the message is a tenant's rule instead.
exception.microsoft_edge_block | no_such_mailbox | Microsoft, Directory-Based Edge Blocking: the tenant lacks it
	only status ^5\.4\.1$, habit denies_access_to_unknown
	(?<!all )recipient address rejected: access denied
exception.microsoft_edge_block_relayed | no_such_mailbox | the same, repeated by a gateway
	only status ^5\.4\.1$
	(?<!all )recipient address rejected: access denied.{0,200}\boutlook\.com
exception.marked_as_invalid | no_such_mailbox | Proofpoint Essentials: 5.7.1 for a user that its discovery marked invalid
	only status ^5\.7\.\d+$
	(?:user|recipient|address) (?:email )?(?:address )?(?:is )?marked as invalid
exception.yandex_no_such_user | no_such_mailbox | Yandex answers 550 5.7.1 to an unknown user
	only status ^5\.7\.1$, habit calls_unknown_policy
	no such user
exception.yandex_target_refused | mailbox_disabled | Yandex help: the recipient is blocked and takes no mail
	only status ^5\.7\.1$, habit calls_unknown_policy
	policy rejection on the target address
exception.badrcptto | mailbox_disabled | badrcptto of qmail and qpsmtpd: refused to every sender, whatever the #5.7.1 says
	bad ?rcpt ?to | bad ?recipients? ?(?:to )?list | mail to <> not accepted here
exception.expansion | no_such_mailbox | OpenSMTPD with a table of virtual users says it of every missing name
	only codes 524
	mailing list expansion problem
exception.exim_characters | no_such_mailbox | Debian’s Exim refuses the local part to every sender
	restricted characters in (?:the )?address
exception.only_another | no_such_mailbox | npm smtp-server, as its manual writes it: any other name is refused
	^(?:\S{1,12} )?only \S{1,80} is allowed to receive
exception.recipient_chooses | policy | "Recipient refuses mail from outside" is no listing of our sender
	only class 5
	recipient (?:refuses|rejects|does not (?:want|accept)) (?:mail|messages|email) from
exception.validrcptto | no_such_mailbox | qmail validrcptto: the list of the mailboxes that exist
	not in (?:my |our |the )?valid ?rcpt ?to
exception.recipient_syntax | no_such_mailbox | RFC 3463 §3.2: X.1.3 bad destination mailbox address syntax
	only status ^5\.1\.3$
	unless sender|mail from|originat

# Refusals that only an existing mailbox can cause.
exists.receives_too_much | mailbox_exists | Google 450 4.2.1 and 550 5.2.1, Yahoo 450: counted by user
	(?:user|recipient|mailbox|account|<>)(?: you are trying to contact)? is receiving (?:e?mail|messages?) (?:too|at (?:a|too high a) rate)\b
exists.members_only_status | mailbox_exists | Microsoft: found, but it takes mail from listed senders only
	only class 5, status ^5\.7\.(?:12|124|129|133|134|136)$
exists.exchange_restriction | mailbox_exists | Exchange reads it from the recipient that it has found
	only class 5
	resolver\.rst\.(?:auth ?required|not ?authorized|restricted)

# We were too fast, or guessed too often. A defence against address harvesting mentions unknown users.
# "User has too many messages on the server" is a full mailbox.
rate.too_many | rate_limited | Postfix, Exim, Cisco (directory harvest), GoDaddy, Microsoft
	too many (?:[a-z]+ ){0,3}(?:recipients?|connections?|sessions?|messages?|emails?|errors?|users?|requests?|
	attempts?|invalid|unknown|failures?|bad|rcpts?)\b
	unless (?:on|in) (?:the |this |your |user'?s? )?(?:server|mailbox|inbox)|not accepting connections
rate.limit | rate_limited | Google, Microsoft, Apple, Orange, Tencent, Mimecast
	rate[- ]?limit | unusual rate |
	(?:frequency|connections?|sending|relay|recipients?|recip|hourly|daily|outbound|inbound|thread|session|volume|
	concurrency) (?:[a-z]+ )?limit | recip ?limit | throttl |
	(?:sending|submitting|connecting) (?:(?:mail|messages|emails?) )?too (?:fast|quickly|often|much) |
	(?:sender|message|mail|connection|smtp) rate (?:limit )?exceed | \brate exceeded\b |
	too much (?:email|mail|traffic) from | excessive (?:volume|rate|number|connections) | slow down |
	try again later,? closing | daily (?:[a-z]+ )?quota | sending (?:[a-z]+ )?quota |
	exceed\w* (?:[a-z]+ ){0,5}(?:rate|recipients|connections|thread limit)\b |
	max(?:imum)? (?:number of )?(?:messages?|recipients?|rcpts?|connections?|sessions?) (?:per|reached|exceeded|
	allowed) | trop de (?:connexions|destinataires|messages) | zu viele (?:verbindungen|empfanger) |
	demasiad[oa]s (?:conexiones|destinatarios|mensajes) | muitas conexoes | troppe connessioni
rate.harvest_defence | rate_limited | Tencent QQ bounce help; GMX/web.de after unknown users or a changed HELO
	directory harvest | harvest(?:ing)? attack | dictionary attack | suspected bounce attack | mailbox unavailable or access denied |
	out of allow(?:ed)? rcpt | reject due to policy violations
rate.operator_marks | rate_limited | NetEase, GoDaddy and Yahoo error tables
	\bhl:(?:rep|ifc|icc)\b | \bmi:(?:dmc|cel|stc)\b | \brp:(?:cel|drc|orq)\b | \bib(?:007|11[0-3]|60[57])\b |
	\btss0[1-6]\b | \bcloudfilter(?:rate)?\d | temporarily deferred due to
rate.status | rate_limited | RFC 3463 §3.6 X.5.3; Google X.7.28; Microsoft 4.7.500-599 and 4.7.850-899
	only status ^(?:[45]\.7\.28|4\.7\.[58]\d\d|[45]\.5\.3)$
	unless relay|rcpthosts

# Our side of the protocol: encryption, authentication, order of commands.
session.authentication_required | policy | RFC 4954 §6: the server wants its own users
	(?:authentication|auth|login|authentification|autenticacion|autenticacao|autenticazione|
	authentifizierung) (?:is |est )?(?:required|needed|first|necessary|failed|unsuccessful|requise|requerida|richiesta|
	erforderlich|credentials invalid) | must (?:be )?(?:first )?(?:log ?in|authenticat) |
	not (?:yet )?(?:logged in|authenticated) | please (?:log ?in|authenticate|turn on smtp authentication) |
	password (?:required|not accepted) | smtp auth
session.authentication_codes | policy | RFC 4954 §6
	only codes 334 534 535 538
session.encryption_required | tls_required | RFC 3207 §4; Google, Mimecast
	starttls | (?:tls|ssl|encryption) (?:is |connection )?(?:required|needed|mandatory|version) |
	requires? (?:a |an )?(?:tls|ssl|encrypt\w+|secure connection) | must (?:use|be) (?:tls|ssl|encrypt) |
	tls (?:handshake|negotiation) | tls not available | does not support tls
	unless pipelin
session.encryption_code | tls_required | RFC 3207 §4: 530 Must issue a STARTTLS command first
	only codes 530
session.protocol_words | protocol_error | RFC 5321 §4.2.4; Postfix postscreen and Exim on pipelining too early
	protocol (?:error|violation|sync) | synchroni[sz]ation | pipelin |
	(?:bad|improper|wrong|invalid|out of) (?:command |order |)sequence | sequence of commands | nested mail |
	(?:command|verb) (?:is )?(?:not |un)(?:recogni[sz]ed|implemented|known|supported) |
	un(?:recogni[sz]ed|known|implemented) command | need (?:mail|rcpt)\b | non-?mail commands | polite people say |
	(?:say|send) (?:helo|ehlo|hello) | bad command | syntax:\s | fully-qualified address

# A server that refuses to relay does not serve the recipient's domain, whatever else it says of our address: the
# owner of the domain pointed it there.
relay.refused | relay_denied | Sendmail "Relaying denied. IP name lookup failed"; Microsoft 5.7.64
	only stages rcpt, class 5
	\b(?:un)?able to relay |
	\brelay(?:ing)?\b.{0,40}\b(?:denied|refused|prohibited|not (?:permitted|allowed|authori[sz]ed)) |
	from relaying\b | tenant ?attribution
	unless open relay

# Refusals of our machine, name or sender.
# "not listed in Domino Directory" is an unknown user.
blocked.listed | blocked | T-Online, Yahoo, Microsoft, NetEase, Spectrum, Trend Micro
	(?<!not )\blisted (?:in|at|on|by|as)\b |
	(?:found|is) (?:in|on) (?:an? |the |our )?(?:[a-z-]+ )?(?:listing|database|block) |
	\b(?:in|on) (?:an? |the |our )?(?:[a-z-]+ )?spammers?\b | \(bl\) | \(nowl\) | \[bl\d\d\] |
	\btss\d\d\b | \bs(?:31[145]\d|8\d\d)\b | \bwm:bli\b | \bhl:(?:mep|itc)\b | \baup# | \bers-
blocked.word | blocked | all gateways; Barracuda marks a blocked probe as "(address:blocked)"
	\bblocked\b | \bblock- | customized-block | \bbanned\b | bloque[esa]?s?\b | \bbloquead[oa]\b |
	\bgesperrt.{0,20}\bip\b | \bblack (?:ip|mail|listed) | junk ?mail | rbl (?:reject|deny) | bad host | open relay
	unless due to inactivity
# "Remote host said: …" quotes the next server's reply, which is about the recipient.
blocked.client | blocked | Postfix reject_*_client, Cisco, Apple, GoDaddy, Orange; Microsoft 5.7.51, 5.7.64
	tenant ?attribution | client \S{1,80} (?:rejected|denied) | access to (?:this|submit) | your access |
	your (?:ip|host|server|mail server|network)\b |
	(?:sending|source|remote|client|connecting) (?:ip|host|mta|server|
	mail server)(?! (?:returned|said|replied|responded|answered|reported)) |
	(?:ip|ips|ip address(?:es)?|hosts?|servers?) (?:[^ ]{1,60} ){0,3}(?:is |are |was |were )?(?:not (?:allowed|
	authori[sz]ed|permitted|whitelisted|accepted)|rejected|denied|refused) |
	connections? (?:will )?(?:not (?:be )?accepted|refused|rejected|denied) | not accepting connections | adresse ip |
	ваш\S{0,3} (?:ip[- ])?(?:адрес|сервер|домен) | mismatch\w* client | ip check error |
	helo ?(?:host|name)? ?(?:error|reject|invalid|denied|command rejected) | service refuse
blocked.our_sender | blocked | Exim and Postfix sender verification
	<us>
	unless <>
blocked.sender_domain | blocked | Courier 517 in reply to MAIL: about our sender
	only stages mail, class 5
	domain (?:\S{1,80} )?(?:does not exist|not found|not? exist|unknown|can ?not be (?:resolved|verified))
blocked.reverse_dns | blocked | Comcast, AT&T, GoDaddy, Postfix reject_unknown_client_hostname
	reverse (?:dns|host ?name|lookup|record) | \bptr\b | \brdns\b | fcrdns | ip name lookup failed |
	can not find your (?:reverse )?host ?name | unverifyable sending | invalid dns (?:mx|ptr|a)\b
blocked.place | blocked | Mimecast 554 Host network not allowed; country lists
	geo-?(?:ip|graph|location) | \bcountr(?:y|ies)\b | host network not allowed | dynamic ip | dial-?up | residential
# "sender verify failed … no such user" is an Exim callout to *our* address. "Not yet authorized to deliver mail from …"
# are a greylist's words.
blocked.sender | blocked | RFC 3463 §3.2 X.1.7 and X.1.8 in words; Exim sender verification
	\bsender(?:'s)? (?:[a-z-]+ ){0,3}?(?:address|domain|verif\w*|callout|reject\w*|denied|refused|invalid|unknown|
	unvalidated|not|is|does|ip|email|id|blocked|mismatch\w*|policy)\b |
	\b(?:invalid|unknown|forged|reject\w*|suspected|spam|bad|banned|envelope|null|blank|header|dkim|
	spf) (?:[a-z-]+ ){0,2}senders?\b | (?<!recipient )verif(?:ication|y) failed for | \bmail ?from\b |
	\bfrom:? (?:address|domain|header)\b | return[- ]path | \boriginator\b |
	(?:expediteur|emetteur|absender|remitente|mittente|remetente)\b | sender (?:filter|verify) |
	call-?(?:back|out)s? to (?:the |your )?(?:sender|mx|host|server)
	unless not yet authori[sz]ed
blocked.status | blocked | RFC 3463 §3.2; RFC 7372; Microsoft banned senders 5.7.511, 5.7.606-649, 5.7.708
	only status ^(?:[45]\.1\.[78]|[45]\.7\.(?:23|25|27|511|60[6-9]|6[1-4]\d|708)|4\.7\.6\d\d)$

# This server does not serve the domain, or cannot find it.
# Postfix names the table: "User unknown in relay recipient table".
relay.denied | relay_denied | RFC 3463 §3.8 X.7.1; qmail, Postfix, Sendmail, Exim
	\brelay(?:ing|ed)?\b | rcpthosts | not (?:a )?gateway |
	we do not (?:accept|handle|serve|host) (?:mail|email|this domain) |
	(?:can not|do not|will not) deliver (?:mail|messages|email) for | relais (?:refuse|interdit)
	unless unknown in relay recipient
# A reply may name the domain and still be about the user: "user unknown in virtual domain".
relay.unknown_domain | relay_denied | RFC 3463 §3.2 X.1.2; Sendmail "Host unknown", Postfix "Domain not found"
	\b(?:domain|host)(?: ?name)? (?:of (?:this|that|the) (?:address|recipient|
	user) |\S{1,80} )?(?:is |was |does |could )?(?:unknown|unroute?able|not? (?:be )?(?:found|exist|known|allowed|local|
	hosted|configured|accepted|valid|handled|served)|not? ?exist|invalid) |
	\b(?:domain|domaine|dominio|domane) (?:\S{1,80} )?(?:est |ist )?(?:inconnu|unbekannt|no existe|non esiste|
	nao existe) | name server:\s |
	(?:unknown|invalid|no such|bad|unroute?able|illegal) (?:mail |recipient |destination |email )?(?:domain|host|
	destination system)
	unless (?:user|mailbox|recipient) (?:is )?(?:unknown|not found) (?:in|at|on)\b|no such user
relay.status | relay_denied | RFC 3463 §3.2: X.1.2 bad destination system address
	only status ^[45]\.1\.2$

# The space on the server's disks and our own quota are not about the mailbox.
temporary.storage | temporary | RFC 5321 §4.2.3: 452 is about the system’s storage
	only class 4, notStatus ^4\.2\.2$
	disk (?:is )?full | \b(?:insufficient|out of|not enough|no) (?:system |disk )?(?:storage|space)
	unless MAILBOX
# The mailbox exists and is full. Before unknown user: Orange says 552 5.1.1 for a full mailbox.
full.words | mailbox_full | RFC 5321 §4.2.3: 552 and 452; RFC 3463 §3.3: X.2.2 in words; Google, Orange, Yahoo
	only notStatus ^[45]\.3\.
	\bquota\b | over-?quota |
	(?:mailbox|account|storage|inbox) (?:size |storage )?(?:limit )?(?:has |is |was )?(?:been )?(?:exceeded|reached) |
	allocated size | disk (?:is )?full |
	(?:exceed\w*|out of|over|insufficient|no) (?:[a-z'<>]+ ){0,4}(?:quota|storage|mailbox size|allowed size|
	mailbox space) | storage (?:is )?(?:full|limit) |
	(?:mailbox|inbox|maildrop|mailfolder|mail folder|account|recipient|
	user) (?:'[^']{0,64}' |<> |\(<>\) |\S{1,64} ){0,2}?(?:is |has |are |was )?(?:(?:currently|temporarily|
	already) )?(?:too )?(?:full|over(?:-| )?(?:size|limit|stored|drawn)|exceed(?:ed|
	s) (?:its |the |allowed |maximum |storage |mailbox )*(?:quota|size|limit|storage)) | mailbox exceeds |
	boite (?:aux lettres |du destinataire |mail |<> )?(?:est )?pleine | buzon (?:de correo |<> )?(?:esta )?lleno |
	casilla llena | cuota (?:excedida|superada) | caixa (?:postal |de entrada |de correio )?(?:esta )?cheia |
	casella (?:di posta |<> )?(?:e )?piena | (?:postfach|mailbox) (?:<> )?(?:ist )?voll | skrzynka .{0,20}pelna |
	yashik perepolnen | ящик .{0,20}переполнен | ящик.{0,20}полон | 邮箱已满 | 郵箱已滿 | 容量已满 | 空间不足 | 容量超
	unless sending | sent\b | relay | daily | hourly | per (?:day|hour) | message-id | system storage |
	system resources | message (?:size|too) | size of (?:the |your )?message | maximum message | \bconnections?\b |
	\b(?:ip|host|server|sender|client|rcpt|policy) quota | this sender | \b(?:host|sender(?:'s)?) (?:over|mailbox)\b |
	\byour (?:mailbox|account)\b | \byou (?:have )?exceed | for (?:your |this )?(?:ip|host|domain|\d)
full.counted | mailbox_full | Sendmail local delivery, eXtremail
	too many messages (?:on|in) (?:the |this |user'?s? )?(?:server|mailbox|inbox) | (?:blocks|inode) limit exceeded |
	can not create output | disk quota
full.status | mailbox_full | RFC 3463 §3.3: X.2.2 mailbox full
	only status ^[45]\.2\.2$
full.docomo | mailbox_full | sisimai: docomo says it of a full mailbox, others of a large message
	only codes 552, habit calls_full_too_much_data
	too much mail data
full.code | mailbox_full | some servers number a full mailbox 422
	only codes 422

# The server's rules, in words that no reply about a missing mailbox uses.
policy.authenticity | policy | RFC 7372; Google, Zoho, Mimecast
	\bdmarc\b|\bspf\b|\bdkim\b|\barc\b|unauthenticated|authentication checks|spoof
policy.content | policy | RFC 3463 §3.7 and §3.8; the usual filters
	(?:as|is|detected|probable|probably|looks like|considered|similar to|sending|flagged as|error:|with|for|
	not accepted:?|identified) spam\b |
	spam (?:detected|message|mail|email|score|content|filter|pattern|not accepted|rejected|scale|policy) |
	spamassassin | unsolicited | \bube\b | \bvirus\b | malware | phish | content (?:reject|filter|judged|refus) |
	\bdt:spm\b | suspicious | suspected | header error | malformed |
	(?:message|mail|email|attachment|header|size) (?:is |was )?(?:too (?:large|big|long)) |
	(?:message|mail|email) size | size limits? | exceeds? (?:the )?(?:maximum|fixed) (?:message )?size |
	exceeds? google's limit | uribl | mail loop | loop(?:ing)? (?:detected|message) | too many hops | hop count
policy.preferences | policy | Facebook, Barracuda, Yahoo: the recipient or its owner refuses this sender
	recipient preferences | rejected by (?:this |the )?(?:user|recipient) |
	only accept(?:s|ing)? (?:mail|email|messages) | policy reject | denied by (?:[a-z]+ )?policy | for policy reasons |
	due to (?:[a-z]+ )?polic | local policy

# Troubles that pass: none of them says whether the mailbox exists.
greylisted.words | greylisted | RFC 6647 §2; postgrey, milter-greylist, Exim; Mimecast at an unknown sender's first contact
	only class 4
	gr[ae]y-? ?list | postgrey | not yet authori[sz]ed | come back later | deferred for | first (?:contact|time) |
	unknown (?:sender )?triplet | try again in (?:\S+ )?(?:seconds|minutes|hour) |
	internal resources? (?:are |is )?temporarily unavailable
greylisted.postscreen | greylisted | Postfix postscreen: tests passed, reconnect from the same address
	only stages rcpt, codes 450, status ^4\.3\.2$
greylisted.status | greylisted | RFC 6647 §5.1: 450 or 451 with 4.7.1
	only stages rcpt, codes 450 451, status ^4\.7\.1$
# "I could not find out" is not "there is none", whatever the code before it (a bare 5.1.1 included).
temporary.could_not_ask | temporary | Postfix reject_unverified_recipient, Exim callouts, directory outages
	only class 5
	unverified address | tim(?:ed|e) ?-?out |
	(?:directory|database|ldap|backend|server)s? (?:look-?up )?(?:is |was )?(?:not (?:reachable|available|responding)|
	down|unavailable|unreachable|fail\w*) | (?:backend|host) unreachable | look-?up (?:failed|failure) |
	at (?:this (?:time|moment)|present)\b | \btomorrow\b | try (?:again|another) | maintenance | in progress |
	being (?:moved|migrated) | (?:system|server|backend|database|ldap|internal) (?:error|failure) | \bbusy\b |
	(?:can not|could not|unable to) check | error (?:looking|checking)
# Some servers say 5xx and "temporarily": believing the words is safer than believing the code.
temporary.words | temporary | contradiction between code and words: never a verdict
	only class 5
	temporar(?:y|ily) | temporairement | temporalmente | vorubergehend | temporaneamente | try (?:again )?later |
	local configuration error | service (?:currently )?unavailable | mailer error | out of memory | gr[ae]y-? ?list |
	at the moment | currently (?:not |un)available | \bmomentan | zur ?zeit\b | derzeit | tijdelijk | tymczasow | временно

# The mailbox existed and is disabled. Before unknown user: iCloud says 5.1.1 for an inactive mailbox.
# "command disabled", "your account is disabled": about the service or about us, not about the recipient.
disabled.words | mailbox_disabled | Google, Apple, NetEase, Tencent, Comcast, Orange
	${mailboxIs(SHUT)} |
	\b(?:disabled|de-?activated|inactive|suspended|frozen|closed|terminated|archived|expired|locked) (?:email |mail )?MAILBOX
	unless ${NOT_THE_MAILBOX} | \b(?:submitter|command (?:is )?disabled|vrfy|sending denied|inbounds|
	(?:to|for) (?:outside|external)|accepts? (?:email|mail|messages) (?:from|without|that|larger))\b
disabled.alone | mailbox_disabled | the recipient itself, then the word; Google links to p=DisabledUser
	<> (?:is |has been |was )?(?:now |currently )?(?:a )?(?:disabled|deactivated|inactive|suspended|closed|
	no longer (?:valid|available|in use|active|on server|here|with us)) | p=disableduser |
	no longer with (?:us|the company|this company) | recei(?:pt|ving) (?:is )?disabled |
	\brecipient no longer on server | deactivated due to abuse | not an? active (?:address|account|user|mailbox) |
	account (?:is )?not active | (?:帐号|账号|用户|邮箱)(?:已)?(?:停用|禁用|冻结|锁定) |
	(?:аккаунт|учетная запись) (?:\S{1,20} )?(?:заблокирован|отключен)
	unless ${NOT_THE_MAILBOX}

# There is no such mailbox, in words so plain that the enhanced status hardly matters.
unknown_user.noun_then_absent | no_such_mailbox | RFC 5321 §4.2.2: 550 in the words of programs and operators
	only notStatus ^5\.(?:7\.|3\.|6\.)
	${mailboxIs(ABSENT)}
	unless ${NOT_THE_MAILBOX}
unknown_user.absent_then_noun | no_such_mailbox | the same, the other way round
	only notStatus ^5\.(?:7\.|6\.)
	${START}(?:${ABSENT_FIRST}) (?:(?:email|mail|destination|recipient|virtual|local|smtp|user) ){0,2}MAILBOX
	unless ${NOT_THE_MAILBOX}
unknown_user.plain | no_such_mailbox | plain words on a 5.7.1, as qmail (chkuser), Yandex and Postfix access maps give them
	(?:user|recipient|mailbox|account) (?:<> )?(?:is )?(?:unknown|not found)\b | unknown (?:user|recipient|mailbox) |
	no ?such ?(?:user|recipient|mailbox|person|account|address|one|alias) |
	(?:user|recipient|mailbox|account|address) (?:<> |\S{1,64} )?(?:does )?not exist |
	no (?:mailbox|account|user) (?:here )?by that name | sorry, no mailbox here
	unless ${NOT_THE_MAILBOX}
unknown_user.phrases | no_such_mailbox | Yahoo, Comcast, Domino, qmail-ldap, vpopmail, Barracuda, Apple
	only notStatus ^5\.(?:7\.|6\.)
	(?:<>|\bemail(?: <>)?) (?:is |was |does )?(?:${GONE}) | unknown:? <> |
	\bno (?:mailbox|account|one|person|inbox)\b | \bno such (?:<>|here|one) | \bnobody (?:here|by) |
	not have an? (?:[a-z0-9.-]+ )?(?:account|mailbox) | by that name | not our (?:customer|user|subscriber|member) |
	not (?:a|one of our) (?:customer|user)s?\b |
	(?:${START}MAILBOX|<>)[^.;]{0,40} not in (?:my |our |the |this )?(?:[a-z]+ )?(?:list|directory|ldap|database|
	recipients?|users?)\b | not listed in (?:the )?(?:domino|public name|name) |
	(?:not known|unknown|not found|nobody) (?:here|at this|on this) | (?:user|recipient) ?(?:not ?found|unknown) |
	unknown ?user\b | unroute?able mail | (?:does|do) not (?:recogni[sz]e|know) |
	(?:find|have) an? valid (?:recipient|user|mailbox|address) |
	(?:unable to|can not|could not|failed to) (?:verify|validate|find|locate|resolve|identify|
	recogni[sz]e) (?:[a-z]+ ){0,2}(?:user|recipient|mailbox|address|account)\b | \bno user (?:with|by|named) |
	(?:recipient|address|rcpt|user) verif\w+ (?:has )?failed | verify address failed | does not like recipient |
	invalid or unknown virtual | address error | is not handled here | cuda nsu | has moved, no forwarding |
	(?:user|address|recipient|mailbox|<>) (?:is )?not (?:a )?local\b
	unless ${NOT_THE_MAILBOX}
unknown_user.programs | no_such_mailbox | Exim (the server behind it refused it a moment ago), Twisted, and others
	only notStatus ^5\.(?:7\.|6\.)
	previous \(cached\) callout verification failure | can not receive for (?:the )?specified address |
	(?:user|recipient|address|account|mailbox|rcpt) <> (?:is )?not ok\b | (?:user|account|mailbox) is not <>
unknown_user.other_scripts | no_such_mailbox | Chinese, Russian and Japanese operators
	不存在 | 无此用户 | 查无此人 | 没有(?:该|此|这个)用户 | 找不到(?:该)?(?:用户|收件人|邮箱) | 無此 | 用户名错误 |
	(?:не|нет) (?:существует|наиден|такого|такои) | неизвестн\S{0,4} (?:получатель|пользователь|адрес) |
	ユーザー?が(?:存在しません|見つかりません) | 宛先(?:不明|が見つかりません) | 存在しない
	unless 域名|发件人|發件人|发信人|發信人|寄件|домен|отправител|\b(?:ip|dns)\b|送信者
# Only at the end of the text: if a reason follows, the reason decides.
unknown_user.bare_rejection | no_such_mailbox | Cisco 550 #5.1.0 Address rejected; Exim and Exchange "Recipient rejected"
	only notStatus ^5\.[34567]\.
	(?:\brecipients?(?: address(?:es)?)?|
	^(?:\S{1,12} )?address) (?:<> )?(?:is |was |has been )?(?:rejected|refused)[^a-z0-9]*(?:$|see |https?:|[([](?:in reply|#?\d))

# Policy too, in words that a reply about a missing mailbox may also use.
policy.words | policy | words of refusal without a word about the mailbox
	only class 5
	policy | policies | prohibited | administrative | not (?:authori[sz]ed|permitted|allowed|verified) | permission |
	restricted | denied | forbidden | refused | \bspam\b |
	message (?:was |has been )?(?:rejected|refused|not allowed) | mail (?:was )?rejected | not accept

# The enhanced status alone.
disabled.status | mailbox_disabled | RFC 3463 §3.3: X.2.1 mailbox disabled, not accepting messages
	only status ^5\.2\.1$
unknown_user.status | no_such_mailbox | RFC 3463 §3.2: X.1.1 bad, X.1.6 moved; RFC 7505: 5.1.10; Microsoft 5.1.351
	only status ^5\.1\.(?:1|6|10|351)$

# Wordings that no rule knows, judged word by word.
words.no_such_mailbox | no_such_mailbox | weights learnt from tools/replies/wordings.txt
	only likelihood ${LIKELIHOOD_ALONE}
words.no_such_mailbox_seconded | no_such_mailbox | less plain words, which other recipients’ answers support
	only likelihood ${LIKELIHOOD_SECONDED}, seconded

# The code alone decides, and it never says anything about the mailbox.
fallback.protocol_code | protocol_error | RFC 5321 §4.2.4: syntax, sequence, not implemented
	only codes 500 501 502 503 504
fallback.protocol_status | protocol_error | RFC 3463 §3.6: invalid command, syntax, arguments
	only status ^5\.5\.[124]$
fallback.security_status | policy | RFC 3463 §3.7 and §3.8: content and policy, about us
	only class 5, status ^5\.[67]\.
fallback.server_status | temporary | RFC 3463 §3.4: the mail system is in trouble
	only status ^5\.3\.[0125]$
fallback.before_rcpt | policy | RFC 5321 §3.1: refused before any recipient was named
	only stages greeting ehlo mail, class 5
fallback.class_4 | temporary | RFC 5321 §4.2.1: transient negative completion
	only class 4
fallback.undetermined | undetermined | none: a reply to learn from
`;
