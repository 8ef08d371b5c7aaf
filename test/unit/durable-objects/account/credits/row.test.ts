import { describe, expect, test } from 'vitest';
import type { AccountRow } from '../../../../../src/durable-objects/account/credits/row.ts';
import { rowOf, stateOf } from '../../../../../src/durable-objects/account/credits/row.ts';

const SOUND = { granted: 10, consumed: 4, reserved: 6, refunded: 9 };

/** The stored row of an account with these credits. */
const rowWith = (credits: typeof SOUND): AccountRow => ({
	...credits,
	transactions: 3,
	lastTransactionAt: 1_700,
	owner: null,
	suspendedAt: null,
	closedAt: null,
	limits: { batch: 7 },
	windows: { default: { startedAt: 1_500, count: 2 } },
	today: { day: '2026-11-21', keys: {} },
	keptFrom: 1_000,
	deletedChange: 7,
	creditsLow: { below: null, isLow: false, mails: false },
	told: null,
	callback: null,
});

describe('the row of an account', () => {
	test('is written as it was read', () => {
		expect(rowOf(stateOf(rowWith(SOUND)))).toEqual(rowWith(SOUND));
	});

	test.each([
		['more is consumed and reserved than was granted', { ...SOUND, granted: 9 }],
		['less than nothing is reserved', { ...SOUND, reserved: -1 }],
		['a credit is broken', { ...SOUND, consumed: 3.5 }],
	])('is neither read nor written where %s', (_, credits) => {
		expect(() => stateOf(rowWith(credits))).toThrow('Broken promise');
		const damaged = { ...stateOf(rowWith(SOUND)), balance: { ...credits, held: 0 } };
		expect(() => rowOf(damaged)).toThrow('Broken promise');
	});
});
