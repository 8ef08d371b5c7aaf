import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	EMPTY_BALANCE,
	assertBalance,
	available,
	grant,
	refund,
	reserve,
	settle,
	settleCall,
	withdraw,
} from '../../../src/core/credits/balance.ts';
import type { Balance } from '../../../src/core/credits/balance.ts';

/** An account in the words of a test, with every reservation that is still open. */
interface Books {
	balance: Balance;
	open: number[];
	granted: number;
	withdrawn: number;
	charged: number;
	refunded: number;
}

type Step = (books: Books) => void;

const credits = fc.nat({ max: 50 });
const grants: fc.Arbitrary<Step> = credits.map((amount) => (books) => {
	books.balance = grant(books.balance, amount);
	books.granted += amount;
});
const withdrawals: fc.Arbitrary<Step> = fc.integer({ min: 1, max: 50 }).map((amount) => (books) => {
	const after = withdraw(books.balance, amount);
	expect(after === null).toBe(amount > available(books.balance));
	if (after === null) return;
	books.balance = after;
	books.withdrawn += amount;
});
const reservations: fc.Arbitrary<Step> = credits.map((amount) => (books) => {
	const after = reserve(books.balance, amount);
	expect(after === null).toBe(amount > available(books.balance));
	if (after === null) return;
	books.balance = after;
	books.open.push(amount);
});
const settlements: fc.Arbitrary<Step> = fc
	.tuple(fc.nat(), fc.nat(), fc.nat())
	.map(([which, charge, giveBack]) => (books) => {
		if (books.open.length === 0) return;
		const [reserved = 0] = books.open.splice(which % books.open.length, 1);
		const charged = charge % (reserved + 1);
		const refunded = giveBack % (reserved - charged + 1);
		books.balance = settle(books.balance, { reserved, charged, refunded });
		books.charged += charged;
		books.refunded += refunded;
	});

test.each([
	['more is consumed and reserved than was granted', { granted: 9 }],
	['less than nothing is reserved', { reserved: -1 }],
	['a credit is broken', { consumed: 3.5 }],
])('an account is neither read nor written where %s', (_, damage) => {
	const sound = { ...EMPTY_BALANCE, granted: 10, consumed: 4, reserved: 6, refunded: 9 };
	expect(assertBalance(sound)).toBe(sound);
	expect(() => assertBalance({ ...sound, ...damage })).toThrow('Broken promise');
});

test('no sequence of grants, withdrawals, reservations and settlements creates or destroys a credit', () => {
	const steps = fc.array(fc.oneof(grants, withdrawals, reservations, settlements), { maxLength: 40 });
	fc.assert(
		fc.property(steps, (list) => {
			const books: Books = {
				balance: EMPTY_BALANCE,
				open: [],
				granted: 0,
				withdrawn: 0,
				charged: 0,
				refunded: 0,
			};
			for (const step of list) {
				step(books);
				const setAside = books.open.reduce((sum, amount) => sum + amount, 0);
				expect(books.balance).toEqual({
					granted: books.granted - books.withdrawn,
					consumed: books.charged,
					reserved: setAside,
					held: 0,
					refunded: books.refunded,
				});
				expect(available(books.balance)).toBe(books.granted - books.withdrawn - books.charged - setAside);
				expect(available(books.balance)).toBeGreaterThanOrEqual(0);
			}
		}),
		{ numRuns: 150 },
	);
});

const FIVE = grant(EMPTY_BALANCE, 5);

const reserved = reserve(FIVE, 2) ?? FIVE;

test.each([
	{ reserved: 2, charged: 3, refunded: 0 },
	{ reserved: 2, charged: 1, refunded: 2 },
	{ reserved: 2, charged: -1, refunded: 0 },
	{ reserved: 2, charged: 0, refunded: -1 },
	{ reserved: 2, charged: 0.5, refunded: 0 },
	{ reserved: 3, charged: 0, refunded: 0 },
])('a settlement of %j is a bug', (settlement) => {
	expect(() => settle(reserved, settlement)).toThrow('Broken promise');
});

test('a call that is settled is charged only what is available', () => {
	const held = { ...FIVE, reserved: 3, held: 2 };
	expect(available(held)).toBe(0);
	expect(settleCall(held, { charged: 1, refunded: 0 })).toEqual({ balance: held, charged: 0 });
	const ended = { ...held, held: 1 };
	expect(settleCall(ended, { charged: 1, refunded: 0 })).toEqual({
		balance: { ...ended, consumed: 1 },
		charged: 1,
	});
	expect(settleCall(ended, { charged: 0, refunded: 1 }).balance).toEqual({ ...ended, refunded: 1 });
});

test('what was charged is given back once, and no more than was charged', () => {
	const charged = settle(reserve(FIVE, 3) ?? FIVE, { reserved: 3, charged: 2, refunded: 1 });
	expect(refund(charged, 2)).toEqual({ ...EMPTY_BALANCE, granted: 5, refunded: 3 });
	expect(available(refund(charged, 2))).toBe(5);
	expect(() => refund(charged, 3)).toThrow('consumed');
	expect(() => refund(charged, -1)).toThrow('Broken promise');
});

describe('amounts that are none', () => {
	test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%d', (amount) => {
		expect(() => grant(EMPTY_BALANCE, amount)).toThrow('Broken promise');
		expect(() => reserve(FIVE, amount)).toThrow('Broken promise');
		expect(() => withdraw(FIVE, amount)).toThrow('Broken promise');
	});

	test('taking back nothing is a mistake, granting nothing changes nothing, and what cannot be counted is not granted', () => {
		expect(() => withdraw(FIVE, 0)).toThrow('Broken promise');
		expect(grant(FIVE, 0)).toEqual(FIVE);
		expect(() => grant(grant(EMPTY_BALANCE, Number.MAX_SAFE_INTEGER), 1)).toThrow('granted');
	});
});
