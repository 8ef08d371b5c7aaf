import { expect, test } from 'vitest';
import { continueRun, isDoubtfulRun } from '../../../src/core/verification/history.ts';
import type { DomainRun } from '../../../src/core/verification/history.ts';

const MINUTE = 60_000;
const ACCEPTED_AT = 0;
const RUN_BEGINS = 10 * MINUTE;

/** A domain that accepted a mailbox at 0 and refused `count` mailboxes from `begin` on, one a second. */
function runOf(count: number, begin = RUN_BEGINS, accepted = true): DomainRun {
	let run: DomainRun | null = accepted
		? continueRun(null, { kind: 'accepted', mailbox: 'ada' }, ACCEPTED_AT)
		: null;
	for (let index = 0; index < count; index += 1) {
		run = continueRun(run, { kind: 'rejected', mailbox: `nobody-${index}` }, begin + index * 1000);
	}
	return run as DomainRun;
}

test('ten refusals in a row at a domain that took mail before are doubted, nine are believed', () => {
	expect(isDoubtfulRun(runOf(9), RUN_BEGINS + MINUTE)).toBe(false);
	expect(isDoubtfulRun(runOf(10), RUN_BEGINS + MINUTE)).toBe(true);
});

test('refusals that last for a quarter of an hour are believed', () => {
	expect(isDoubtfulRun(runOf(10), RUN_BEGINS + 15 * MINUTE - 1)).toBe(true);
	expect(isDoubtfulRun(runOf(10), RUN_BEGINS + 15 * MINUTE)).toBe(false);
});

test('a list of good and bad addresses is no broken directory: refusals soon after an acceptance are believed', () => {
	expect(isDoubtfulRun(runOf(50, RUN_BEGINS - 1), RUN_BEGINS + MINUTE)).toBe(false);
});

test('a domain that was never seen to accept anybody is believed', () => {
	expect(isDoubtfulRun(runOf(50, RUN_BEGINS, false), RUN_BEGINS + MINUTE)).toBe(false);
});

test('one mailbox refused twenty times is no run', () => {
	let run: DomainRun = continueRun(null, { kind: 'accepted', mailbox: 'ada' }, ACCEPTED_AT);
	for (let index = 0; index < 20; index += 1) {
		run = continueRun(run, { kind: 'rejected', mailbox: 'nobody' }, RUN_BEGINS + index);
	}
	expect(isDoubtfulRun(run, RUN_BEGINS + MINUTE)).toBe(false);
});

test('one acceptance ends the run', () => {
	const run = continueRun(runOf(20), { kind: 'accepted', mailbox: 'ada' }, RUN_BEGINS + MINUTE);
	expect(isDoubtfulRun(run, RUN_BEGINS + MINUTE)).toBe(false);
});
