import { WEIGHTS } from './data/weights.ts';
import { CLASS_OF, expressionOf, FILLERS, NOT_THE_MAILBOX } from './vocabulary.ts';

/** How sure the words alone must make us, from 0 to 1, before a reply reads as "no such mailbox". */
export const LIKELIHOOD_ALONE = 0.8;
/** The same if replies to other recipients support the words. */
export const LIKELIHOOD_SECONDED = 0.6;

// RFC 5321 §4.2.2, RFC 4954 §6, RFC 7504: about commands, authentication, storage or the whole host, whatever the text.
const NOT_ABOUT_MAILBOXES: ReadonlySet<number> = new Set([
	500, 502, 503, 504, 521, 523, 530, 534, 535, 538, 552, 555, 556,
]);

// RFC 3463 §3.2 and §3.7: these address statuses are about the domain or our sender (Microsoft numbers our own limits
// so, too), and X.6 is about the message.
const NOT_ABOUT_RECIPIENTS = /^5\.(?:1\.(?:[278]|2[01]|90)|6\..*)$/;

/** A reply whose words are read; `text` comes from `wordsOf`. */
interface Refusal {
	readonly code: number;
	readonly status: string | null;
	readonly text: string;
}

/**
 * How likely a reply to our RCPT says "no such mailbox" by its words, from 0 to 1. Null: the words can't be judged,
 * because the reply is temporary, something in it is about us, or nothing in it denies a mailbox.
 */
export function likelihoodOfMissing(refusal: Refusal): number | null {
	return mayBeJudged(refusal) ? likelihood({ ...refusal, clauses: clausesOf(refusal.text) }, STORED) : null;
}

/** Whether the code, the status and every single word leave open that the reply is about the mailbox. */
export function mayBeJudged({ code, status, text }: Refusal): boolean {
	if (code < 500 || NOT_ABOUT_MAILBOXES.has(code)) return false;
	if (status !== null && (!status.startsWith('5.') || NOT_ABOUT_RECIPIENTS.test(status))) return false;
	return !ABOUT_US.test(withoutLinks(text));
}

/** The logistic function of the sum of the features' weights; null where the words deny no mailbox. */
export function likelihood(wording: Wording, weights: ReadonlyMap<string, number>): number | null {
	if (!deniesMailbox(wording)) return null;
	let sum = 0;
	for (const feature of featuresOf(wording, (word) => weights.has(word))) sum += weights.get(feature) ?? 0;
	return 1 / (1 + Math.exp(-sum));
}

/** `-12 a|b`: the features a and b weigh -1.2 each. */
export function parseWeights(table: string): ReadonlyMap<string, number> {
	return new Map(
		[...table.matchAll(/^(\S+) (.+)$/gm)].flatMap(([, tenths, features = '']) =>
			features.split('|').map((feature) => [feature, Number(tenths) / 10] as const),
		),
	);
}

const STORED = parseWeights(WEIGHTS);

/** The parts of a reply that its meaning is learnt from: its code, its status and its words. */
export interface Wording extends Omit<Refusal, 'text'> {
	/** The words clause by clause, as `clausesOf` returns them. */
	readonly clauses: readonly (readonly string[])[];
}

// Words further apart than this are not taken as a pair.
const PAIR_DISTANCE_MAX = 4;

/** The constant: a feature of every wording. */
export const CONSTANT = '*';

/**
 * Replaces a word that training met in too few groups. It also marks a text in which at least a third of the words
 * are such.
 */
const UNSEEN = '?';
const MOSTLY_UNSEEN = '??';

/**
 * The features of a wording: its words, its pairs of words within a clause, its code and the subject of its status.
 *
 * @param isSeen whether the model has learnt a weight for a word; an unseen word may change what the others mean
 */
export function featuresOf(
	{ code, status, clauses }: Wording,
	isSeen: (word: string) => boolean,
): ReadonlySet<string> {
	const features = new Set<string>([CONSTANT, `code ${code}`, `status ${subjectOf(status)}`]);
	for (const words of clauses) {
		for (const [at, word] of words.entries()) {
			features.add(word);
			if (at > 0) features.add(`${words[at - 1] ?? ''} ${word}`);
			for (const later of words.slice(at + 1, at + 1 + PAIR_DISTANCE_MAX)) features.add(`${word}~${later}`);
		}
	}
	const all = clauses.flat();
	const unseen = all.filter((word) => !isSeen(word)).length;
	if (unseen > 0) features.add(UNSEEN);
	if (unseen * 3 >= all.length) features.add(MOSTLY_UNSEEN);
	return features;
}

