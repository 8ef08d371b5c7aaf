import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readDevVars } from '../../tools/dev-vars.ts';
import { completed } from '../contract/jobs-api.ts';
import { awaitCode } from '../contract/people.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { Visitor } from '../support/visitor.ts';
import { create } from './access.ts';
import { eventually } from '../support/patience.ts';

// A life of the service with every kind of refusal and failure in it. Then all that it wrote for its operators is searched
// for what must never be there.

const MARK = `marked${randomBytes(6).toString('hex')}`;
/** What nobody but its owner may read, named for the message of a failure. */
const secrets = new Map<string, string>();

let service: TestService;
let written = '';
let restore = (): void => {};

beforeAll(async () => {
	const writing = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
		written += chunk.toString();
		return true;
	});
	restore = () => writing.mockRestore();
	service = await startTestService({ output: 'show' });
});
afterAll(async () => {
	restore();
	await service?.remove();
});

const prober = () => {
	if (service.prober === null) throw new Error('the service has a prober of its own');
	return service.prober;
};

/** What the prober tells whoever runs it. */
async function toldByProber(): Promise<string> {
	const { url, token } = prober();
	const headers = { authorization: `Bearer ${token}` };
	const texts = ['/metrics', '/state', '/healthz'].map(async (path) => {
		const response = await fetch(new URL(path, url), { headers });
		expect(response.status, path).toBe(200);
		return response.text();
	});
	return (await Promise.all(texts)).join('\n');
}

test('neither logs, nor metrics, nor states, nor errors hold an address, a password, a key or a secret', async () => {
	const { apiKey } = await makeAccount(service, 100);
	const access = { url: service.url, apiKey };
	secrets.set('an API key', apiKey).set('the operators’ token', service.token);
	secrets.set('the prober’s token', prober().token);
	secrets.set('the signing secret', (readDevVars()['KEY_SIGNING_SECRET'] ?? '').split(':').at(-1) ?? '');
	const errors: string[] = [];
	const told: string[] = [];
	const ask = async (
		key: string | null,
		method: string,
		path: string,
		sent?: unknown,
		headers: Readonly<Record<string, string>> = {},
	): Promise<number> => {
		const { status, text } = await call(service.url, key, method, path, sent, headers);
		(status >= 400 ? errors : told).push(text);
		return status;
	};

	// What works.
	expect(await ask(apiKey, 'POST', '/v1/verify', { email: `${MARK}@inbox.test` })).toBe(200);
	const emails = ['inbox', 'catch-all', 'greylist', 'no-such-domain'].map((name) => `${MARK}@${name}.test`);
	const jobId = await create(access, '/v1/verify-batch', { emails, name: MARK });
	const hook = await call(service.url, apiKey, 'POST', '/v1/webhooks', { url: `https://shop.test/${MARK}` });
	const { webhookId, secret } = (hook.body as { data: Record<string, string> }).data;
	secrets.set('the secret of a webhook', secret ?? '');
	expect(await ask(apiKey, 'POST', `/v1/webhooks/${webhookId}/test`)).toBeLessThan(300);
	expect(await ask(apiKey, 'POST', '/v1/feedback', { outcomes: [] })).toBeLessThan(500);

	// People.
	const visitor = new Visitor(service.url);
	const email = `${MARK}@inbox.test`;
	await visitor.submit('/dashboard/sign-in', { email });
	secrets.set('the challenge of a code', visitor.cookies.get('__Host-code') ?? '');
	const code = await awaitCode(email, 1, service.url);
	// Six digits alone stand in any log; where the link leads does not.
	secrets.set('the link of a code', `sign-in/code?code=${code}`);
	expect((await visitor.submit('/dashboard/sign-in/code', { code })).status).toBe(303);
	for (const [name, value] of visitor.cookies)
		if (value.length > 20) secrets.set(`the cookie ${name}`, value);
	expect((await visitor.get(`/dashboard/verify?email=${email}`)).status).toBe(200);

	// What is refused, with marks wherever a text can stand.
	const badKey = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
	const refused = [
		await ask(badKey, 'GET', '/v1/credits'),
		await ask(apiKey, 'POST', '/v1/verify', `{"email":"${MARK}@inbox.test"`),
		await ask(apiKey, 'POST', '/v1/verify-batch', { emails: [`${MARK}@inbox.test`, 5] }),
		await ask(apiKey, 'GET', `/v1/jobs/${MARK}`),
		await ask(apiKey, 'GET', `/v1/${MARK}`),
		await ask(badKey, 'GET', '/ops/stuck-jobs'),
		await ask(apiKey, 'POST', '/ops/accounts', { email }),
		await ask(null, 'POST', '/v1/verify', { email }, { 'x-api-key': badKey }),
	];
	expect(refused.filter((status) => status < 400 || status >= 500)).toEqual([]);
	const bad = await fetch(new URL('/v1/questions', prober().url), {
		method: 'POST',
		headers: { authorization: `Bearer ${prober().token}`, 'content-type': 'application/json' },
		body: JSON.stringify({ targets: [`${MARK}@inbox.test\r\nDATA`] }),
	});
	expect(bad.status).toBe(400);
	errors.push(await bad.text());
	await completed(apiKey, jobId, service.url);
	expect(await ask(service.token, 'GET', '/ops/egress')).toBe(200);
	told.push(await toldByProber());

	// What fails: the prober dies, so that all of this is our fault.
	await prober().kill();
	expect(await ask(apiKey, 'POST', '/v1/verify', { email: `second-${MARK}@inbox.test` })).toBe(503);
	await eventually(() => expect(written).toContain('prober_failed'));
	const health = await fetch(new URL('/healthz', service.url));
	errors.push(await health.text());

	const forOperators = `${written}\n${told.slice(-2).join('\n')}\n${errors.at(-1)}`;
	expect(forOperators).toContain('mailsonar_');
	expect(forOperators.includes(MARK), forOperators).toBe(false);
	const everywhere = `${forOperators}\n${errors.join('\n')}`;
	for (const [what, value] of secrets) {
		expect(value.length, what).toBeGreaterThan(15);
		expect(everywhere.includes(value), what).toBe(false);
	}
	expect(everywhere.includes(badKey)).toBe(false);
});
