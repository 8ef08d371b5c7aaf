import { expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, verified, verify } from './api.ts';
import { grant } from './operator.ts';

// GET /v1/credits

const service = inject('service');

// Every balance that a test reads adds up: api.ts.
test('each kind of outcome is in the balance, which says what is left', async () => {
	const { accountId, apiKey } = await makeAccount(service, 4);
	const outcomes: [address: string, consumed: number, refunded: number, transactions: number][] = [
		['ada@inbox.test', 1, 0, 2],
		['nobody@inbox.test', 2, 0, 3],
		['ada@servfail.test', 2, 1, 4],
		['ada@full.test', 3, 1, 5],
		['ada@catch-all.test', 3, 2, 6],
		['jane.doe@google-catch-all.test', 4, 2, 7],
	];
	for (const [address, totalConsumed, totalRefunded, transactionCount] of outcomes) {
		const { meta } = await verified(apiKey, address);
		const balance = await balanceOf(apiKey);
		expect(balance).toMatchObject({ totalPurchased: 4, totalConsumed, totalRefunded, transactionCount });
		expect(meta.creditsRemaining).toBe(balance.availableCredits);
	}
	expectFailure(await verify(apiKey, 'ada@inbox.test'), 402);
	expectFailure(await verify(apiKey, 'no address'), 400);
	await grant(accountId, { id: 'top-up', credits: 10 });
	const after = await balanceOf(apiKey);
	expect(after).toMatchObject({ balance: 10, totalPurchased: 14, totalConsumed: 4, transactionCount: 8 });
});
