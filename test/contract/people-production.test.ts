import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { Visitor, hiddenFields } from '../support/visitor.ts';
import { PASSWORD, newEmail } from './people.ts';

// What differs away from a developer's machine: where links lead, and what is not there.

// The mailbox of development is looked into, so it has to be on this machine.
const HOME = 'https://localhost:8443';

/** As deployed, with nothing configured for mail. */
let bare: TestService;
/** With a public address of its own. */
let named: TestService;

beforeAll(async () => {
	[bare, named] = await Promise.all([
		startTestService({ sandbox: null, vars: { DEVELOPMENT: 'false' } }),
		startTestService({ sandbox: null, vars: { PUBLIC_URL: HOME } }),
	]);
});

afterAll(async () => {
	await Promise.all([bare?.remove(), named?.remove()]);
});

describe('in production', () => {
	test('there is no mailbox', async () => {
		expect((await new Visitor(bare.url).get('/dashboard/dev/mailbox')).status).toBe(404);
	});

	test.each([
		['/dashboard/sign-up', { email: newEmail(), password: PASSWORD }],
		['/dashboard/forgotten-password', { email: newEmail() }],
	])('%s is a 503 while no mail can be sent, and does not tell strangers why', async (path, fields) => {
		const page = await new Visitor(bare.url).submit(path, fields);
		expect(page.status).toBe(503);
		expect(page.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
		expect(page.text).not.toMatch(/MAIL_SENDER|PUBLIC_URL/);
		expect(page.text).toMatch(/^<!doctype html>/);
	});
});

describe('Strict-Transport-Security', () => {
	const paths = ['/v1/credits', '/healthz', '/openapi.json', '/nothing', '/dashboard/sign-in', '/docs'];

	test.each(paths)('is said where our own address is https, and nowhere else: %s', async (path) => {
		const said = async ({ url }: TestService) =>
			(await fetch(new URL(path, url))).headers.get('strict-transport-security');
		expect(await said(named)).toBe('max-age=31536000');
		expect(await said(bare)).toBeNull();
	});
});

test('links in mails lead to PUBLIC_URL, whatever host a request names', async () => {
	const visitor = new Visitor(named.url);
	const email = newEmail();
	const form = hiddenFields(await visitor.get('/dashboard/sign-up'), '/dashboard/sign-up');
	const page = await visitor.post('/dashboard/sign-up', { ...form, email, password: PASSWORD });
	expect(page.status).toBe(303);
	await expect
		.poll(async () => (await visitor.get('/dashboard/dev/mailbox')).text)
		.toMatch(new RegExp(`href="${HOME}/dashboard/confirm\\?token=[\\w-]{43}"`));
});
