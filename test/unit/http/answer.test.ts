import { expect, test } from 'vitest';
import { credits } from '../../../src/http/schemas/credits.ts';
import { json, successText } from '../../../src/http/endpoint.ts';
import { whole } from '../../../src/http/schemas/fields.ts';

// What a call serves is held to its schema by the compiler: the lines marked here would not compile otherwise.

const CREDITS = {
	balance: 98,
	availableCredits: 98,
	reservedCredits: 0,
	totalPurchased: 100,
	totalConsumed: 2,
	totalRefunded: 0,
	transactionCount: 2,
	lastTransactionAt: '2026-07-01T10:00:08.000Z',
};
const gives = json(200, 'Credits', credits, { meta: { spent: whole } });

test('an answer is the envelope of its call, with the requestId', () => {
	const text = successText(gives, 'req_1', { data: CREDITS, meta: { spent: 1 } });
	expect(JSON.parse(text)).toEqual({ success: true, data: CREDITS, meta: { requestId: 'req_1', spent: 1 } });
});

test('an answer that lacks a field, has another one or one of another type does not compile', () => {
	const { balance, ...rest } = CREDITS;
	const wrong = [
		// @ts-expect-error a field is missing
		successText(gives, 'req_1', { data: rest, meta: { spent: balance } }),
		// @ts-expect-error a field has another type
		successText(gives, 'req_1', { data: { ...CREDITS, balance: '98' }, meta: { spent: 1 } }),
		// @ts-expect-error a field that nobody published
		successText(gives, 'req_1', { data: { ...rest, balance, secret: 1 }, meta: { spent: 1 } }),
		// @ts-expect-error meta is missing
		successText(gives, 'req_1', { data: CREDITS }),
		// @ts-expect-error meta lacks a field
		successText(gives, 'req_1', { data: CREDITS, meta: {} }),
	];
	expect(wrong).toHaveLength(5);
});
