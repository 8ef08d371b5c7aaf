import { expect } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import { call } from '../support/service.ts';
import { eventually } from '../support/patience.ts';

export interface Credits {
	readonly balance: number;
	readonly availableCredits: number;
	readonly reservedCredits: number;
	readonly totalPurchased: number;
	readonly totalConsumed: number;
	readonly totalRefunded: number;
	readonly transactionCount: number;
}

/** The balance; throws when it does not add up, whatever is going on meanwhile. */
export async function readCredits(url: string, apiKey: string): Promise<Credits> {
	const { status, body, text } = await call(url, apiKey, 'GET', '/v1/credits');
	if (status !== 200) throw new Error(`/v1/credits: ${status} ${text}`);
	const credits = (body as { data: Credits }).data;
	expect(credits.balance).toBe(credits.availableCredits + credits.reservedCredits);
	expect(credits.balance).toBe(credits.totalPurchased - credits.totalConsumed);
	for (const figure of [credits.availableCredits, credits.reservedCredits, credits.totalConsumed]) {
		expect(figure).toBeGreaterThanOrEqual(0);
	}
	return credits;
}

/** The balance once nothing is reserved any more. */
export async function settledCredits(url: string, apiKey: string): Promise<Credits> {
	return eventually(async () => {
		const credits = await readCredits(url, apiKey);
		expect(credits.reservedCredits).toBe(0);
		return credits;
	}, 250);
}

/** Nothing is reserved any more, and every credit is accounted for. */
export async function expectExactCredits(
	{ url, apiKey }: { readonly url: string; readonly apiKey: string },
	told: { readonly purchased: number; readonly consumed: number; readonly refunded: number },
): Promise<void> {
	expect(await readCredits(url, apiKey)).toMatchObject({
		totalPurchased: told.purchased,
		totalConsumed: told.consumed,
		totalRefunded: told.refunded,
		reservedCredits: 0,
		availableCredits: told.purchased - told.consumed,
	});
}

/** Sees to it that a test may ask as often as it likes. */
export async function withoutLimits(
	service: { readonly url: string; readonly token: string },
	accountId: string,
): Promise<void> {
	await callOperator(service, 'PATCH', `/accounts/${accountId}/limits`, { default: 1_000_000 });
}
