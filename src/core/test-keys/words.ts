import { domainOf, localPartOf } from '../address/parse-address.ts';
import { isOneSlip } from '../lists/typos.ts';
import { GATEWAYS } from '../mail-operators/gateways.ts';
import { wordOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import { SUB_STATUSES } from '../verification/sub-status.ts';
import type { SubStatus } from '../verification/sub-status.ts';

/** The domain of the documentation's examples. At any other domain a word without a meaning is a name like others. */
export const TEST_DOMAIN = 'test.mailsonar.example';

/** The answer of a test key for the address of a word. */
interface TestAnswer {
	readonly subStatus: SubStatus;
	/** The gateway in front of the mailbox; null: none. */
	readonly gateway: string | null;
}

/** Errors that a word can ask for. */
export const REFUSALS = {
	'402': 'insufficient_credits',
	'429': 'rate_limited',
	'503': 'upstream_unavailable',
} as const;

/** Words that make something happen. Their addresses get the same answers as any other word. */
export const DEEDS = {
	slow: 'The answer takes 20 seconds.',
	fails: 'A job or task with this address fails.',
	expired: 'The results of a job or task with this address are gone as soon as it is completed.',
} as const;

const SUB_STATUS_OF: Readonly<Record<string, SubStatus>> = {
	deliverable: 'accepted_email',
	undeliverable: 'rejected_email',
	risky: 'mailbox_full',
	unknown: 'timeout',
	...Object.fromEntries((Object.keys(SUB_STATUSES) as SubStatus[]).map((word) => [word, word])),
	// The third verdict, `unknown`, is also a status, and as a word it has that meaning.
	valid: 'catch_all_valid',
	invalid: 'catch_all_invalid',
};

/** Every word with an answer of its own, in the order of the reference. */
export const ANSWERS: ReadonlyMap<string, TestAnswer> = new Map<string, TestAnswer>([
	...Object.entries(SUB_STATUS_OF).map(([word, subStatus]) => [word, { subStatus, gateway: null }] as const),
	...(Object.keys(GATEWAYS) as OperatorName[])
		.map(wordOf)
		.map((gateway) => [gateway, { subStatus: 'accepted_email', gateway }] as const),
]);
export const WORDS: ReadonlySet<string> = new Set([
	...ANSWERS.keys(),
	...Object.keys(DEEDS),
	...Object.keys(REFUSALS),
]);

/** The word of an address: its local part in lower case, without plus tag, so that a list may repeat a word. */
export function testWordOf(localPart: string): string {
	const [word = ''] = localPart.toLowerCase().split('+');
	return word;
}

/** The answer for a word; any other means an accepted address. */
export function testAnswerOf(word: string): TestAnswer {
	return ANSWERS.get(word) ?? { subStatus: 'accepted_email', gateway: null };
}

const bare = (word: string): string => word.replaceAll(/[-_.]/g, '');
// Shorter words are one letter away from names.
const EASILY_MISTYPED = [...WORDS].filter(({ length }) => length >= 5).map(bare);

/**
 * The word of an address at the test domain that was meant for one of the table and is none: one slip from it, or written
 * with underscores as sub_statuses are. Null: the address has no such word.
 */
export function mistypedWordOf(email: string): string | null {
	if (domainOf(email) !== TEST_DOMAIN) return null;
	const word = testWordOf(localPartOf(email));
	if (WORDS.has(word)) return null;
	const typed = bare(word);
	const isNear = EASILY_MISTYPED.some((one) => typed === one || isOneSlip(typed, one));
	return isNear || /^[a-z]+(?:_[a-z]+)+$/.test(word) ? word : null;
}
