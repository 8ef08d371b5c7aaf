import { describe, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { call } from '../support/service.ts';
import { balanceOf, expectFailure } from './api.ts';
import type { Answer } from './api.ts';

// POST /v1/verify with an Idempotency-Key.

const service = inject('service');
const send = (apiKey: string, email: string, key: string): Promise<Answer> =>
	call(service.url, apiKey, 'POST', '/v1/verify', { email }, { 'idempotency-key': key });

describe('a verification under an Idempotency-Key', () => {
	test('is repeated byte for byte, and costs once', async () => {
		const { apiKey } = await makeAccount(service, 2);
		const first = await send(apiKey, 'ada@inbox.test', 'k 1');
		expect([first.status, first.headers.get('idempotent-replayed')], first.text).toEqual([200, null]);
		const again = await send(apiKey, 'ada@inbox.test', 'k 1');
		expect([again.status, again.text]).toEqual([200, first.text]);
		expect(again.headers.get('idempotent-replayed')).toBe('true');
		expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
		expect(await balanceOf(apiKey)).toMatchObject({
			availableCredits: 1,
			totalConsumed: 1,
			reservedCredits: 0,
		});
	});

	test('in racing requests is one answer and one charge, also with a single credit: the others come again', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const answers = await Promise.all(
			Array.from({ length: 5 }, () => send(apiKey, 'ada@tarpit.test', 'race')),
		);
		const [first, ...others] = answers.toSorted((a, b) => a.status - b.status);
		expect(first?.status).toBe(200);
		for (const other of others) {
			expectFailure(other, 409, 'request_in_progress');
			expect(Number(other.headers.get('retry-after'))).toBeGreaterThan(0);
		}
		const again = await send(apiKey, 'ada@tarpit.test', 'race');
		expect([again.status, again.text]).toEqual([200, first?.text]);
		expect(again.headers.get('idempotent-replayed')).toBe('true');
		expect(await balanceOf(apiKey)).toMatchObject({ totalConsumed: 1, reservedCredits: 0 });
	});

	test('with another address is a 409, and only a 200 is remembered', async () => {
		const [{ apiKey }, poor] = [await makeAccount(service, 2), await makeAccount(service, 0)];
		expectFailure(await send(poor.apiKey, 'ada@inbox.test', 'k'), 402, 'insufficient_credits');
		expectFailure(await send(apiKey, 'nobody', 'k'), 400, 'malformed_email');
		expect((await send(apiKey, 'ada@inbox.test', 'k')).status).toBe(200);
		expectFailure(await send(apiKey, 'bob@inbox.test', 'k'), 409, 'idempotency_key_reused');
		expect(await balanceOf(apiKey)).toMatchObject({ totalConsumed: 1 });
	});

	test('whose key is none is a 400 that costs nothing', async () => {
		const { apiKey } = await makeAccount(service, 1);
		for (const key of ['', 'k'.repeat(256), 'schl\u00fcssel'])
			expectFailure(await send(apiKey, 'ada@inbox.test', key), 400, 'invalid_idempotency_key');
		expect(await balanceOf(apiKey)).toMatchObject({ totalConsumed: 0, reservedCredits: 0 });
	});
});
