import { expect, inject } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import { call, makeAccount } from '../support/service.ts';
import type { Answer } from './api.ts';

// The operators' API as functions.

/** Calls /ops with the operator's token, or with another one. */
export async function ops(
	method: string,
	path: string,
	body?: unknown,
	token: string | null = inject('service').token,
	headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
	return call(inject('service').url, token, method, `/ops${path}`, body, headers);
}

async function done(answer: Promise<Answer>): Promise<void> {
	const { status, text } = await answer;
	if (status !== 200) throw new Error(`The operators' API answered ${status}: ${text}`);
}

export async function grant(accountId: string, body: { id: string; credits: number }): Promise<void> {
	await done(ops('POST', `/accounts/${accountId}/grants`, body));
}

export async function setLimits(accountId: string, limits: Record<string, number>): Promise<void> {
	await done(ops('PATCH', `/accounts/${accountId}/limits`, limits));
}

/** The ids of an account's keys. */
export async function keysOf(accountId: string): Promise<string[]> {
	const { body } = await ops('GET', `/accounts/${accountId}`);
	return (body as { data: { keys: { id: string }[] } }).data.keys.map(({ id }) => id);
}

/** The credits of the account of an address. */
export async function creditsOf(email: string) {
	const service = inject('service');
	type Found = { accounts: readonly { accountId: string }[] };
	const { accounts } = await callOperator<Found>(service, 'POST', '/find-accounts', { email });
	type Shown = { credits: { balance: number; transactionCount: number } };
	return (await callOperator<Shown>(service, 'GET', `/accounts/${accounts[0]?.accountId}`)).credits;
}

/** Revokes the account's only key. */
export async function revokeKeyOf(accountId: string): Promise<void> {
	const [keyId = ''] = await keysOf(accountId);
	await done(ops('POST', `/accounts/${accountId}/keys/${keyId}/revoke`));
}

/** The `data` of a success. */
export function dataOf(answer: Answer, status = 200): Record<string, unknown> {
	expect(answer.status, answer.text).toBe(status);
	expect(answer.body).toMatchObject({ success: true, meta: { requestId: expect.stringMatching(/\S/) } });
	return (answer.body as { data: Record<string, unknown> }).data;
}

/** Opens an account as an operator does. */
export async function create(body: object): Promise<{ accountId: string; apiKey: string }> {
	const data = dataOf(await ops('POST', '/accounts', body), 201);
	expect(data).toEqual({
		accountId: expect.stringMatching(/^acc_[0-9A-Za-z]+$/),
		apiKey: expect.stringMatching(/^ms_live_[0-9A-Za-z]+$/),
	});
	return data as { accountId: string; apiKey: string };
}

/** A key for tests, and the live one of its account. */
export async function newTestKey(credits = 1) {
	const { accountId, apiKey: liveKey } = await makeAccount(inject('service'), credits);
	const made = dataOf(await ops('POST', `/accounts/${accountId}/test-keys`, { label: 'Tests' }), 201);
	return { accountId, liveKey, apiKey: String(made['apiKey']) };
}
