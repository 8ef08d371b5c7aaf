import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partSize, planParts } from '../../../src/core/jobs/plan-parts.ts';
import { publicMailOf } from '../../../src/core/mail-operators/operators.ts';
import { rowsBy } from '../../support/unit/tables.ts';

const at = (domain: string, count: number): string[] =>
	Array.from({ length: count }, (_, index) => `user${index}@${domain}`);
const sizes = (emails: readonly string[]): number[] => planParts(emails).map((part) => part.length);
const domainOf = (email = ''): string => email.slice(email.lastIndexOf('@') + 1);

test.each([
	[1, 10],
	[49, 10],
	[200, 10],
	[201, 11],
	[1_000, 50],
	[4_980, 249],
	[4_981, 250],
	[5_001, 250],
	[50_000, 250],
])('a job of %i addresses has parts of at most %i', (total, size) => {
	expect(partSize(total)).toBe(size);
});

describe('parts', () => {
	test('are sorted by domain, each domain in the order of the list', () => {
		expect(planParts(['z@b.test', 'a@c.test', 'y@a.test', 'x@b.test'])).toEqual([[2, 0, 3, 1]]);
	});

	test('a domain one larger than a part is cut evenly', () => {
		expect(sizes(at('a.test', 11))).toEqual([5, 6]);
	});

	test('an international domain and its A-labels are one domain', () => {
		const emails = [...at('bücher.example', 6), ...at('m.test', 6), ...at('xn--bcher-kva.example', 4)];
		expect(planParts(emails).map((part) => part.map((index) => domainOf(emails[index])))).toEqual([
			at('m.test', 6).map(domainOf),
			[...at('bücher.example', 6), ...at('xn--bcher-kva.example', 4)].map(domainOf),
		]);
	});
});

describe('addresses that wait for the same provider', () => {
	/** The domains of each part. */
	const cutOf = (emails: readonly string[]) =>
		planParts(emails).map((part) => [...new Set(part.map((index) => domainOf(emails[index])))].join(' '));

	test('wait in parts of their own, and the provider with the most is begun first', () => {
		const emails = [
			...at('gmail.com', 21),
			...at('hotmail.de', 6),
			...at('outlook.com', 6),
			...at('a.test', 5),
		];
		expect(cutOf(emails)).toEqual([
			...['gmail.com', 'gmail.com', 'gmail.com'],
			...['hotmail.de', 'outlook.com'],
			'a.test',
		]);
	});

	test.each([
		['nine', 9, ['a.test gmail.com']],
		['ten', 10, ['a.test', 'gmail.com']],
	])('%s are worth a part of their own or not', (_, count, expected) => {
		expect(cutOf([...at('gmail.com', count), 'ada@a.test'])).toEqual(expected);
	});
});

const PUBLIC_MAIL = {
	google: ['gmail.com', 'googlemail.com'],
	outlook: ['outlook.com.br', 'hotmail.co.uk'],
	apple: ['me.com'],
	gmx: ['gmx.de'],
	webde: ['web.de'],
	mailru: ['bk.ru'],
	nobody: ['gmail.ru', 'outlook.example', 'a.gmail.com', 'acme.com', 'com', ''],
};
test.each(rowsBy<string, string>(PUBLIC_MAIL))('%s has the public mail of %j', (operator, domain) => {
	expect(publicMailOf(domain) ?? 'nobody').toBe(operator);
});

// Few domains, some of them large, in any order.
const lists = fc
	.array(fc.tuple(fc.nat(30), fc.constantFrom(1, 2, 5, 9, 10, 11, 30, 260)), { maxLength: 25 })
	.chain((groups) =>
		fc.shuffledSubarray(
			groups.flatMap(([domain, count]) => at(`d${domain}.test`, count)),
			{ minLength: groups.reduce((sum, [, count]) => sum + count, 0) },
		),
	);

test('no address is lost or asked twice, domains are cut only where they are larger than a part, and parts are full', () => {
	fc.assert(
		fc.property(lists, (emails) => {
			const parts = planParts(emails);
			const size = partSize(emails.length);
			expect(parts.flat().toSorted((a, b) => a - b)).toEqual([...emails.keys()]);
			const groups = Map.groupBy(emails, domainOf);
			const held = parts.map((part) => new Set(part.map((index) => domainOf(emails[index]))));
			for (const [domain, { length }] of groups) {
				const holding = held.filter((domains) => domains.has(domain));
				expect(holding).toHaveLength(Math.ceil(length / size));
				// One that was cut shares with no other.
				if (length > size) expect(holding.every((domains) => domains.size === 1)).toBe(true);
			}
			const firstGroup = ([index = -1]: readonly number[]): number =>
				groups.get(domainOf(emails[index]))?.length ?? 0;
			for (const [place, part] of parts.entries()) {
				expect(part.length).toBeGreaterThan(0);
				expect(part.length).toBeLessThanOrEqual(size);
				const next = parts[place + 1];
				// A part is closed only when the next domain does not fit.
				if (next !== undefined && firstGroup(part) <= size)
					expect(part.length + firstGroup(next)).toBeGreaterThan(size);
			}
		}),
	);
});