/** `5.1` for 5.1.1. RFC 3463 §2: the subject is understood even where the detail is not. */
function subjectOf(status: string | null): string {
	return status === null ? 'none' : status.split('.').slice(0, 2).join('.');
}

const ABSENT: ReadonlySet<string> = new Set(['MISSING', 'UNKNOWN', 'INVALID', 'UNAVAILABLE']);
const STATES: ReadonlySet<string> = new Set(['EXIST', 'KNOWN', 'FOUND', 'VALID', 'AVAILABLE']);
const DENIABLE: ReadonlySet<string> = new Set([...STATES, 'MAILBOX', 'SUCH']);

// `existiert bei Firma nicht`: in some languages the denial comes last.
const DENIED_BEFORE_MAX = 3;

// RFC 3463 §3.2: statuses about an address. X.1.0 does not say whose.
const ADDRESS_STATUS = /^5\.1\.[1-9]/;

/**
 * Whether the words say that a mailbox does not exist: `user unknown`, `no such`, `existiert nicht`. Other replies
 * may be about the mailbox and still be no permanent refusal: "mailbox is read-only".
 */
function deniesMailbox({ status, clauses }: Wording): boolean {
	const isAbout =
		(status !== null && ADDRESS_STATUS.test(status)) ||
		clauses.some((words) => words.some((word) => word === 'MAILBOX' || word === '<RCPT>'));
	return isAbout && clauses.some(deniesSomething);
}

function deniesSomething(words: readonly string[]): boolean {
	return words.some((word, at) => {
		if (ABSENT.has(word)) return true;
		if (word !== 'NOT') return false;
		const before = words.slice(Math.max(0, at - DENIED_BEFORE_MAX), at);
		const after = words.slice(at + 1, at + 1 + PAIR_DISTANCE_MAX);
		return before.some((other) => STATES.has(other)) || after.some((other) => DENIABLE.has(other));
	});
}

// Replies state their reason early; the longest labelled one about a mailbox has 60 words.
const WORDS_MAX = 80;
// Longer runs of letters are ids, not words.
const WORD_CHARACTERS_MAX = 18;

/**
 * The words of a reply, clause by clause, without numbers, ids, host names and links. A word that has a class is
 * replaced by it. `text` comes from `wordsOf`.
 */
