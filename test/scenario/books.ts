import { expect } from 'vitest';
import { ensureDevVars, operatorToken } from '../../tools/dev-vars.ts';
import { callOperator } from '../../tools/operator-client.ts';

/** Whatever happened to a service: the books of each of its accounts add up. */
export async function expectNothingOff(url: string): Promise<void> {
	const service = { url, token: operatorToken(ensureDevVars()) };
	const { entries } = await callOperator<{ entries: { action: string; accountId: string }[] }>(
		service,
		'GET',
		'/trail',
	);
	const accounts = entries.filter(({ action }) => action === 'account.create');
	expect(accounts.length).toBeGreaterThan(0);
	for (const { accountId } of accounts)
		expect(await callOperator(service, 'GET', `/accounts/${accountId}`)).toMatchObject({ check: [] });
}
