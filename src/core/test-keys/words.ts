import { domainOf, localPartOf } from '../address/parse-address.ts';
import { isOneSlip } from '../lists/typos.ts';
import { OPERATORS, wordOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import { SUB_STATUSES } from '../verification/sub-status.ts';
import type { Status, SubStatus } from '../verification/sub-status.ts';
import type { CatchAllVerdict } from '../verification/render.ts';

/** The answer of a test key for the address of a word. */
export interface TestAnswer {
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
export type Refusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/** Words that make something happen. Their addresses get the same answers as any other word. */
export const DEEDS = {
	slow: 'The answer takes 20 seconds.',
	fails: 'A job or task with this address fails.',
	expired: 'The results of a job or task with this address are gone as soon as it is completed.',
} as const;
export type Deed = keyof typeof DEEDS;

const OF_STATUS: Readonly<Record<Status, SubStatus>> = {
	deliverable: 'accepted_email',
	undeliverable: 'rejected_email',
	risky: 'mailbox_full',
	unknown: 'timeout',
};
// `unknown` is also a status, and as a word it has that meaning.
const OF_VERDICT: Readonly<Record<Exclude<CatchAllVerdict, 'unknown'>, SubStatus>> = {
	valid: 'catch_all_valid',
	invalid: 'catch_all_invalid',
};
/** The sub_statuses of a catch-all domain, with the verdict of the deeper check. */
const VERDICTS: Readonly<Partial<Record<SubStatus, CatchAllVerdict>>> = {
	catch_all: 'unknown',
	catch_all_valid: 'valid',
	catch_all_invalid: 'invalid',
	catch_all_unresolved: 'unknown',
};

const GATEWAYS = (Object.keys(OPERATORS) as OperatorName[])
	.filter((name) => OPERATORS[name].kind === 'gateway')
	.map(wordOf)
	.filter((word) => word !== null);

/** Every word with an answer of its own, in the order of the reference. */
export const ANSWERS: ReadonlyMap<string, TestAnswer> = new Map<string, TestAnswer>([
	...answering(Object.entries(OF_STATUS)),
	...answering(Object.keys(SUB_STATUSES).map((word) => [word, word as SubStatus])),
	...answering(Object.entries(OF_VERDICT)),
	...GATEWAYS.map((gateway): [string, TestAnswer] => [gateway, { subStatus: 'accepted_email', gateway }]),
]);

function answering(words: readonly (readonly [string, SubStatus])[]): [string, TestAnswer][] {
	return words.map(([word, subStatus]) => [word, { subStatus, gateway: null }]);
}

const OTHERWISE: TestAnswer = { subStatus: 'accepted_email', gateway: null };

/** The word of an address: its local part in lower case, without plus tag, so that a list may repeat a word. */
export function testWordOf(localPart: string): string {
	const [word = ''] = localPart.toLowerCase().split('+');
	return word;
}

/** Whether the local part asks for the deed. */
export function asksFor(deed: Deed, localPart: string): boolean {
	return testWordOf(localPart) === deed;
}

export function testAnswerOf(word: string): TestAnswer {
	return ANSWERS.get(word) ?? OTHERWISE;
}

export function refusalOf(word: string): Refusal | null {
	return Object.hasOwn(REFUSALS, word) ? REFUSALS[word as keyof typeof REFUSALS] : null;
}

/** The domain of the documentation's examples. At any other domain a word without a meaning is a name like others. */
export const TEST_DOMAIN = 'test.mailsonar.example';
/** Every word of the table. */
export const WORDS: ReadonlySet<string> = new Set([
	...ANSWERS.keys(),
	...Object.keys(DEEDS),
	...Object.keys(REFUSALS),
]);
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

function bare(word: string): string {
	return word.replaceAll(/[-_.]/g, '');
}

/** The verdict on an address whose domain is a catch-all; null: its domain is none. */
export function catchAllVerdictOf(subStatus: SubStatus): CatchAllVerdict | null {
	return VERDICTS[subStatus] ?? null;
}
