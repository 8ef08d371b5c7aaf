import { expect, test } from 'vitest';
import { quoteOf } from '../../../src/core/jobs/quote.ts';
import type { QuotedDomain } from '../../../src/core/jobs/quote.ts';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import { quoteList, LOOKED_UP_MAX } from '../../../src/operations/domains/quote-list.ts';
import { noDomain } from '../../../src/engine/describe-domains.ts';
import { ServiceError } from '../../../src/errors.ts';

// POST /v1/quote: what a list will cost and take, by its domains alone.

const at = (operator: QuotedDomain['operator'], addresses: number, isAsked = true): QuotedDomain => ({
	operator,
	addresses,
	isAsked,
});

test('addresses at a provider that accepts everything are not told, free, and take no time', () => {
	expect(quoteOf([at('yahoo', 6_200), at('google', 120)])).toEqual({
		addresses: 6_320,
		expected: {
			told: 120,
			not_told_free: 6_200,
			by_provider: [
				{ provider: 'yahoo', addresses: 6_200, told_at_rcpt: false, minutes: 0 },
				{
					provider: 'google',
					addresses: 120,
					told_at_rcpt: true,
					minutes: 120 / budgetOf('google').recipientsPerMinute,
				},
			],
		},
		maxCredits: 6_320,
		expectedMinutes: 1,
	});
});

test('more than a day takes goes on the next day', () => {
	const { recipientsPerDay } = budgetOf('google');
	expect(quoteOf([at('google', recipientsPerDay + 1)]).expectedMinutes).toBe(1_440);
	expect(quoteOf([at('google', recipientsPerDay)]).expectedMinutes).toBeLessThan(1_440);
});

test('operators of one company share its budget, and hosts of strangers share none', () => {
	const { recipientsPerMinute } = budgetOf('gmx');
	const both = quoteOf([at('gmx', recipientsPerMinute), at('webde', recipientsPerMinute)]);
	expect(both.expected.by_provider.map(({ minutes }) => minutes)).toEqual([1, 1]);
	expect(both.expectedMinutes).toBe(2);
	const other = budgetOf(null).recipientsPerMinute;
	expect(quoteOf([at(null, other), at(null, other)]).expectedMinutes).toBe(1);
});

test('what lists or DNS decide is told, and takes no time', () => {
	expect(quoteOf([at(null, 1_000, false)])).toMatchObject({
		expected: { told: 1_000, not_told_free: 0 },
		expectedMinutes: 0,
	});
});

test('a quote looks up the largest unknown domains alone, and none that a list knows', async () => {
	const asked: string[] = [];
	const services = {
		describeDomains: (names: readonly string[]) => {
			asked.push(...names);
			return Promise.resolve(
				names.map((name) => ({ ...noDomain(name), accepts_mail: true, mx: ['aspmx.l.google.com'] })),
			);
		},
	};
	const shops = Array.from({ length: 2 * LOOKED_UP_MAX }, (_, n) => [`shop-${n}.test`, n + 1] as const);
	const histogram = new Map([
		...shops,
		['Gmail.com', 5],
		['gmail.com', 5],
		['mailinator.com', 3],
		['nonsense', 9],
	]);
	const { addresses, expected } = await quoteList(services, histogram);
	expect(asked).toEqual(
		shops
			.toReversed()
			.slice(0, LOOKED_UP_MAX)
			.map(([name]) => name),
	);
	expect(addresses).toBe(5_050 + 10 + 3);
	expect(expected.by_provider).toMatchObject([
		{ provider: 'google', addresses: 3_775 + 10, told_at_rcpt: true },
		{ provider: null, addresses: 1_275 + 3, told_at_rcpt: null },
	]);
	const out = () => Promise.reject(new ServiceError('upstream_unavailable', 'no resolver'));
	expect(await quoteList({ ...services, describeDomains: out }, histogram)).toMatchObject({ addresses });
});
