import { describe, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure } from './api.ts';
import type { Answer } from './api.ts';
import { dataOf, ops } from './operator.ts';
import { newPerson } from './people.ts';

const service = inject('service');

async function grantTo(accountId: string, body: unknown): Promise<Answer> {
	return ops('POST', `/accounts/${accountId}/grants`, body);
}

describe('granting credits', () => {
	test('adds them at once, and tells the new balance', async () => {
		const { accountId, apiKey } = await makeAccount(service, 5);
		const data = dataOf(await grantTo(accountId, { id: 'invoice-1', credits: 10 }));
		expect(data).toEqual({ credits: await balanceOf(apiKey), repeated: false });
		expect(data['credits']).toMatchObject({ balance: 15, totalPurchased: 15, transactionCount: 2 });
	});

	test('under an id of another amount, or of more than is there to take back, is a 409 that changes nothing', async () => {
		const { accountId, apiKey } = await makeAccount(service, 5);
		await grantTo(accountId, { id: 'invoice-3', credits: 10 });
		const before = await balanceOf(apiKey);
		for (const [body, code, says] of [
			[{ id: 'invoice-3', credits: 11 }, 'grant_id_reused', '10'],
			[{ id: 'too-much', credits: -16 }, 'credits_spent', '15'],
		] as const)
			expect(expectFailure(await grantTo(accountId, body), 409, code)).toContain(says);
		expect(await balanceOf(apiKey)).toEqual(before);
		// The id was not used up by the refusal.
		dataOf(await grantTo(accountId, { id: 'too-much', credits: -15 }));
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 0 });
	});

	test('to an account that its owner deleted is a 409 that says so', async () => {
		const { visitor, email } = await newPerson();
		const found = dataOf(await ops('POST', '/find-accounts', { email }));
		const [{ accountId } = { accountId: '' }] = found['accounts'] as { accountId: string }[];
		const page = '/dashboard/settings/delete';
		expect((await visitor.submit(page, { confirm: email })).status).toBe(303);
		expect(expectFailure(await grantTo(accountId, { id: 'late', credits: 1 }), 409)).toContain('closed');
		const { credits } = dataOf(await ops('GET', `/accounts/${accountId}`));
		expect(credits).toMatchObject({ balance: 0, availableCredits: 0 });
	});

	test('is refused with a 400 for what is no grant, and changes nothing', async () => {
		const { accountId, apiKey } = await makeAccount(service, 5);
		const before = await balanceOf(apiKey);
		for (const body of [
			{},
			{ id: 'x' },
			{ credits: 1 },
			{ id: '', credits: 1 },
			{ id: 'two words', credits: 1 },
			{ id: 'ümlaut', credits: 1 },
			{ id: 'x'.repeat(129), credits: 1 },
			{ id: 'x', credits: 0 },
			{ id: 'x', credits: 0.5 },
			{ id: 'x', credits: '1' },
			{ id: 'x', credits: 1_000_000_001 },
			{ id: 7, credits: 1 },
		]) {
			expectFailure(await grantTo(accountId, body), 400);
		}
		expect(await balanceOf(apiKey)).toEqual(before);
	});
});
