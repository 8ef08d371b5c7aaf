import { expect, test } from 'vitest';
import { judgeSession } from '../../../src/core/payments/purchase.ts';
import type { CheckoutSession, SessionVerdict } from '../../../src/core/payments/purchase.ts';

const AGREED = { amount: 6_950, currency: 'EUR' };
const OPEN: CheckoutSession = {
	id: 'cs_1',
	status: 'open',
	isPaid: false,
	total: AGREED,
	paymentId: null,
	refunded: 0,
	dispute: 'none',
	hasFailed: false,
	receiptUrl: null,
};
const PAID = { status: 'complete', isPaid: true } as const;

test.each<[string, Partial<CheckoutSession>, SessionVerdict]>([
	['not paid yet', {}, 'wait'],
	['gone through, while the bank takes its time', { status: 'complete' }, 'wait'],
	['gone through, and refused by the bank', { status: 'complete', hasFailed: true }, 'end'],
	['expired', { status: 'expired' }, 'end'],
	['paid', PAID, 'grant'],
	['paid at the last moment', { status: 'expired', isPaid: true }, 'grant'],
	['paid, a cent less', { ...PAID, total: { ...AGREED, amount: 6_949 } }, 'review'],
	['paid, a cent more', { ...PAID, total: { ...AGREED, amount: 6_951 } }, 'review'],
	['paid in another currency', { ...PAID, total: { ...AGREED, currency: 'JPY' } }, 'review'],
	['paid, and all but a cent given back', { ...PAID, refunded: 6_949 }, 'review'],
	['paid and disputed', { ...PAID, dispute: 'open' }, 'hold'],
	['disputed while it is given back', { ...PAID, dispute: 'open', refunded: 6_950 }, 'hold'],
	['disputed, and kept', { ...PAID, dispute: 'won' }, 'give_back'],
	['disputed, kept, and then given back', { ...PAID, dispute: 'won', refunded: 6_950 }, 'take_back'],
	['disputed and lost', { ...PAID, dispute: 'lost' }, 'lose'],
	[
		'disputed, and paid with another amount',
		{ ...PAID, dispute: 'open', total: { ...AGREED, amount: 1 } },
		'review',
	],
	['paid and given back', { ...PAID, refunded: 6_950 }, 'take_back'],
])('a checkout that is %s', (_, more, verdict) => {
	expect(judgeSession({ ...OPEN, ...more }, AGREED)).toBe(verdict);
});
