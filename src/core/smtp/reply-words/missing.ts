import { or } from './word-classes.ts';

// Replies about a mailbox that is missing or shut. Names in capitals are classes of words.

// `\b` knows Latin letters only.
export const START = or`(?<![\p{L}\p{N}])`;
// Words after which a clause is no longer about the mailbox.
const SOMEONE_ELSE = or`
	\b(?:domain|host|sender|server|dns|record|spf|dmarc|ip|mx|ptr|helo|messages?|client|reverse|polic(?:y|ies)|network|
	password|certificate|credentials|command|header|attachment|dominio|domaine|domane|service|system|resources?|relay|
	route|connection|identities)\b
`;
// Words before the noun that make it our address or account, or no mailbox at all.
const OURS = or`
	\b(?:ip|ipv4|ipv6|network|return|from|sending|sender|sender's|reply-to|source|smtp|your) (?:email )?
`;

/** A mailbox, then at most 40 characters of the same clause without a word that changes its subject, then `state`. */
export function mailboxIs(state: string): string {
	return or`${START}(?<!${OURS})MAILBOX(?:(?!${SOMEONE_ELSE})[^;]){0,40}?${START}(?:${state})`;
}

const DENIES = or`NOT (?:(?:an?|be|se|ha|sido|fue|es|foi|e'?) ){0,2}`;
// Words for a missing mailbox, after the noun. "No valid" goes on with a noun, which may be anything.
export const GONE = or`UNKNOWN | MISSING | nonexist | INVALID | EXIST NOT | ${DENIES}(?:FOUND|EXIST)`;
export const ABSENT = or`
	${GONE} | unavailable\b | may not exist |
	(?!no (?:valid|local|real|correct)\b)${DENIES}(?:KNOWN|VALID|AVAILABLE|LOCAL|(?:listed|current)\b) |
	NOT be (?:verified|delivered) | undeliverable$ | unroute?able\b | missing home | has no (?:mailbox|account) |
	(?:verify|verification|lookup) failed
`;
// The same before the noun.
export const ABSENT_FIRST = or`
	UNKNOWN(?: or (?:illegal|invalid|inactive))? | INVALID(?: or unknown)? | MISSING | undefined | illegal | bad |
	unroute?able | NOT (?:an? |ma )?(?:VALID|KNOWN|LOCAL|EXIST|SUCH|matching)(?: (?:dich[oa]|es[ea]|el|la|est[ea]|ningun))? |
	kein(?:e|en)? | aucune? | nessun[oa]?
`;
export const SHUT = or`
	(?:is |was |been )?disabled | de-?activated | inactiv(?:e|ated) | not active\b | not been activated | suspended | frozen |
	locked | blocked due to inactivity | closed | terminated | discontinued | archived | expired | cancell?ed | retired |
	(?:been|was) (?:deleted|removed) | deprovisioned | abandoned |
	no longer (?:a )?(?:\w+ )?(?:valid|active|available|in use|used|exists?|works?|employed|with|on|accepts?|here|receiv\w+|
	maintained|monitored|accepting)\b | (?:has )?left (?:the|our) (?:company|organi[sz]ation) |
	(?:has |have )(?:left|moved(?!,? no forwarding))(?! to\b) |
	desactive | inactif | suspendue?\b | fermee?\b | archivee?\b | ferme\b | cloturee?\b | desactivad[oa] | deshabilitad[oa] |
	suspendid[oa] | desativad[oa] | inativ[oa] | cancelad[oa] | inactiv[oa] | disattivat[oa] | disabilitat[oa] | sospes[oa] |
	inattiv[oa] | deaktiviert | gesperrt | stillgelegt | geschlossen |
	nicht mehr (?:aktiv|gultig|verfugbar|vorhanden)
`;

/** Words that resemble a missing mailbox's, but are about logging in, or about us. */
export const NOT_THE_MAILBOX = or`
	\bpasswords?\b | \bcredentials?\b | \byou (?:are not|do not|have no)\b | \b(?:know|find|recogni[sz]e) you\b |
	in the (?:envelope|command)\b | \b(?:your|sending|sender's) (?:email )?(?:account|mailbox|address|user)\b |
	\b(?:sending|mailing) from\b | in the [a-z]+:? header | (?:server|host|service)s? (?:for|of)\s |
	(?:access|connections?) from | unknown (?:users|recipients)\b |
	(?<!\b(?:in|of) (?:the |our |my |this |local )?)\b(?:recipient|user|mailbox|account|mail) (?:store|database|server|
	host|certificate|licen[cs]e|locale|count|syntax|format|lists?|delivery|verification(?! failed))\b |
	\b(?:delivery|verification) (?:to|of|for|is|was|not)\b | \baddress family\b | \bno (?:valid |more )?recipients\b |
	\bsubscriber of\b | \bof (?:the|this|our) (?:mailing )?list\b | \bmailing list\b | \b(?:backup|this) mx\b |
	user agent | from (?:an? )?(?:invalid|unknown)
`;
