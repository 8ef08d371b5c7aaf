import { describe, expect, test } from 'vitest';
import { addressDigests, endOf, overrule, replaces } from '../../../src/core/outcomes/outcome.ts';
import type { OutcomeKind } from '../../../src/core/outcomes/outcome.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { decidedBy } from '../../../src/core/verification/render.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

test('a delivery is kept for 90 days, a bounce for 180', () => {
	expect(endOf({ kind: 'delivered', at: NOON }) - NOON).toBe(90 * DAY_MS);
	expect(endOf({ kind: 'hard_bounce', at: NOON }) - NOON).toBe(180 * DAY_MS);
});

// A day is 24 h later; `undated`: the report gave no time.
test.each([
	['the first one', 'delivered 0', null, true],
	['a newer one', 'delivered 1', 'hard_bounce', true],
	['not an older one', 'hard_bounce -1', 'delivered', false],
	['of two at once the bounce', 'hard_bounce 0', 'delivered', true],
	['also told the other way round', 'delivered 0', 'hard_bounce', false],
	['not the same one again', 'delivered 0', 'delivered', false],
	['nor without a date within a day', `delivered ${DAY_MS - 1} undated`, 'delivered', false],
	['after a day it is a new one', `delivered ${DAY_MS} undated`, 'delivered', true],
	['another kind without a date', 'hard_bounce 1 undated', 'delivered', true],
] as const)('the newest outcome of an address wins: %s: %s', (_, report, known, expected) => {
	const [kind, later, undated] = report.split(' ') as [OutcomeKind, string, string?];
	const told = { kind, at: NOON + Number(later), isDated: undated === undefined };
	expect(replaces(told, known === null ? null : { kind: known, at: NOON })).toBe(expected);
});

describe('the digests of an address', () => {
	const now = { version: 2, secret: new Uint8Array(32).fill(2) };
	const before = { version: 1, secret: new Uint8Array(32).fill(1) };
	const digest = (email: string, account = 'acc_1', secret = now) =>
		addressDigests([secret], account, addressOf(email))[0];

	test('is the same in any letter case and in both scripts of a domain', () => {
		expect(digest('Ada@X.test')).toBe(digest('ada@x.test'));
		expect(digest('ada@bücher.example')).toBe(digest('ada@xn--bcher-kva.example'));
	});

	test('is another one for another address, account and secret, and shows nothing of the address', () => {
		const ofOthers = ['ada@x.test', 'ada+a@x.test', 'ada@y.test'].map((email) => digest(email));
		const all = [...ofOthers, digest('ada@x.test', 'acc_2'), digest('ada@x.test', 'acc_1', before)];
		expect(new Set(all).size).toBe(all.length);
		for (const one of all) expect(one).toMatch(/^[0-9A-Za-z]{22}$/);
	});

	test('is there for every secret, that in use first', () => {
		const both = addressDigests([now, before], 'acc_1', addressOf('ada@x.test'));
		expect(both).toEqual([digest('ada@x.test'), digest('ada@x.test', 'acc_1', before)]);
	});
});

describe('an own outcome decides a result', () => {
	const after = (subStatus: SubStatus, kind: OutcomeKind, isDoubtful = false) =>
		overrule(decidedBy('smtp', subStatus), kind, { disposable: isDoubtful, suggestedDomain: null }, null)
			?.subStatus ?? null;

	test.each<[SubStatus, delivered: SubStatus | null, bounced: SubStatus | null]>([
		['accepted_email', null, 'rejected_email'],
		['catch_all', 'accepted_email', 'rejected_email'],
		['mailbox_full', 'accepted_email', 'rejected_email'],
		['timeout', 'accepted_email', 'rejected_email'],
		['gateway_protected', 'accepted_email', 'rejected_email'],
		['accepts_everything', 'accepted_email', 'rejected_email'],
		// No mail can arrive now, whatever arrived before.
		['rejected_email', null, null],
		['mailbox_disabled', null, null],
		['invalid_domain', null, null],
		['does_not_accept_mail', null, null],
	])('%s: a delivery makes it %s, a bounce %s', (subStatus, delivered, bounced) => {
		expect([after(subStatus, 'delivered'), after(subStatus, 'hard_bounce')]).toEqual([delivered, bounced]);
	});

	test('a delivery at a misspelt domain makes nothing deliverable, a bounce there counts', () => {
		expect(after('possible_typo', 'delivered', true)).toBeNull();
		expect(after('possible_typo', 'hard_bounce', true)).toBe('rejected_email');
	});

	test('it says why in words that clients know', () => {
		const outcome = decidedBy('smtp', 'timeout');
		const HEALTHY = { disposable: false, suggestedDomain: null };
		expect(overrule(outcome, 'hard_bounce', HEALTHY, null)).toMatchObject({
			method: 'list',
			note: 'Mailbox does not exist. A message of yours to this address bounced in the last half year',
		});
		expect(overrule(outcome, 'delivered', HEALTHY, null)?.note).toMatch(
			/^A message of yours .* was delivered/,
		);
	});
});
