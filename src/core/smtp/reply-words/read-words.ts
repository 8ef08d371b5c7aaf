import { ABOUT_US } from './about-us.ts';
import { WEIGHTS } from './data/weights.ts';
import { deniesMailbox, featuresOf } from './features.ts';
import type { Wording } from './features.ts';
import { clausesOf, withoutLinks } from './tokens.ts';

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
	return mayBeJudged(refusal) ? likelihood({ ...refusal, clauses: clausesOf(refusal.text) }, stored()) : null;
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

let parsed: ReadonlyMap<string, number> | null = null;

/** Reads the table on first use: most replies never need it. */
function stored(): ReadonlyMap<string, number> {
	parsed ??= parseWeights(WEIGHTS);
	return parsed;
}

/** `-12 a|b`: the features a and b weigh -1.2 each. */
export function parseWeights(table: string): ReadonlyMap<string, number> {
	return new Map(
		table
			.trim()
			.split('\n')
			.flatMap((line) => {
				const end = line.indexOf(' ');
				const weight = Number(line.slice(0, end)) / 10;
				return line
					.slice(end + 1)
					.split('|')
					.map((feature) => [feature, weight] as const);
			}),
	);
}
