import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { expectFailure } from './api.ts';
import { ALL_SCOPES, newKey, newPerson } from './people.ts';

// Keys made at the dashboard: what a person does there holds for the next call of the API.

const API = '/dashboard/api';
const KEY = /ms_(?:live|test)_[0-9A-Za-z]{60,}/;
const service = inject('service');

async function statusOf(apiKey: string): Promise<number> {
	return (await call(service.url, apiKey, 'GET', '/v1/credits')).status;
}

test.each(['live', 'test'])(
	'one that is %s is shown once, opens the API, and ends with the next call once it is revoked',
	async (mode) => {
		const { visitor } = await newPerson();
		const made = await visitor.submit(API, { ...ALL_SCOPES, mode, label: 'Till  and Shop' });
		const apiKey = KEY.exec(made.text)?.[0] ?? '';
		expect(apiKey).toMatch(`ms_${mode}_`);
		expect(await statusOf(apiKey)).toBe(200);
		const { text } = await visitor.get(API);
		expect(text).toContain('Shop');
		expect(text).not.toMatch(KEY);
		const [revoke = ''] = /\/dashboard\/keys\/key_[0-9A-Za-z]+\/revoke/.exec(text) ?? [];
		const wrong = await visitor.submit(revoke, { confirm: 'Other' });
		expect(wrong.status).toBe(422);
		expect(await statusOf(apiKey)).toBe(200);
		// A browser shows two spaces as one.
		expect((await visitor.submit(revoke, { confirm: 'Till and Shop' })).status).toBe(303);
		expect(await statusOf(apiKey)).toBe(401);
	},
);

// What each scope opens: test/unit/keys/scopes.test.ts.
test('one that may only read is refused by other calls with a 403 that says what is missing', async () => {
	const { visitor } = await newPerson();
	const apiKey = await newKey(visitor, { scope_read: 'yes' });
	const ask = (method: string, path: string, body?: object) => call(service.url, apiKey, method, path, body);
	expect((await ask('GET', '/v1/jobs')).status).toBe(200);
	for (const [path, body] of [
		['/v1/verify', { email: 'ada@inbox.test' }],
		['/v1/verify-batch', { emails: ['ada@inbox.test'] }],
	] as const)
		expectFailure(await ask('POST', path, body), 403, 'key_scope');
	expect((await visitor.get(API)).text).toContain(`ms_live_…${apiKey.slice(-4)}`);
});

test.each(['keys', 'webhooks'])('the page where %s stood leads to theirs', async (part) => {
	const { visitor } = await newPerson();
	expect((await visitor.get(`/dashboard/${part}`)).location).toBe(`${API}#${part}`);
});

test('is made for something, and until a day that is still to come', async () => {
	const { visitor } = await newPerson();
	const none = await visitor.submit(API, { label: 'Shop' });
	expect([none.status, none.text]).toEqual([422, expect.stringContaining('Choose at least one scope')]);
	const over = { ...ALL_SCOPES, label: 'Shop', expiry: 'date', until: '2020-01-31' };
	const late = await visitor.submit(API, over);
	expect([late.status, late.text]).toEqual([422, expect.stringContaining('Choose a day from today on')]);
	// What was chosen stays, so that only the mistake has to be corrected.
	expect(late.text).toContain('value="2020-01-31"');
	const good = await visitor.submit(API, { ...over, expiry: '30' });
	expect(await statusOf(KEY.exec(good.text)?.[0] ?? '')).toBe(200);
});

test('has another label once its owner gave it one, in the ledger too', async () => {
	const { visitor } = await newPerson();
	const apiKey = await newKey(visitor);
	const [page = ''] = /\/dashboard\/keys\/key_[0-9A-Za-z]+/.exec((await visitor.get(API)).text) ?? [];
	expect((await visitor.submit(page, { label: ' ' })).status).toBe(422);
	expect((await visitor.submit(page, { label: 'Till' })).status).toBe(303);
	await call(service.url, apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' });
	expect((await visitor.get(API)).text).not.toContain('Shop');
	expect((await visitor.get('/dashboard/credits')).text).toContain('Till');
});
