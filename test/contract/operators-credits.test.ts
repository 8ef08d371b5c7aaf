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

	test('with the same id again changes nothing, also at the same time', async () => {
		const { accountId, apiKey } = await makeAccount(service, 5);
		const answers = await Promise.all(
			Array.from({ length: 4 }, () => grantTo(accountId, { id: 'invoice-2', credits: 10 })),
		);
		const repeated = answers.map((answer) => dataOf(answer)['repeated']);
		expect(repeated.filter((word) => word === false)).toHaveLength(1);
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 15, transactionCount: 2 });
		expect(dataOf(await grantTo(accountId, { id: 'invoice-2', credits: 10 }))).toMatchObject({
			repeated: true,
		});
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 15, transactionCount: 2 });
	});

	test('with the same id for another amount is a 409 that changes nothing', async () => {
		const { accountId, apiKey } = await makeAccount(service, 5);
		await grantTo(accountId, { id: 'invoice-3', credits: 10 });
		const before = await balanceOf(apiKey);
		expect(
			expectFailure(await grantTo(accountId, { id: 'invoice-3', credits: 11 }), 409, 'grant_id_reused'),
		).toContain('10');
		expect(await balanceOf(apiKey)).toEqual(before);
	});

	test('ids belong to an account: another one may use the same', async () => {
		const [one, two] = [await makeAccount(service, 0), await makeAccount(service, 0)];
		dataOf(await grantTo(one.accountId, { id: 'invoice-4', credits: 1 }));
		expect(dataOf(await grantTo(two.accountId, { id: 'invoice-4', credits: 2 }))).toMatchObject({
			repeated: false,
		});
		expect([await balanceOf(one.apiKey), await balanceOf(two.apiKey)]).toMatchObject([
			{ balance: 1 },
			{ balance: 2 },
		]);
	});

	test('of a negative number takes credits back, down to nothing', async () => {
		const { accountId, apiKey } = await makeAccount(service, 5);
		dataOf(await grantTo(accountId, { id: 'correction-1', credits: -2 }));
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 3, availableCredits: 3 });
		dataOf(await grantTo(accountId, { id: 'correction-2', credits: -3 }));
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 0, availableCredits: 0 });
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

	test('of more than is there to take back is a 409 that changes nothing', async () => {
		const { accountId, apiKey } = await makeAccount(service, 5);
		const before = await balanceOf(apiKey);
		expect(
			expectFailure(await grantTo(accountId, { id: 'too-much', credits: -6 }), 409, 'credits_spent'),
		).toContain('5');
		expect(await balanceOf(apiKey)).toEqual(before);
		// The id was not used up by the refusal.
		dataOf(await grantTo(accountId, { id: 'too-much', credits: -5 }));
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 0 });
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
