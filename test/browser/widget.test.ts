import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { findBarriers, openWindow, useBrowser } from './browser.ts';

// The widget in a customer's page, which is of another origin than the service.

useBrowser();

const service = inject('service');
const TYPO = 'jane.doe@outlok.com';
let site: Server;
let origin: string;
let key: string;
let submitted: string[] = [];
let body = '';

beforeAll(async () => {
	site = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site.test');
		if (pathname === '/thanks') submitted.push(searchParams.get('mail') ?? '');
		response.setHeader('content-type', 'text/html; charset=utf-8');
		// The strictest policy that a page with the widget can have.
		const policy = `default-src 'none'; script-src ${service.url}; connect-src ${service.url} http://127.0.0.1:1`;
		response.setHeader('content-security-policy', policy);
		response.end(
			`<!doctype html><html lang="en"><title>Sign up</title><main><h1>Sign up</h1>${body}</main></html>`,
		);
	});
	site.listen(0, '127.0.0.1');
	await once(site, 'listening');
	origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	const { apiKey } = await makeAccount(service, 100);
	const made = await call(service.url, apiKey, 'POST', '/v1/public-keys', {
		name: 'Site',
		origins: [origin],
	});
	({ publicKey: key } = (made.body as { data: { publicKey: string } }).data);
});

afterAll(() => {
	site.closeAllConnections();
	site.close();
});

const form = (label: string) =>
	`<form action="/thanks"><label>${label} <input type="email" name="mail"></label><button>Join</button></form>`;

/** Opens a page with these forms and the widget. `before`: a script that runs before all others. */
async function open(forms: string, settings = '', before?: string): Promise<Page> {
	// A header of the browser's own would need a preflight that allows it.
	const page = await openWindow({ extraHTTPHeaders: {} });
	if (before !== undefined) await page.addInitScript(before);
	submitted = [];
	body = `${forms}<script src="${service.url}/widget.js" data-key="${key}" ${settings}></script>`;
	await page.goto(origin);
	return page;
}

async function type(page: Page, label: string, text: string): Promise<void> {
	await page.getByLabel(label).fill(text);
	await page.getByLabel(label).press('Tab');
}

test('is under 6,000 bytes as it is served, for a day in every cache, and for pages of every site', async () => {
	const answer = await fetch(`${service.url}/widget.js`);
	const text = await answer.text();
	expect(text).toBe(readFileSync(path.join(import.meta.dirname, '../../clients/widget/widget.js'), 'utf8'));
	expect(Buffer.byteLength(text)).toBeLessThan(6_000);
	expect(answer.headers.get('cache-control')).toContain('max-age=86400');
	expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
	expect(answer.headers.get('access-control-allow-origin')).toBe('*');
});

test('offers the address that was meant, to hands, keys and screen readers, and takes it', async () => {
	const page = await open(form('Email'));
	await type(page, 'Email', TYPO);
	const hint = page.getByRole('status');
	await hint.getByText('Did you mean').waitFor();
	expect(await hint.getAttribute('aria-live')).toBe('polite');
	expect(await page.getByLabel('Email').getAttribute('aria-describedby')).toBe(await hint.getAttribute('id'));
	expect(await findBarriers(page)).toEqual([]);
	await hint.getByRole('button', { name: 'jane.doe@outlook.com' }).press('Enter');
	expect(await page.getByLabel('Email').inputValue()).toBe('jane.doe@outlook.com');
	await expect.poll(() => hint.innerText()).toBe('');
});

test('a click on the offered address takes it, also while the field has the focus', async () => {
	const page = await open(form('Email'));
	await type(page, 'Email', TYPO);
	const offered = page.getByRole('button', { name: 'jane.doe@outlook.com' });
	await offered.waitFor();
	await page.getByLabel('Email').focus();
	await offered.click();
	expect(await page.getByLabel('Email').inputValue()).toBe('jane.doe@outlook.com');
});

test('says that a domain does not exist, and takes it back with the next letter', async () => {
	const page = await open(form('Email'));
	await type(page, 'Email', 'ada@no-such-domain.test');
	await page.getByText('This domain does not exist.').waitFor();
	expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
	await page.getByLabel('Email').press('End');
	await page.getByLabel('Email').press('x');
	expect(await page.getByRole('status').innerText()).toBe('');
	expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBeNull();
});

test('each form has an answer of its own, also a form that was added later', async () => {
	const page = await open(form('First') + form('Second'));
	await page.evaluate(
		`document.querySelector('main').insertAdjacentHTML('beforeend', ${JSON.stringify(form('Third'))})`,
	);
	await type(page, 'First', 'ada@no-such-domain.test');
	await page.getByText('This domain does not exist.').waitFor();
	await type(page, 'Third', TYPO);
	await page.getByRole('button', { name: 'jane.doe@outlook.com' }).waitFor();
	await type(page, 'Second', 'ada@inbox.test');
	expect(await page.getByRole('status').allInnerTexts()).toEqual([
		'This domain does not exist.',
		'',
		'Did you mean jane.doe@outlook.com?',
	]);
});

test('a form is sent with what was typed, whatever the answer says', async () => {
	const page = await open(form('Email'));
	await type(page, 'Email', 'ada@no-such-domain.test');
	await page.getByText('This domain does not exist.').waitFor();
	await page.getByRole('button', { name: 'Join' }).click();
	await page.waitForURL(/thanks/);
	expect(submitted).toEqual(['ada@no-such-domain.test']);
});

test.each([
	['is away', "Promise.reject(new TypeError('away'))"],
	['never answers', "new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))"],
	['answers nonsense', "Promise.resolve(new Response('<'))"],
])('where the service %s, the form is sent as if there were no widget', async (_, play) => {
	const fetching = `globalThis.fetch = (_, { signal }) => { globalThis.asked = true; return ${play}; };`;
	const page = await open(form('Email'), 'data-patience="200"', fetching);
	await type(page, 'Email', TYPO);
	await expect.poll(() => page.evaluate('globalThis.asked')).toBe(true);
	await page.getByRole('button', { name: 'Join' }).click();
	await page.waitForURL(/thanks/);
	expect(submitted).toEqual([TYPO]);
});

test('an answer that comes too late is about another address, and is dropped', async () => {
	const page = await open(form('Email'));
	let release = (): void => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	await page.route('**/v1/public/verify', async (route) => {
		if (route.request().postData()?.includes(TYPO) === true) await held;
		await route.continue().catch(() => {});
	});
	await type(page, 'Email', TYPO);
	await type(page, 'Email', 'ada@no-such-domain.test');
	await page.getByText('This domain does not exist.').waitFor();
	release();
	await page.unrouteAll({ behavior: 'wait' });
	expect(await page.getByRole('status').innerText()).toBe('This domain does not exist.');
});

test('a page says it in its own words, or shows it itself', async () => {
	const page = await open(form('Email'), 'data-suggestion="Meinten Sie {}?"');
	await type(page, 'Email', TYPO);
	await expect.poll(() => page.getByRole('status').innerText()).toBe('Meinten Sie jane.doe@outlook.com?');
	await page.evaluate(`
		globalThis.heard = [];
		addEventListener('mailsonar', (event) => { event.preventDefault(); heard.push(event.detail.reason); });
	`);
	await type(page, 'Email', 'ada@no-such-domain.test');
	await expect.poll(() => page.evaluate('heard')).toEqual(['domain_does_not_exist']);
	expect(await page.getByRole('status').innerText()).toBe('');
});
