import * as z from 'zod';
import type { BalanceView } from '../../core/credits/balance.ts';
import { component, count, inCredits, time, timestamp } from './fields.ts';

export const CREDITS = {
	balance: 98,
	availableCredits: 98,
	reservedCredits: 0,
	totalPurchased: 100,
	totalConsumed: 2,
	totalRefunded: 0,
	transactionCount: 2,
	lastTransactionAt: '2026-07-01T10:00:08.000Z',
} as const;

export const credits = component('Credits', 'The credits of the account', CREDITS, {
	balance: inCredits('availableCredits + reservedCredits = totalPurchased - totalConsumed'),
	availableCredits: inCredits('What new work can use'),
	reservedCredits: inCredits('Set aside for work in progress'),
	totalPurchased: inCredits('Every grant since the account was made, the trial too'),
	totalConsumed: z
		.int()
		.openapi({ format: 'int64' })
		.describe('Charged since the account was made, less refunds, in credits'),
	totalRefunded: inCredits('Given back for each `unknown`; for information'),
	transactionCount: count('Lines of the ledger'),
	lastTransactionAt: time.nullable().describe('When the last of them was written; null: there is none'),
});

/** The balance in the API's form. */
export function renderBalance(balance: BalanceView): z.infer<typeof credits> {
	return { ...balance, lastTransactionAt: timestamp(balance.lastTransactionAt) };
}
