import type { ReplyRule } from './rule.ts';
import { anyOf, MAILBOX, near, NOT_THE_MAILBOX, or, pattern } from './words.ts';

// Words for a missing mailbox, after the noun ...
const ABSENT = anyOf(
	or`
		unk(?:nown|own|now)\b | (?:do(?:es)?|did) ?(?:n[o']?t|not) exists?\b |
		(?:do(?:e)?sn'?t|don'?t) exists?\b | not? (?:an? )?exist | non-? ?exist | may not exist |
		not? (?:be )?(?:found|known|recogni[sz]ed|listed|present|registered|located|defined|identified)\b |
		(?:cannot|could not|can not|can't|couldn't) be (?:found|located|verified|identified|delivered) |
		not (?:an? )?(?:valid|known|local|existing|real|current|recogni[sz]ed|registered)\b |
		not? available\b | un-?available\b | invalid\b | undeliverable$ | unrout(?:e)?able\b | misspelled |
		incorrect\b | wrong\b | missing home | has no (?:mail ?box|account) |
		(?:verify|verification|lookup) failed
	`,
	// French
	or`
		n'existe (?:pas|plus) | inconnue?s?\b | inexistante?s?\b | introuvable | invalides?\b |
		incorrecte?\b | non (?:valide|reconnue?|trouvee?|existante?)
	`,
	// Spanish, Portuguese, Italian
	or`
		no existe | desconocid[oa] | inexistente |
		no (?:se )?(?:ha sido |fue |es )?(?:encontr(?:o|ad[oa])|valid[oa]) | invalid[oa]\b |
		nao (?:foi )?(?:existe|encontrad[oa]|localizad[oa]|cadastrad[oa]|valid[oa]) | desconhecid[oa] |
		non (?:e'? )?(?:esiste|trovat[oa]|valid[oa]|riconosciut[oa]|presente) | sconosciut[oa] | inesistente
	`,
	// German, Dutch, Polish, Swedish
	or`
		(?:ist )?unbekannt | existiert nicht |
		nicht (?:bekannt|gefunden|vorhanden|existent|gultig|verfugbar|erreichbar|zustellbar) | ungultig |
		bestaat niet | onbekend | nie istnieje | nieznany | finns inte
	`,
);

// ... and before it.
const ABSENT_FIRST = anyOf(or`
	unkn?ow?n(?: or (?:illegal|invalid|inactive))? | undefined | invalid(?: or unknown)? | illegal | bad |
	wrong | incorrect | no ?such | non-? ?exist(?:ent|ant|ing) | unrout(?:e)?able |
	not? (?:an? )?(?:valid|known|local|existing|recogni[sz]ed|registered|matching) |
	isn't (?:an? )?(?:valid|known|local|existing) | no existe (?:dich[oa]|es[ea]|el|la|este|esta|ningun) |
	nie ma takiego | kein(?:e|en)? (?:solche[rs]? |gultige[rs]? )? | aucun(?:e)? | nessun[oa]?
`);

const REJECTED = '(?:<> )?(?:is |was |has been )?(?:rejected|refused)[^a-z0-9]*(?:$|see |https?:|\\(|\\[)';

