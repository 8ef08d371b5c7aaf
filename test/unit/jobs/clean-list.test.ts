import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress } from '../../../src/core/address/parse-address.ts';
import { cleanList, decodeRejected, rejectedPages } from '../../../src/core/jobs/clean-list.ts';

const [composed, decomposed] = ['a@b\u00fccher.example', 'a@bu\u0308cher.example'];
const named = ['Ada <Ada@x.test>', 'mailto:ada@x.test', '"A, B" <b@x.test>'];
test.each<[string, string[], string[], number, number]>([
	['a name before an address', named, ['Ada@x.test', 'b@x.test'], 1, 0],
	['a domain composed and decomposed', [composed, decomposed], [composed], 1, 0],
	['a domain with dots of another width', ['a@b.x.test', 'a@b\u3002x\uff0etest'], ['a@b.x.test'], 1, 0],
	['a fake A-label is no repetition', [composed, 'a@xn--bcher-kvb.example'], [composed], 0, 1],
	['a plus tag is another address', ['a@x.test', 'a+1@x.test'], ['a@x.test', 'a+1@x.test'], 0, 0],
	['a line break inside', ['a@x.test\r\nRCPT TO:<b@x.test>'], [], 0, 1],
	['case beyond ASCII', ['ÄDA@x.test', 'äda@X.test'], ['ÄDA@x.test'], 1, 0],
	['composition decides nothing', ['\u00e4@x.test', 'a\u0308@x.test'], ['ä@x.test', 'ä@x.test'], 0, 0],
])('what is left of a list: %s', (_, emails, accepted, duplicates, invalid) => {
	expect(cleanList(emails)).toMatchObject({ accepted, duplicates, invalid });
});

test.each([
	['address are one', 'Ada@x.test', ['Ada@x.test']],
	['malformed text are as many', 'nobody', []],
])('50,000 copies of one %s', (_, text, accepted) => {
	const copies = Array.from({ length: 50_000 }, () => text);
	expect(cleanList(copies)).toMatchObject({ accepted, invalid: accepted.length === 0 ? 50_000 : 0 });
});

const words = fc.constantFrom('ada', 'Ada', 'bob', 'b.o.b', '', 'a b', 'ä');
const domains = fc.constantFrom('x.test', 'X.Test', 'bücher.example', 'XN--bcher-kva.example', 'x', '');
const spaces = fc.constantFrom('', ' ', '\t');
const emails = fc.array(
	fc
		.tuple(spaces, words, domains, spaces)
		.map(([before, word, domain, after]) => `${before}${word}@${domain}${after}`),
	{ maxLength: 40 },
);
/** Null: it is malformed. */
const keyOf = (text: string): string | null => {
	const parsed = parseAddress(text);
	return parsed.ok ? `${parsed.address.localPart}@${parsed.address.domain}`.toLowerCase() : null;
};
const blanks = fc.array(fc.constantFrom('', ' ', '\n', '\u00a0'), { maxLength: 5 });

test('every element is accepted, a duplicate or invalid, and nothing is two of these', () => {
	fc.assert(
		fc.property(emails, blanks, (list, empty) => {
			const { accepted, duplicates, invalid } = cleanList([...list, ...empty]);
			expect(accepted.length + duplicates + invalid).toBe(list.length + empty.length);
			const keys = list.map(keyOf);
			const firsts = list.filter((_, index) => keys[index] !== null && keys.indexOf(keys[index]!) === index);
			expect(accepted).toEqual(
				firsts.flatMap((text) => {
					const parsed = parseAddress(text);
					return parsed.ok ? [parsed.address.email] : [];
				}),
			);
			expect(invalid).toBe(keys.filter((key) => key === null).length + empty.length);
			expect(duplicates).toBe(keys.filter((key) => key !== null).length - firsts.length);
		}),
	);
});

test('by mailbox, another spelling repeats the first one, by the rules of operators that the domain alone tells', () => {
	const typed = [
		...'j.doe+shop@gmail.com JDoe@googlemail.com jdoe@gmail.com jane+a@outlook.com Jane@outlook.com'.split(
			' ',
		),
		...'j.doe@shop.test jdoe@shop.test J.Doe@SHOP.test nobody'.split(' '),
	];
	const first = ['j.doe+shop@gmail.com', 'jane+a@outlook.com', 'j.doe@shop.test', 'jdoe@shop.test'];
	expect(cleanList(typed, 'mailbox')).toMatchObject({ accepted: first, duplicates: 4, invalid: 1 });
	expect(cleanList(typed).duplicates).toBe(1);
});

test('what cleaning takes out is told in order: what is malformed, and what repeats the place of which', () => {
	const element = fc.constantFrom(
		...['a@x.test', 'A@X.TEST', 'b@x.test', 'x', ' X', '', ' ', 'q"\n@', 'c@b\u00fccher.de'],
		...['Ada <x>', 'Bo <b@x.test>'],
	);
	fc.assert(
		fc.property(fc.array(element, { maxLength: 1_200 }), (list) => {
			const pages = [...rejectedPages(cleanList(list).rejected, list)];
			const rows = pages.flatMap((page) => page.split('\n')).map(decodeRejected);
			const keys = list.map((text) => cleanList([text]).accepted[0]?.toLowerCase());
			const expected = list.flatMap((value, index): unknown[] => {
				if (keys[index] === undefined) return [{ index, value, reason: 'malformed', duplicateOf: null }];
				const duplicateOf = keys.indexOf(keys[index]);
				return duplicateOf === index ? [] : [{ index, value, reason: 'duplicate', duplicateOf }];
			});
			expect(rows).toEqual(expected);
		}),
		{ numRuns: 60 },
	);
});
