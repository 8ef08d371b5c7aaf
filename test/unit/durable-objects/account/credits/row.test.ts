import { describe, expect, test } from 'vitest';
import { stateOf, valuesOf } from '../../../../../src/durable-objects/account/credits/row.ts';

/** The stored row of an account with these credits. */
function rowOf(credits: Readonly<Record<'granted' | 'consumed' | 'reserved' | 'refunded', number>>) {
	return {
		...credits,
		transactions: 3,
		last_transaction_at: 1_700,
		owner: null,
		limits: '{"batch":7}',
		windows: '{"default":{"startedAt":1500,"count":2}}',
		today: '{"day":"2026-11-21","keys":{}}',
		ledger: '{"keptFrom":1000,"deleted":7}',
	};
}

const SOUND = { granted: 10, consumed: 4, reserved: 6, refunded: 9 };

describe('the row of an account', () => {
	test('is written as it was read', () => {
		const row = rowOf(SOUND);
		expect(valuesOf(stateOf({ id: 1, ...row, open: '[]' }))).toEqual(Object.values(row));
	});

	test.each([
		['more is consumed and reserved than was granted', { ...SOUND, granted: 9 }],
		['less than nothing is reserved', { ...SOUND, reserved: -1 }],
		['a credit is broken', { ...SOUND, consumed: 3.5 }],
	])('is neither read nor written where %s', (_, credits) => {
		expect(() => stateOf(rowOf(credits))).toThrow('Broken promise');
		expect(() => valuesOf({ ...stateOf(rowOf(SOUND)), balance: { ...credits, held: 0 } })).toThrow(
			'Broken promise',
		);
	});
});
