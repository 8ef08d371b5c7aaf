import { expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';

const service = inject('service');

test('the balance of a new account is its grant, all of it available', async () => {
	const { apiKey } = await makeAccount(service, 250);
	const { status, body } = await call(service.url, apiKey, 'GET', '/v1/credits');
	expect(status).toBe(200);
	expect(body).toMatchObject({ success: true, data: { balance: 250, availableCredits: 250 } });
});
