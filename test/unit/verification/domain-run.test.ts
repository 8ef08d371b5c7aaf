import { expect, test } from 'vitest';
import { continueRun, isDoubtfulRun } from '../../../src/core/verification/history.ts';
import type { DomainRun } from '../../../src/core/verification/history.ts';

const MINUTE = 60_000;
const US = 'acc_1';
const ACCEPTED_AT = 0;
const RUN_BEGINS = 10 * MINUTE;

/** A domain that accepted a mailbox at 0 and refused `count` mailboxes from `begin` on, one a second. */
function runOf(count: number, begin = RUN_BEGINS, accepted = true): DomainRun {
	let run: DomainRun | null = accepted
		? continueRun(null, { kind: 'accepted', mailbox: 'ada' }, US, ACCEPTED_AT)
		: null;
	for (let index = 0; index < count; index += 1) {
		run = continueRun(run, { kind: 'rejected', mailbox: `nobody-${index}` }, US, begin + index * 1000);
	}
	return run as DomainRun;
}

test('ten refusals in a row at a domain that took mail before are doubted, nine are believed', () => {
	expect(isDoubtfulRun(runOf(9), US, RUN_BEGINS + MINUTE)).toBe(false);
	expect(isDoubtfulRun(runOf(10), US, RUN_BEGINS + MINUTE)).toBe(true);
});

test('refusals that last for a quarter of an hour are believed', () => {
	expect(isDoubtfulRun(runOf(10), US, RUN_BEGINS + 15 * MINUTE - 1)).toBe(true);
	expect(isDoubtfulRun(runOf(10), US, RUN_BEGINS + 15 * MINUTE)).toBe(false);
});

test('a list of good and bad addresses is no broken directory: refusals soon after an acceptance are believed', () => {
	expect(isDoubtfulRun(runOf(50, RUN_BEGINS - 1), US, RUN_BEGINS + MINUTE)).toBe(false);
});

test('a domain that was never seen to accept anybody is believed', () => {
	expect(isDoubtfulRun(runOf(50, RUN_BEGINS, false), US, RUN_BEGINS + MINUTE)).toBe(false);
});

test('one mailbox refused twenty times is no run', () => {
	let run: DomainRun = continueRun(null, { kind: 'accepted', mailbox: 'ada' }, US, ACCEPTED_AT);
	for (let index = 0; index < 20; index += 1) {
		run = continueRun(run, { kind: 'rejected', mailbox: 'nobody' }, US, RUN_BEGINS + index);
	}
	expect(isDoubtfulRun(run, US, RUN_BEGINS + MINUTE)).toBe(false);
});

test('one acceptance ends the run', () => {
	const run = continueRun(runOf(20), { kind: 'accepted', mailbox: 'ada' }, US, RUN_BEGINS + MINUTE);
	expect(isDoubtfulRun(run, US, RUN_BEGINS + MINUTE)).toBe(false);
});

/** The domain that took mail, after each of the accounts heard so many refusals. */
function heardBy(refusals: Readonly<Record<string, number>>): DomainRun {
	let run = continueRun(null, { kind: 'accepted', mailbox: 'ada' }, US, ACCEPTED_AT);
	for (const [account, count] of Object.entries(refusals))
		for (let index = 0; index < count; index += 1)
			run = continueRun(run, { kind: 'rejected', mailbox: `${account}-${index}` }, account, RUN_BEGINS);
	return run;
}

test.each<[string, Record<string, number>, boolean]>([
	['a thousand names that another account invents', { acc_2: 1_000, [US]: 1 }, false],
	['names that two other accounts invent', { acc_2: 100, acc_3: 100, [US]: 3 }, false],
	['a few refusals of each of four accounts', { acc_2: 3, acc_3: 3, acc_4: 3, [US]: 1 }, true],
	[
		'one refusal of each of ten accounts',
		Object.fromEntries([US, 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => [name, 1])),
		true,
	],
	['many refusals of an account that heard none', { acc_2: 3, acc_3: 3, acc_4: 4 }, false],
])(
	'%s: an account doubts its own refusal only where many accounts hear the same',
	(_, refusals, doubtful) => {
		expect(isDoubtfulRun(heardBy(refusals), US, RUN_BEGINS + MINUTE)).toBe(doubtful);
	},
);

test('a run never remembers more than twenty accounts and ten mailboxes of each', () => {
	const run = heardBy(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`acc_${n}`, 60])));
	expect(run.refused.size).toBe(20);
	expect(Math.max(...[...run.refused.values()].map(({ mailboxes }) => mailboxes.length))).toBe(10);
});
