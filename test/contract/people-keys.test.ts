import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { hiddenFields } from '../support/visitor.ts';
import { isSignedIn, newPerson, newVisitor } from './people.ts';

// Keys made at the dashboard: what a person does there holds for the next call of the API.

const KEYS = '/dashboard/keys';
const KEY = /ms_live_[0-9A-Za-z]{60,}/;
const service = inject('service');

async function statusOf(apiKey: string): Promise<number> {
	return (await call(service.url, apiKey, 'GET', '/v1/credits')).status;
}

test('is shown once, opens the API, and ends with the next call once it is revoked', async () => {
	const { visitor } = await newPerson();
	const made = await visitor.submit(KEYS, { label: 'Shop' });
	const apiKey = KEY.exec(made.text)?.[0] ?? '';
	expect(await statusOf(apiKey)).toBe(200);
	const { text } = await visitor.get(KEYS);
	expect(text).toContain('Shop');
	expect(text).not.toMatch(KEY);
	const [revoke = ''] = /\/dashboard\/keys\/key_[0-9A-Za-z]+\/revoke/.exec(text) ?? [];
	const wrong = await visitor.submit(revoke, { confirm: 'Other' });
	expect(wrong.status).toBe(422);
	expect(await statusOf(apiKey)).toBe(200);
	expect((await visitor.submit(revoke, { confirm: 'Shop' })).status).toBe(303);
	expect(await statusOf(apiKey)).toBe(401);
});

test('a form sent twice makes one key, and both answers show it', async () => {
	const { visitor } = await newPerson();
	const form = hiddenFields(await visitor.get(KEYS), KEYS);
	const send = async () => visitor.post(KEYS, { ...form, label: 'Shop' });
	const shown = (await Promise.all([send(), send()])).map(({ text }) => KEY.exec(text)?.[0]);
	expect(shown[0]).toMatch(KEY);
	expect(shown[1]).toBe(shown[0]);
	const { text } = await visitor.get(KEYS);
	const ids = new Set([...text.matchAll(/\/dashboard\/keys\/(key_[0-9A-Za-z]+)/g)].map(([, id]) => id));
	expect(ids.size).toBe(1);
});

test('a key of somebody else can be neither seen nor ended', async () => {
	const [{ visitor }, mallory] = [await newPerson(), await newPerson()];
	const made = await visitor.submit(KEYS, { label: 'Shop' });
	const apiKey = KEY.exec(made.text)?.[0] ?? '';
	const [revoke = ''] =
		/\/dashboard\/keys\/key_[0-9A-Za-z]+\/revoke/.exec((await visitor.get(KEYS)).text) ?? [];
	expect((await mallory.visitor.get(revoke)).status).toBe(404);
	const form = hiddenFields(await mallory.visitor.get(KEYS), KEYS);
	expect((await mallory.visitor.post(revoke, { ...form, confirm: 'Shop' })).status).toBe(404);
	expect(await statusOf(apiKey)).toBe(200);
});

test.each([
	KEYS,
	`${KEYS}/key_x/revoke`,
	'/dashboard',
	'/dashboard/credits',
	'/dashboard/credits/2026-10.csv',
	'/dashboard/credits/add',
	'/dashboard/credits/purchases/pur_1',
	'/dashboard/lists',
	'/dashboard/verify',
])('%s is for people who are signed in', async (path) => {
	const stranger = newVisitor();
	const page = await stranger.get(path);
	expect([page.status, page.location]).toEqual([303, `/dashboard/sign-in?next=${encodeURIComponent(path)}`]);
	expect((await stranger.post(path, { label: 'Shop' })).location).toBe('/dashboard/sign-in');
	expect(await isSignedIn(stranger)).toBe(false);
});
