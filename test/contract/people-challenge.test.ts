import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { Visitor } from '../support/visitor.ts';
import type { Page } from '../support/visitor.ts';
import { newEmail } from './people.ts';

// Turnstile on the sign-in form, with a verifier of ours in Cloudflare's place.

const SITE_KEY = '0x4AAAAAAA-test';
const SECRET_KEY = '0x4AAAAAAA-secret';
const ORIGIN = 'https://challenges.cloudflare.com';
const GOOD = 'the answer of a person';
const SIGN_IN = '/dashboard/sign-in';
const WRONG = 'Email or password is wrong';
const PERSON = 'Confirm that you are human';

let verifier: Server;
let service: TestService;

beforeAll(async () => {
	const used = new Set<string>();
	const verdictOf = (body: string): object => {
		const { secret, response: answer = '' } = JSON.parse(body) as Record<string, string>;
		const success = secret === SECRET_KEY && answer.startsWith(GOOD) && !used.has(answer);
		used.add(answer);
		return { success, 'error-codes': success ? [] : ['timeout-or-duplicate'] };
	};
	const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(verdictOf(await text(request))));
	};
	verifier = createServer((request, response) => void answerTo(request, response));
	verifier.listen(0, '127.0.0.1');
	await once(verifier, 'listening');
	const verifyUrl = `http://127.0.0.1:${(verifier.address() as AddressInfo).port}/siteverify`;
	service = await startTestService({
		sandbox: null,
		vars: {
			TURNSTILE_SITE_KEY: SITE_KEY,
			TURNSTILE_SECRET_KEY: SECRET_KEY,
			TURNSTILE_VERIFY_URL: verifyUrl,
		},
	});
});

afterAll(async () => {
	await service?.remove();
	verifier.closeAllConnections();
	verifier.close();
});

async function attempt(email: string, answer?: string): Promise<Page> {
	const fields = { email, password: 'not my password' };
	const shown = answer === undefined ? {} : { 'cf-turnstile-response': answer };
	return new Visitor(service.url).submit(SIGN_IN, { ...fields, ...shown });
}

describe('where Turnstile is configured', () => {
	test('the widget comes after failures, and the password is looked at only with its answer, once', async () => {
		const email = newEmail();
		const pages = [await attempt(email), await attempt(email), await attempt(email)];
		expect(pages.map(({ status, text: shown }) => [status, shown.includes(SITE_KEY)])).toEqual([
			[422, false],
			[422, false],
			[422, true],
		]);
		for (const answer of [undefined, '', 'made up']) {
			const page = await attempt(email, answer);
			expect(page.status).toBe(422);
			expect(page.text).toContain(PERSON);
			expect(page.text).toContain(`data-sitekey="${SITE_KEY}"`);
			expect(page.text).toContain(`src="${ORIGIN}/turnstile/v0/api.js"`);
			expect(page.text).not.toContain(SECRET_KEY);
		}
		expect((await attempt(email, `${GOOD} 1`)).text).toContain(WRONG);
		expect((await attempt(email, `${GOOD} 1`)).text).toContain(PERSON);
		expect((await attempt(email, `${GOOD} 2`)).text).toContain(WRONG);
	});

	test('the sign-in page lets in the widget and nothing else, and no other page does', async () => {
		const policyOf = async (path: string): Promise<string> =>
			(await new Visitor(service.url).get(path)).headers.get('content-security-policy') ?? '';
		const policy = await policyOf(SIGN_IN);
		expect(policy).toContain(`script-src 'self' ${ORIGIN};`);
		expect(policy).toContain(`frame-src ${ORIGIN}`);
		expect(policy).not.toContain('unsafe');
		for (const path of ['/', '/dashboard/sign-up', '/dashboard/forgotten-password', '/docs'])
			expect(await policyOf(path), path).not.toContain('cloudflare');
	});
});

test('without it no page knows of Cloudflare, however many failures there were', async () => {
	const email = newEmail();
	for (let n = 0; n < 4; n += 1) {
		const page = await new Visitor(inject('service').url).submit(SIGN_IN, { email, password: 'not mine' });
		expect(page.text).toContain(WRONG);
		expect(page.text).not.toContain('turnstile');
		expect(page.headers.get('content-security-policy')).not.toContain('cloudflare');
	}
});
