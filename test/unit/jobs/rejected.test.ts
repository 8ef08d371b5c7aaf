import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanList, decodeRejected, RejectedElements } from '../../../src/core/jobs/clean-list.ts';
import type { Rejected } from '../../../src/core/jobs/clean-list.ts';

function rejectedOf(emails: readonly string[]): readonly Rejected[] {
	const rejected = new RejectedElements();
	cleanList(emails, rejected);
	return [...rejected.pages(emails)].flatMap((page) => page.split('\n')).map(decodeRejected);
}

describe('elements that cleaning takes out of a list', () => {
	test.each<[string, string[], [index: number, duplicateOf: number | null][]]>([
		['nothing', ['a@x.test', 'b@x.test'], []],
		['a repeated address', ['a@x.test', 'b@x.test', ' A@X.test'], [[2, 0]]],
		[
			'a repetition of a repetition names the first',
			['a@x.test', 'a@x.test', 'a@x.test'],
			[
				[1, 0],
				[2, 0],
			],
		],
		[
			'the place counts what was taken out before',
			['x', 'b@x.test', 'x', 'b@x.test'],
			[
				[0, null],
				[2, null],
				[3, 1],
			],
		],
		[
			'blanks are malformed each',
			['', 'a@x.test', ' '],
			[
				[0, null],
				[2, null],
			],
		],
		[
			'a name before a text that is no address, which is malformed each time',
			['Ada <x>', 'X', 'Bo <b@x.test>', 'b@x.test'],
			[
				[0, null],
				[1, null],
				[3, 2],
			],
		],
	])('%s', (_, emails, expected) => {
		const rows = rejectedOf(emails);
		expect(rows.map(({ index, duplicateOf }) => [index, duplicateOf])).toEqual(expected);
		for (const { index, value, reason, duplicateOf } of rows) {
			expect(value).toBe(emails[index]);
			expect(reason).toBe(duplicateOf === null ? 'malformed' : 'duplicate');
		}
	});

	test('is every element that is not accepted, in order, as often as it was counted', () => {
		const element = fc.constantFrom(
			'a@x.test',
			'A@X.TEST',
			'b@x.test',
			'x',
			' X',
			'',
			' ',
			'q"\n@',
			'c@b\u00fccher.de',
		);
		fc.assert(
			fc.property(fc.array(element, { maxLength: 1_200 }), (emails) => {
				const { accepted, duplicates, invalid } = cleanList(emails);
				const rows = rejectedOf(emails);
				const out = new Set(rows.map(({ index }) => index));
				expect([...out]).toEqual([...out].toSorted((a, b) => a - b));
				expect(emails.length - out.size).toBe(accepted.length);
				expect(rows.filter(({ reason }) => reason === 'duplicate')).toHaveLength(duplicates);
				expect(rows.filter(({ reason }) => reason === 'malformed')).toHaveLength(invalid);
				for (const { index, duplicateOf } of rows)
					if (duplicateOf !== null) expect(duplicateOf).toBeLessThan(index);
			}),
			{ numRuns: 60 },
		);
	});
});