export function clausesOf(text: string): readonly (readonly string[])[] {
	let left = WORDS_MAX;
	const clauses: string[][] = [];
	const marked = withoutLinks(text)
		.replaceAll(/\bin (use|service)\b/gu, 'in$1')
		.replaceAll('<>', ' RCPT ')
		.replaceAll(/<(?:us|@)>/gu, ' OTHER ');
	for (const clause of marked.split(/(?<![.;!?:,|])[.;!?:,|]+(?:\s|$)| [-–—]+ |[()[\]"]+/u)) {
		const words = wordsOfClause(clause).slice(0, left);
		left -= words.length;
		if (words.length > 0) clauses.push(words);
	}
	return clauses;
}

/** Removes links and host names, because their words were not chosen for this reply. */
function withoutLinks(text: string): string {
	return text
		.replaceAll(/(?:https?:|www\.)\S*/gu, ' ')
		.replaceAll(
			/(?<![\p{L}\p{N}.-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,20}\.[a-z]{2,24}(?![\p{L}\p{N}-])/gu,
			' ',
		);
}

function wordsOfClause(clause: string): string[] {
	return clause
		.split(/[\s/<>{}=*#]+/u)
		.map((word) =>
			word.replaceAll(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '').replace(/'s$/u, ''),
		)
		.filter((word) => /^\p{L}(?:[\p{L}'-]*\p{L})?$/u.test(word) && word.length <= WORD_CHARACTERS_MAX)
		.filter((word) => !FILLERS.has(word))
		.map((word) => (word === 'RCPT' || word === 'OTHER' ? `<${word}>` : (CLASS_OF.get(word) ?? word)));
}

/**
 * Single words that are not about the mailbox, in the languages in which servers answer: about our machine, us, our
 * sender, lists and filters, rules about who may write, too much or too fast, what passes, our commands, the server's
 * set-up. A reply that contains one is never judged by its words. The rules match known phrases; these also catch new ones.
 */
const ABOUT_US = expressionOf`
	${NOT_THE_MAILBOX} |
	\bip(?:v[46])?s?\b | \bclients?\b | \bhelo\b | \behlo\b | greeting | \brdns\b | \bptr\b | \breverse\b |
	\bnetworks?\b | \bcountr(?:y|ies)\b | \bgeo | \bdynamic | \bproxy\b | \bdial-?up\b | \bresidential\b | \byour\b |
	\byou (?:are|have|do|may|must|need|can)\b | \bfor you\b | \bto us\b | \bvotre\b | \bvous\b | \bihr(?:e|er|en)?\b |
	\b(?:su|seu|sua|tu|twoj|uw) (?:direccion|endereco|ip|indirizzo|adres|servidor|server) |
	<us> | \bsend(?:er|ers|ing)?\b | \bsent\b | \bfrom\b | \boriginat | \benvelope\b | \breturn-?path\b |
	\bcall(?:back|out) | \bspf\b | \bdkim\b | \bdmarc\b | \barc\b | spoof | forge | impersonat | signature |
	reputation | \blisted\b | \blisting\b | (?:block|black|deny|grey|gray|white|safe)[- ]?list | \bd?n?s?rbls?\b |
	dnsbl | \bblock | \bban(?:ned|s)?\b | bloque | bloccat | geblokkeerd | zablokowan | zablokirovan |
	заблокирован | blocker | gesperrt | verboten | interdit | prohibid | proibid | vietat | zabronion | spam |
	unsolicited | \bbulk\b | \bjunk\b | phish | virus | malware | suspicious | suspected | abus[ei] | attack |
	harvest | guess | \bfilter | firewall | \brules?\b | \bscor(?:e|es|ed)\b | \bcontent\b | contenu | inhalt |
	conteudo | contenido |
	polic(?:y|ies) | politi(?:que|ca|k) | richtlinie | beleid | polityk | auth | log(?:ged)?[- ]?in\b | passwor[dt] |
	credential | certificat | permi(?:t|ss) | privileg | licen[cs]e | \ballow | \bprohibit | \bforbid | \brestrict |
	\bden(?:y|ied|ies)\b | \baccess | acceso | acesso | zugang | zugriff | dostep | \brelay | \btrust | \bwelcome\b |
	\bwant\b | \bstrangers?\b | \bcorrespondents?\b | \bonly\b | \binside\b | \boutside\b | \baccept(?:s|ed|ing)?\b |
	\btoo\b | \bmany\b | \blimit | \bexceed | \bexcessive | \bquota | \brate\b | throttl | \bfrequency | \bslow |
	\bquick | \bfull\b | \bspace\b | \bstorage\b | \bsize\b | \blarge\b | voll\b | pleine?\b |
	llen[oa]\b | chei[oa]\b | \bpien[oa]\b | \bvol\b | \bpeln[ay]\b | \bplna\b | переполнен | quarantin |
	tempor | vorubergehend | \blater\b | \bspater\b | plus tard | mas tarde | mais tarde | piu tardi |
	pozniej | позже | \bagain\b | \bretry | \bresend | \btomorrow\b | \bcurrently\b | \bmoment | \bpresent\b |
	\bat this time\b | \bdefer | \bdelay | time-?d?[- ]?out | \bmaintenance | \bprogress | \bmigrat | \bbusy\b |
	overload | \bdown\b | \bbackend\b | \bnot (?:be )?possible\b | \bcould not (?:be )?(?:check|ask|reach) |
	\bconnect | \bunable to (?:check|verify) |
	protocol | command | \bsyntax\b(?<!address syntax) | \bsequence\b | argument | pipelin | \btls\b | \bssl\b |
	encrypt | \bloop | \bhops?\b | \brout(?:e|ing)\b | \bconfigurat | \bheaders?\b | \battachment | \bmessages?\b |
	\bmx\b | \bexchanger
`;
