import { describe, expect, test } from 'vitest';
import { stateOf, valuesOf } from '../../../../../src/durable-objects/account/credits/row.ts';

type Entry = readonly [at: number, id: string, keyId: string | null, credits: number];

/** The stored row of an account with these credits reserved and these reservations waiting. */
function rowOf(reserved: number, open: readonly Entry[]) {
	const balance = { granted: 1_000, consumed: 0, reserved, refunded: 0 };
	const books = { transactions: 1, last_transaction_at: null, settled_before: 0 };
	const usage = { limits: '{}', windows: '{}', today: '{"day":"2026-11-21","keys":{}}' };
	return { id: 1, ...balance, ...books, ...usage, open: JSON.stringify(open) };
}

const waiting = (count: number): Entry[] =>
	Array.from({ length: count }, (_, index): Entry => [index, `r${index}`, 'key_1', 1]);

describe('the row of an account', () => {
	test.each<[string, number, readonly Entry[]]>([
		['nothing waits', 0, []],
		['all that is reserved waits', 3, waiting(3)],
		['a job has reserved some, too', 9, waiting(3)],
		['more wait than get in today', 200, waiting(200)],
		[
			'one id waits twice, of two times',
			2,
			[
				[1, 'r', 'key_1', 1],
				[2, 'r', null, 1],
			],
		],
	])('is read and written as it was: %s', (_, reserved, open) => {
		const row = rowOf(reserved, open);
		const { id: _id, last_transaction_at: _none, ...columns } = row;
		expect(valuesOf(stateOf(row)).filter((value) => value !== null)).toEqual(Object.values(columns));
	});

	test.each<[string, number, readonly Entry[]]>([
		['what waits is reserved', 2, waiting(3)],
		[
			'a reservation waits once',
			2,
			[
				[1, 'r', 'key_1', 1],
				[1, 'r', 'key_1', 1],
			],
		],
	])('is neither read nor written where it breaks the promise that %s', (promise, reserved, open) => {
		expect(() => stateOf(rowOf(reserved, open))).toThrow(promise);
		const sound = stateOf(rowOf(1_000, []));
		const lines = open.map(([at, id, keyId, credits]) => {
			return { at, id, keyId, credits, charged: null, closedAt: null };
		});
		const broken = { ...sound, balance: { ...sound.balance, reserved }, open: lines };
		expect(() => valuesOf(broken)).toThrow(promise);
	});
});
