/** The parts of a reply that its meaning is learnt from: its code, its status and its words. */
export interface Wording {
	readonly code: number;
	/** RFC 3463, class 5; null: none. */
	readonly status: string | null;
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
export function deniesMailbox({ status, clauses }: Wording): boolean {
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
