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

test('a figure loses none of its digits', () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1e12 }), (value) => {
			expect(Number(count(value).replaceAll(',', ''))).toBe(value);
		}),
	);
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
	const mail = listDoneMail({ ...ended, name: null }, null);
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

const ago = (ms: number) => relative(NOW - ms, NOW);
test.each([
	[count(0), '0'],
	[count(999), '999'],
	[count(1_000), '1,000'],
	[count(1_234_567), '1,234,567'],
	[count(-12_000), '−12,000'],
	[change(8), '+8'],
	[change(0), '0'],
	[change(-3), '−3'],
	[plural(0, 'credit'), '0 credits'],
	[plural(1, 'credit'), '1 credit'],
	[plural(2, 'credit'), '2 credits'],
	[list([]), ''],
	[list(['a']), 'a'],
	[list(['a', 'b', 'c']), 'a, b and c'],
	[ago(0), 'just now'],
	[ago(9_999), 'just now'],
	[ago(10 * SECOND), '10 s ago'],
	[ago(59_999), '59 s ago'],
	[ago(MINUTE), '1 min ago'],
	[ago(HOUR - 1), '59 min ago'],
	[ago(HOUR), '1 h ago'],
	[ago(DAY - 1), '23 h ago'],
	[ago(DAY), 'yesterday'],
	[ago(2 * DAY), '2 days ago'],
	[ago(7 * DAY), '14 Nov 2026'],
	[ago(-4 * MINUTE), 'in 4 min'],
	[ago(-41 * HOUR), 'in 41 h'],
	[span(1), '1 s'],
	[span(MINUTE), '60 s'],
	[span(MINUTE + 1), '2 min'],
	[span(HOUR + 1), '2 h'],
	[span(2 * DAY), '48 h'],
	[span(2 * DAY + 1), '3 days'],
])(
	'a figure, a change, a list of words and a time are written as people read them: %j is %j',
	(written, text) => {
		expect(written).toBe(text);
	},
);
