import type { z } from '@hono/zod-openapi';
import type { BalanceView } from '../core/credits/balance-view.ts';
import { timestamp } from './render-job.ts';
import type { credits } from './schemas.ts';

/** The balance in the API's form. */
export function renderBalance(balance: BalanceView): z.infer<typeof credits> {
	return { ...balance, lastTransactionAt: timestamp(balance.lastTransactionAt) };
}
