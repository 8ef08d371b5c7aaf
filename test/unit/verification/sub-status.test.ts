import { describe, expect, test } from 'vitest';
import { rate } from '../../../src/core/verification/render.ts';
import { STATUSES, SUB_STATUSES, statusOf } from '../../../src/core/verification/sub-status.ts';
import type { Status, SubStatus } from '../../../src/core/verification/sub-status.ts';

// The table of the HTTP contract, word for word.
const CONTRACT: Readonly<Record<Status, string>> = {
	deliverable: 'accepted_email catch_all_valid',
	undeliverable:
		'invalid_domain no_mx_records does_not_accept_mail unroutable_mx rejected_email mailbox_disabled catch_all_invalid disposable',
	risky: 'catch_all mailbox_full possible_typo',
	unknown:
		'timeout no_connect unavailable_smtp greylisted rate_limited antispam_system filtered_or_missing gateway_protected catch_all_unresolved probe_blocked tls_required dns_error smtputf8_unsupported no_capacity not_asked accepts_everything opted_out free_limit unexpected_error',
};
const ALL = Object.keys(SUB_STATUSES) as SubStatus[];

describe('sub_status', () => {
	test.each(STATUSES)('%s has those of the contract, and no others', (status) => {
		const ours = ALL.filter((subStatus) => statusOf(subStatus) === status);
		expect(ours.toSorted()).toEqual(CONTRACT[status].split(' ').toSorted());
	});

	test('each says something of its own to people', () => {
		const reasons = ALL.map((subStatus) => SUB_STATUSES[subStatus].reason);
		expect(new Set(reasons).size).toBe(ALL.length);
		for (const reason of reasons) expect(reason).toMatch(/^[A-Z][^\n]{15,}[^.]$/);
	});

	// Public clients read these words: each stands where it is true, and nowhere else.
	const WORDS: readonly (readonly [RegExp, readonly SubStatus[]])[] = [
		[/^Mailbox does not exist(?:\.|$)/, ['rejected_email']],
		[/does not exist/i, ['rejected_email', 'invalid_domain']],
		[/timed out/, ['timeout']],
		[/mail server unavailable/, ['no_connect', 'unavailable_smtp']],
		[/catch-all/, ['catch_all', 'catch_all_unresolved']],
		[/policy|address rejected|access denied|user unknown/i, []],
	];

	test.each(ALL)('the reason of %s has the words of the contract, and none of another one', (subStatus) => {
		const { reason } = SUB_STATUSES[subStatus];
		for (const [word, where] of WORDS)
			expect(word.test(reason), String(word)).toBe(where.includes(subStatus));
	});
});

describe('score and risk', () => {
	test.each<[SubStatus, boolean, number, number, string]>([
		['catch_all_valid', true, 93, 93, 'low'],
		['catch_all_unresolved', true, 67, 67, 'medium'],
		// A list's row keeps its status, whatever a later task finds.
		['catch_all', false, 95, 79, 'medium'],
		['catch_all', false, 60, 60, 'medium'],
		['catch_all', false, 3, 21, 'medium'],
		['mailbox_full', true, 95, 40, 'medium'],
	])('%s (flagged: %s, catch-all score: %s): %i, %s', (subStatus, flagged, catchAllScore, score, risk) => {
		expect(rate(subStatus, flagged, catchAllScore)).toEqual({ score, risk });
	});

	test.each(ALL)('never contradict the status of %s, whatever the deeper check made of it', (subStatus) => {
		const status = statusOf(subStatus);
		for (const catchAllScore of [null, ...Array(101).keys()])
			for (const flagged of [false, true]) {
				const { score, risk } = rate(subStatus, flagged, catchAllScore);
				expect([score >= 80, score <= 20]).toEqual([status === 'deliverable', status === 'undeliverable']);
				expect(risk === 'high').toBe(status === 'undeliverable' || subStatus === 'possible_typo');
				if (status !== 'deliverable') expect(risk).not.toBe('low');
			}
	});

	test('a score with a fraction is a bug', () => {
		expect(() => rate('catch_all_valid', false, 88.5)).toThrow('whole');
	});
});
