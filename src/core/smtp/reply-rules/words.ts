// Word families shared by the rules, matched against lower-case text without accents (`desactivé` is `desactive`).
// Gaps are bounded and the text is cut at 4 KiB, so that a hostile reply costs a few milliseconds at most.

/** Joins alternatives into one group. */
export function anyOf(...words: readonly string[]): string {
	return `(?:${words.join('|')})`;
}

/** `a`, then at most `gap` characters of the same clause without a word that changes its subject, then `b`. */
export function near(a: string, b: string, gap: number): string {
	return `${NOT_OURS}\\b${a}\\b(?:(?!${SOMEONE_ELSE})[^;]){0,${gap}}?(?<![a-z0-9])${b}`;
}

// Words after which a clause is no longer about the mailbox.
const SOMEONE_ELSE =
	'\\b(?:domain|host|sender|server|dns|record|spf|dmarc|ip|mx|ptr|helo|messages?|client|reverse|' +
	'polic(?:y|ies)|network|password|certificate|credentials|command|header|attachment|' +
	'dominio|domaine|domane|' +
	'service|system|resources?|relay|route|connection|identities)\\b';

/** Words before the noun that make it our address or account, or no mailbox at all. */
const NOT_OURS =
	"(?<!\\b(?:ip|ipv4|ipv6|network|return|from|sending|sender|sender's|reply-to|source|smtp|your) (?:e-?mail )?)";

/** Mail servers' words for a mailbox or its owner. */
export const MAILBOX = anyOf(
	or`
		user(?: ?name| ?id)? | recipients?(?: address(?:es)?)? | mail ?box(?:es)? |
		(?:e-?mail )?address(?:es|ees?)? | e-?mail (?:account|user|name|id|box) | (?:mail )?accounts? |
		inbox | person | customer | (?:team ?)?member | subscriber | alias | local[- ]?part | rcpt(?: to)? |
		addressee
	`,
	// French
	or`
		destinataires? | utilisateurs? | adresses?(?: e?-?mail)? | compte | boite(?: aux lettres)? | usager
	`,
	// Spanish, Portuguese, Italian
	or`
		usuarios? | destinatari(?:o|os|a)? | buzon | cuenta | direccion | persona | conta | endereco |
		caixa(?: postal| de (?:correio|entrada|mensagens))? | utente | casella | indirizzo
	`,
	// German, Dutch
	or`
		empf(?:a|ae)nger(?:adresse)? | (?:be)?nutzer | (?:e-?)?mail-?adresse | postfach | mailkonto |
		(?:benutzer)?konto | gebruiker | adres
	`,
	// Polish
	or`
		uzytkownik(?:a)? | skrzynka | odbiorca
	`,
);

/** Words that resemble a missing mailbox's, but are about logging in, or about us. */
export const NOT_THE_MAILBOX = pattern(
	or`
		\bpasswords?\b | \bcredentials?\b | \byou (?:are not|do not|don't|have no)\b |
		\b(?:know|find|recogni[sz]e) you\b | in the (?:envelope|command)\b |
		\b(?:your|sending|sender's) (?:e-?mail )?(?:account|mail ?box|address|user)\b |
		\b(?:sending|mailing) from\b | in the [a-z]+:? header
	`,
	'(?:server|host|service)s? (?:for|of) ',
	or`
		(?:access|connections?) from | unknown (?:users|recipients)\b
	`,
	// A store or part of the mailbox, not the mailbox itself; unless the mailbox was not found in it.
	or`
		(?<!\b(?:in|of) (?:the |our |my |this |local )?)\b(?:recipient|user|mail ?box|account|
		mail) (?:store|database|server|host|certificate|licen[cs]e|locale|count|syntax|format|lists?|
		delivery|verification(?! failed))\b | \b(?:delivery|verification) (?:to|of|for|is|was|not)\b |
		\baddress family\b | \bno (?:valid |more )?recipients\b | \bsubscriber of\b |
		\bof (?:the|this|our) (?:mailing )?list\b | \bmailing list\b | \b(?:backup|this) mx\b | user agent |
		from (?:an? )?(?:invalid|unknown)
	`,
);

/** Words that start a list's or a filter's verdict about the machine or domain that connects. */
export const DNS_LISTS = pattern(or`
	spamhaus | spamcop | \bsorbs\b | abuseat | abusix | invaluement | uceprotect | mailspike |
	barracudacentral | hostkarma | psbl | backscatterer | cloudmark | senderscore | senderbase |
	talosintelligence | dnsbl | \brbls?\b | \b(?:xbl|pbl|sbl|cbl|drbl|brbl)\b | black[- ]?(?:ed )?list |
	block[- ]?list | deny[- ]?list | reputation
`);

/**
 * Alternatives as one text for `pattern` and `anyOf`, without doubled backslashes: ` | ` divides two of them. A line that
 * ends without it goes on in the next.
 */
export function or({ raw: [text = ''] }: TemplateStringsArray): string {
	return text
		.trim()
		.replaceAll(/(?<= \|)\s*\n\s*/g, ' ')
		.replaceAll(/\n\s*/g, '')
		.replaceAll(' | ', '|');
}

/** Any of the families as one pattern. */
export function pattern(...alternatives: readonly string[]): RegExp {
	return new RegExp(alternatives.join('|'), 'u');
}
