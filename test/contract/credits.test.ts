import { expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, verified, verify } from './api.ts';
import type { Balance } from './api.ts';
import { grant } from './operator.ts';

// GET /v1/credits

const service = inject('service');

/** What the contract promises of every balance. */
function expectToAddUp(balance: Balance): void {
	const { lastTransactionAt, ...numbers } = balance;
	for (const [name, value] of Object.entries(numbers)) {
		expect(Number.isSafeInteger(value) && value >= 0, `${name} is ${value}`).toBe(true);
	}
	expect(balance.balance).toBe(balance.availableCredits + balance.reservedCredits);
	expect(balance.balance).toBe(balance.totalPurchased - balance.totalConsumed);
	expect(lastTransactionAt === null).toBe(balance.transactionCount === 0);
}

test('after every kind of outcome the balance still adds up', async () => {
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
		expectToAddUp(balance);
		expect(balance).toMatchObject({ totalPurchased: 4, totalConsumed, totalRefunded, transactionCount });
		expect(meta.creditsRemaining).toBe(balance.availableCredits);
	}
	expectFailure(await verify(apiKey, 'ada@inbox.test'), 402);
	expectFailure(await verify(apiKey, 'no address'), 400);
	expectToAddUp(await balanceOf(apiKey));
	await grant(accountId, { id: 'top-up', credits: 10 });
	const after = await balanceOf(apiKey);
	expectToAddUp(after);
	expect(after).toMatchObject({ balance: 10, totalPurchased: 14, totalConsumed: 4, transactionCount: 8 });
});

test('a verification on its way shows as a reserved credit, and its end releases it', async () => {
	const { apiKey } = await makeAccount(service, 3);
	// This server takes two seconds to each reply, over a connection that is open as well. so there is time to look.
	const running = verified(apiKey, 'ada@postscreen.test');
	const balances: Balance[] = [];
	await expect
		.poll(async () => {
			balances.push(await balanceOf(apiKey));
			return balances.at(-1);
		})
		.toMatchObject({ balance: 3, availableCredits: 2, reservedCredits: 1, totalConsumed: 0 });
	await running;
	balances.forEach(expectToAddUp);
	expect(await balanceOf(apiKey)).toMatchObject({ balance: 2, availableCredits: 2, reservedCredits: 0 });
});
