import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, parsePacks, pricePerThousand } from '../../../src/core/payments/packs.ts';
import { rowsBy } from '../../support/unit/tables.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });

describe('a price table', () => {
	test.each([
		['', []],
		['5000=39EUR', [{ credits: 5_000, price: eur(3_900) }]],
		['5000=39.50EUR', [{ credits: 5_000, price: eur(3_950) }]],
		['1=0.01EUR', [{ credits: 1, price: eur(1) }]],
		[
			'25000=149EUR, 5000=39EUR',
			[
				{ credits: 5_000, price: eur(3_900) },
				{ credits: 25_000, price: eur(14_900) },
			],
		],
		['1000=5000JPY', [{ credits: 1_000, price: { amount: 5_000, currency: 'JPY' } }]],
		['999999999=9999999.99USD', [{ credits: 999_999_999, price: { amount: 999_999_999, currency: 'USD' } }]],
	])('%j is read', (text, packs) => {
		expect(parsePacks(text)).toEqual(packs);
	});

	const NONE = {
		'is a list of CREDITS=PRICE':
			'5000 5000=39 5000=39eur 5000=39.5EUR 0=39EUR -5=39EUR 1000000000=39EUR 5000=-39EUR'.split(' '),
		'a price of nothing': ['5000=0EUR'],
		'a currency that cannot be used: ZZZ': ['5000=39ZZZ'],
		'a currency that cannot be used: KWD': ['5000=39KWD'],
		'a currency that cannot be used: ISK': ['5000=39ISK'],
		'decimals, which JPY has not': ['1000=5000.00JPY'],
		'more than one currency': ['5000=39EUR 9000=49USD'],
		'names a number of credits twice': ['5000=39EUR 5000=49EUR'],
		'more than 12 packs': [Array.from({ length: 13 }, (_, n) => `${n + 1}=1EUR`).join(' ')],
	};
	test.each(rowsBy<string, string>(NONE))('it %s: %j is none', (why, text) => {
		expect(() => parsePacks(text)).toThrow(why);
	});

	test('formats every amount as it was given', () => {
		const pack = fc.record({
			credits: fc.integer({ min: 1, max: 999_999_999 }),
			amount: fc.integer({ min: 1, max: 999_999_999 }),
		});
		fc.assert(
			fc.property(pack, ({ credits, amount }) => {
				const text = `${credits}=${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}EUR`;
				expect(parsePacks(text)).toEqual([{ credits, price: eur(amount) }]);
				const shown = formatMoney(eur(amount)).replaceAll(/[€,]/g, '');
				expect(Math.round(Number(shown) * 100)).toBe(amount);
			}),
		);
	});
});

test.each([
	[eur(3_900), '€39.00'],
	[eur(149_950), '€1,499.50'],
	[{ amount: 5_000, currency: 'JPY' }, '¥5,000'],
	[{ amount: 1, currency: 'USD' }, '$0.01'],
])('%j is written %s', (money, text) => {
	expect(formatMoney(money)).toBe(text);
});

test('packs can be compared by what a thousand cost', () => {
	expect(pricePerThousand({ credits: 5_000, price: eur(3_900) })).toBe('€7.80');
	expect(pricePerThousand({ credits: 25_000, price: eur(14_900) })).toBe('€5.96');
	expect(pricePerThousand({ credits: 2_000, price: { amount: 5_000, currency: 'JPY' } })).toBe('¥2,500');
});
