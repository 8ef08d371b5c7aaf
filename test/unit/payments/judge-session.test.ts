import { expect, test } from 'vitest';
import { judgeSession } from '../../../src/core/payments/purchase.ts';
import type { CheckoutSession, PurchaseState } from '../../../src/core/payments/purchase.ts';

const AGREED = { amount: 6_950, currency: 'EUR' };
const OPEN: CheckoutSession = {
	status: 'open',
	isPaid: false,
	total: AGREED,
	refunded: 0,
	hasFailed: false,
	receiptUrl: null,
};
const PAID = { status: 'complete', isPaid: true } as const;

test.each<[string, Partial<CheckoutSession>, PurchaseState]>([
	['not paid yet', {}, 'open'],
	['gone through, while the bank takes its time', { status: 'complete' }, 'open'],
	['gone through, and refused by the bank', { status: 'complete', hasFailed: true }, 'ended'],
	['expired', { status: 'expired' }, 'ended'],
	['paid', PAID, 'paid'],
	['paid at the last moment', { status: 'expired', isPaid: true }, 'paid'],
	['paid, a cent less', { ...PAID, total: { ...AGREED, amount: 6_949 } }, 'review'],
	['paid, a cent more', { ...PAID, total: { ...AGREED, amount: 6_951 } }, 'review'],
	['paid in another currency', { ...PAID, total: { ...AGREED, currency: 'JPY' } }, 'review'],
	['paid, and all but a cent given back', { ...PAID, refunded: 6_949 }, 'review'],
	['paid and given back', { ...PAID, refunded: 6_950 }, 'refunded'],
])('a checkout that is %s', (_, more, state) => {
	expect(judgeSession({ ...OPEN, ...more }, AGREED)).toBe(state);
});
