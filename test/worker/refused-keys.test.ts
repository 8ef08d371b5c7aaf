import { env } from 'cloudflare:workers';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { compose } from '../../src/compose.ts';
import { createAccount, setSuspended } from '../../src/operations/accounts/accounts.ts';
import { revokeKey } from '../../src/operations/accounts/keys.ts';
import { rowsWrittenBy } from '../support/account-jobs.ts';
import { countingApp } from '../support/billing.ts';

// What a key that opens nothing costs, and whom: the real application and account object.

const used = { objectRequests: 0, objectMs: 0 };
const services = compose(env);
const app = countingApp(services, used);

/** Asks for the balance, or to verify something that is no address. */
async function ask(apiKey: string, path = '/v1/credits', body?: string) {
	const context = createExecutionContext();
	const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
	const init = body === undefined ? { headers } : { method: 'POST', headers, body };
	const response = await app.request(path, init, env, context);
	await response.text();
	await waitOnExecutionContext(context);
	const remaining = Number(response.headers.get('ratelimit-remaining'));
	return { status: response.status, remaining };
}

async function newAccount() {
	const { accountId, apiKey } = await createAccount(services, { email: 'refused@example.com', credits: 5 });
	const stub = env.ACCOUNT.getByName(accountId);
	const [{ id: keyId } = { id: '' }] = (await stub.show()).keys;
	/** Object calls and rows that some requests cost. */
	const costOf = async (work: () => Promise<unknown>) => {
		const [calls, before] = [used.objectRequests, await rowsWrittenBy(stub)];
		await work();
		return { calls: used.objectRequests - calls, rows: (await rowsWrittenBy(stub)) - before };
	};
	return { accountId, apiKey, keyId, stub, costOf };
}

test('a revoked key is refused from memory after its first refusal, and writes no row', async () => {
	const { accountId, apiKey, keyId, costOf } = await newAccount();
	expect((await ask(apiKey)).status).toBe(200);
	await revokeKey(services, accountId, keyId);
	const refused = async () => expect((await ask(apiKey)).status).toBe(401);
	expect(await costOf(refused)).toEqual({ calls: 1, rows: 0 });
	const again = async () => {
		expect((await ask(apiKey)).status).toBe(401);
		expect((await ask(apiKey, '/v1/verify', '{"email":"ada@inbox.test"}')).status).toBe(401);
		expect((await ask(apiKey, '/v1/verify', '{')).status).toBe(401);
		expect((await ask(apiKey, '/v1/nothing')).status).toBe(401);
	};
	expect(await costOf(again)).toEqual({ calls: 0, rows: 0 });
});

test('a key that may be let in again is asked about each time: a suspended account’s', async () => {
	const { accountId, apiKey, costOf } = await newAccount();
	await setSuspended(services, accountId, true);
	const refused = async () => {
		for (let n = 0; n < 3; n += 1) expect((await ask(apiKey)).status).toBe(401);
	};
	expect(await costOf(refused)).toEqual({ calls: 3, rows: 0 });
	await setSuspended(services, accountId, false);
	expect(await ask(apiKey)).toEqual({ status: 200, remaining: 299 });
});

test('an account that is listed and was never opened is not called suspended', async () => {
	const accountId = services.newId('acc');
	await services.directory.insertAccount({ id: accountId, email: 'half@example.com', createdAt: 1 });
	const suspended = setSuspended(services, accountId, true);
	await expect(suspended).rejects.toMatchObject({ code: 'account_not_found' });
	const listed = await services.directory.findAccountsOf(['half@example.com']);
	expect(listed).toMatchObject([{ id: accountId, suspendedAt: null }]);
});
