import { z } from '@hono/zod-openapi';
import type { BalanceView } from '../../core/credits/balance.ts';
import { count, creditCount, time, timestamp } from './fields.ts';

export const credits = z
	.object({
		balance: creditCount.describe(
			'availableCredits + reservedCredits = totalPurchased - totalConsumed, in credits',
		),
		availableCredits: creditCount.describe('What new work can use, in credits'),
		reservedCredits: creditCount.describe('Set aside for work in progress, in credits'),
		totalPurchased: creditCount.describe('Every grant since the account was made, the trial too, in credits'),
		totalConsumed: z
			.int()
			.openapi({ format: 'int64' })
			.describe('Charged since the account was made, less refunds, in credits'),
		totalRefunded: creditCount.describe('Given back for each `unknown`, in credits; for information'),
		transactionCount: count.describe('Lines of the ledger'),
		lastTransactionAt: time.nullable().describe('When the last of them was written; null: there is none'),
	})
	.openapi('Credits', {
		description: 'The credits of the account',
		example: {
			balance: 98,
			availableCredits: 98,
			reservedCredits: 0,
			totalPurchased: 100,
			totalConsumed: 2,
			totalRefunded: 0,
			transactionCount: 2,
			lastTransactionAt: '2026-07-01T10:00:08.000Z',
		},
	});

/** The balance in the API's form. */
export function renderBalance(balance: BalanceView): z.infer<typeof credits> {
	return { ...balance, lastTransactionAt: timestamp(balance.lastTransactionAt) };
}