/** There is no such mailbox, in words so plain that the enhanced status does not matter. */
export const UNKNOWN_USER: readonly ReplyRule[] = [
	{
		id: 'unknown_user.noun_then_absent',
		means: 'no_such_mailbox',
		class: 5,
		notStatus: /^5\.(?:7\.|3\.|6\.)/,
		text: pattern(near(MAILBOX, ABSENT, 40)),
		unless: NOT_THE_MAILBOX,
		source:
			'RFC 5321 §4.2.2 550 in the words of Sendmail, Postfix, Exim, qmail, Exchange and the big operators',
	},
	{
		id: 'unknown_user.absent_then_noun',
		means: 'no_such_mailbox',
		class: 5,
		notStatus: /^5\.(?:7\.|6\.)/,
		text: pattern(
			`\\b${ABSENT_FIRST} ?(?:(?:e-?mail|mail|destination|recipient|virtual|local|smtp|` +
				`user) ){0,2}${MAILBOX}\\b`,
		),
		unless: NOT_THE_MAILBOX,
		source: 'the same, the other way round',
	},
	{
		id: 'unknown_user.plain',
		means: 'no_such_mailbox',
		class: 5,
		text: pattern(or`
			(?:user|recipient|mail ?box|account) (?:<> )?(?:is )?(?:unknown|not found)\b |
			unknown (?:user|recipient|mail ?box) |
			no ?such ?(?:user|recipient|mail ?box|person|account|address|one|alias) |
			(?:user|recipient|mail ?box|account|address) (?:<> |\S{1,64} )?(?:does not|doesn't|doesnt|
			not) exist | no (?:mail ?box|account|user) (?:here )?by that name | mail-?box not found |
			sorry, no mailbox here
		`),
		unless: NOT_THE_MAILBOX,
		source: 'plain words on a 5.7.1, as qmail (chkuser), Yandex and Postfix access maps give them',
	},
	{
		id: 'unknown_user.phrases',
		means: 'no_such_mailbox',
		class: 5,
		notStatus: /^5\.(?:7\.|6\.)/,
		text: pattern(or`
			\bno (?:mail ?box|account|one|person|inbox)\b | \bno such (?:<>|here|one) |
			\bnobody (?:here|by) | (?:not|n't) have an? (?:[a-z0-9.-]+ )?(?:account|mail ?box) |
			by that name | not our (?:customer|user|subscriber|member) |
			not (?:a|one of our) (?:customer|user)s?\b |
			(?:user|recipient|address|mail ?box|account|person|
			<>)[^.;]{0,40} not in (?:my |our |the |this )?(?:[a-z]+ )?(?:list|directory|ldap|database|
			recipients?|users?)\b | not listed in (?:the )?(?:domino|public name|name) |
			(?:not known|unknown|not found|nobody) (?:here|at this|on this) | user ?(?:not ?found|unknown) |
			unknown ?user\b | recipient ?not ?found | unrout(?:e)?able mail |
			(?:does not|doesn't|do not|don't) (?:recogni[sz]e|know) |
			(?:find|have) an? valid (?:recipient|user|mail ?box|address) |
			(?:unable to|cannot|can not|can't|could not|couldn't|failed to) (?:verify|validate|find|
			locate|resolve|identify|recogni[sz]e) (?:[a-z]+ ){0,2}(?:user|recipient|mail ?box|address|
			account)\b | \bno user (?:with|by|named) |
			(?:recipient|address|rcpt|user) verif\w+ (?:has )?failed | verify address failed |
			does not like recipient | invalid or unknown virtual | address error | is not handled here |
			cuda nsu | has moved, no forwarding |
			(?:user|address|recipient|mail ?box|<>) (?:is )?not (?:a )?local\b |
			\be-?mail (?:<> )?(?:is |was )?(?:does not exist|doesn't exist|not found|unknown|invalid) |
			unknown:? <> |
			<> (?:is |was )?(?:unknown|invalid|not found|does not exist|doesn't exist|unbekannt|
			inconnue?|no existe|not exist)
		`),
		unless: NOT_THE_MAILBOX,
		source: 'Yahoo, Comcast, Domino, qmail-ldap, vpopmail, Barracuda, Apple',
	},
	{
		id: 'unknown_user.programs',
		means: 'no_such_mailbox',
		class: 5,
		notStatus: /^5\.(?:7\.|6\.)/,
		text: pattern(or`
			previous \(cached\) callout verification failure |
			cannot receive for (?:the )?specified address |
			(?:user|recipient|address|account|mail ?box|rcpt) <> (?:is )?not ok\b |
			(?:user|account|mail ?box) is not <>
		`),
		source: 'Exim (the server behind it refused the mailbox a moment ago), Twisted SMTPBadRcpt, and others',
	},
	{
		id: 'unknown_user.other_scripts',
		means: 'no_such_mailbox',
		class: 5,
		text: pattern(or`
			不存在 | 无此用户 | 查无此人 | 没有(?:该|此|这个)用户 | 找不到(?:该)?(?:用户|收件人|邮箱) | 無此 | 用户名错误 |
			(?:не|нет) (?:существует|наиден|такого|такои) |
			неизвестн\S{0,4} (?:получатель|пользователь|адрес) | ユーザー?が(?:存在しません|見つかりません) |
			宛先(?:不明|が見つかりません) | 存在しない
		`),
		unless: /域名|发件人|發件人|домен|отправител|送信者/,
		source: 'Chinese, Russian and Japanese operators',
	},
	{
		id: 'unknown_user.bare_rejection',
		means: 'no_such_mailbox',
		class: 5,
		notStatus: /^5\.(?:[34567]\.)/,
		// Only at the end of the text: if a reason follows, the reason decides.
		text: pattern(
			`\\brecipients?(?: address(?:es)?)? ${REJECTED}`,
			//
			`^(?:\\S{1,12} )?address ${REJECTED}`,
		),
		source: 'Cisco 550 #5.1.0 Address rejected; Exim and Exchange "Recipient rejected"',
	},
];

/** The enhanced status alone: tried after all rules on words. */
export const UNKNOWN_USER_STATUS: readonly ReplyRule[] = [
	{
		id: 'unknown_user.status',
		means: 'no_such_mailbox',
		class: 5,
		status: /^5\.1\.(?:1|6|10|351)$/,
		source:
			'RFC 3463 §3.2: X.1.1 bad mailbox, X.1.6 moved; Microsoft and RFC 7505: 5.1.10; Microsoft 5.1.351: ' +
			'the next server called the recipient unknown',
	},
];
