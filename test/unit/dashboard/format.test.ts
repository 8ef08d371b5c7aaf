import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listDoneMail } from '../../../src/core/jobs/done-mail.ts';
import { change, count, list, plural, relative, span } from '../../../src/dashboard/format.ts';
import { renderJob } from '../../../src/http/schemas/job.ts';
import { share } from '../../../src/lib/share.ts';
import { job } from '../../support/dashboard/samples.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
	[0, '0'],
	[999, '999'],
	[1_000, '1,000'],
	[50_000, '50,000'],
	[1_234_567, '1,234,567'],
	[-12_000, '−12,000'],
])('%i is written %s', (value, text) => {
	expect(count(value)).toBe(text);
});

test('a figure loses none of its digits', () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1e12 }), (value) => {
			expect(Number(count(value).replaceAll(',', ''))).toBe(value);
		}),
	);
});

test('a change says its direction', () => {
	expect([change(8), change(0), change(-3)]).toEqual(['+8', '0', '−3']);
});

test('one thing is singular, and no other number is', () => {
	expect([0, 1, 2].map((value) => plural(value, 'credit'))).toEqual(['0 credits', '1 credit', '2 credits']);
});

test.each([
	[144, 250, 57],
	[2, 3, 66],
	[29, 100, 29],
	[49_999, 50_000, 99],
])('%i of %i are %i percent on the page, in the mail and in the API', (part, whole, percent) => {
	const counts = { ...job.counts, deliverable: part };
	const ended = { ...job, accepted: whole, processed: part, counts };
	expect([share(part, whole), share(part / whole, 1)]).toEqual([`${percent}%`, `${percent}%`]);
	const mail = listDoneMail({ ...ended, name: null, failed: false }, null);
	expect(mail.text).toContain(`${percent}% are safe to send`);
	expect(renderJob(ended, 0).progress).toMatchObject({ processed: part, percentage: percent });
});

test('a share is never rounded to nothing or to all', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 50_000 }), fc.integer({ min: 1, max: 50_000 }), (part, rest) => {
			expect(share(part, part + rest)).not.toBe('0%');
			expect(share(part, part + rest)).not.toBe('100%');
		}),
	);
	expect([share(0, 5), share(5, 5), share(0, 0), share(1, 50_000), share(49_999, 50_000)]).toEqual([
		'0%',
		'100%',
		'0%',
		'<1%',
		'99%',
	]);
});

test.each([
	[0, 'just now'],
	[9_999, 'just now'],
	[10 * SECOND, '10 s ago'],
	[59_999, '59 s ago'],
	[MINUTE, '1 min ago'],
	[HOUR - 1, '59 min ago'],
	[HOUR, '1 h ago'],
	[DAY - 1, '23 h ago'],
	[DAY, 'yesterday'],
	[2 * DAY, '2 days ago'],
	[7 * DAY, '14 Nov 2026'],
	[-4 * MINUTE, 'in 4 min'],
	[-41 * HOUR, 'in 41 h'],
])('%i ms ago is %s', (past, text) => {
	expect(relative(NOW - past, NOW)).toBe(text);
});

test.each([
	[1, '1 s'],
	[MINUTE, '60 s'],
	[MINUTE + 1, '2 min'],
	[HOUR + 1, '2 h'],
	[2 * DAY, '48 h'],
	[2 * DAY + 1, '3 days'],
])('what is still %i ms away is told as %s', (ms, text) => {
	expect(span(ms)).toBe(text);
});

test.each([
	[[], ''],
	[['a'], 'a'],
	[['a', 'b', 'c'], 'a, b and c'],
])('%j is read as %s', (words, text) => {
	expect(list(words)).toBe(text);
});
