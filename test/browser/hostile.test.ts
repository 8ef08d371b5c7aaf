import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { openWindow, useBrowser } from './browser.ts';
import { createKey, signUp, startList, waitForResults } from './person.ts';

useBrowser();

// Each would run in a page that trusted it: as an element, out of an attribute, as a link.
const SCRIPTS = [
	'<script>document.title="owned"</script>',
	'"><img src=x onerror="document.title=\'owned\'">',
	"'-document.title='owned'-'",
	'</title><svg onload=document.title="owned">',
	'javascript:document.title="owned"',
] as const;

test.each(SCRIPTS)('%s is only text: as a name, a label, a cell, an address and a search', async (script) => {
	const page = await openWindow();
	page.on('dialog', () => expect.unreachable('no script of a stranger runs'));
	await signUp(page);

	const apiKey = await createKey(page, script);
	const cell = `"${script.replaceAll('"', '""')}"`;
	await startList(page, 'Hostile', `Name,E-mail\r\n${cell},ada@inbox.test\r\nBroken,${cell}\r\n`);
	await waitForResults(page);
	await page.getByLabel('Name of the list').fill(script);
	await page.getByRole('button', { name: 'Rename list' }).click();
	await page.getByRole('heading', { name: script, exact: true }).waitFor();
	expect(await page.locator('h1').innerText()).toBe(script);
	await page.getByLabel('Address contains').fill(script);
	await page.getByRole('button', { name: 'Filter' }).click();
	await page.getByText('No row matches').waitFor();

	// By the API, whose names and addresses are anybody's.
	const job = await call(inject('service').url, apiKey, 'POST', '/v1/verify-batch', {
		emails: ['"<b>x</b>"@inbox.test', 'ada@inbox.test'],
		name: script,
	});
	expect(job.status).toBe(202);

	for (const path of ['/dashboard/lists', '/dashboard/keys', '/dashboard/credits']) {
		await page.goto(path);
		expect(await page.getByText(script, { exact: false }).count(), path).toBeGreaterThan(0);
		expect(await page.title(), path).not.toContain('owned');
		expect(await page.locator('main img, main script, main svg[onload]').count(), path).toBe(0);
	}
	await page.goto(`/dashboard?email=${encodeURIComponent(script)}`);
	expect(await page.getByLabel('Email address').inputValue()).toBe(script);
	expect(await page.title()).not.toContain('owned');
});

test('the policy forbids what is not ours, and pages are neither framed nor kept', async () => {
	const { url } = inject('service');
	const pages = ['/', '/docs', '/dashboard/sign-in', '/no-such-page'];
	for (const path of pages) {
		const { headers } = await fetch(new URL(path, url), { headers: { accept: 'text/html' } });
		const policy = headers.get('content-security-policy') ?? '';
		expect(policy, path).toContain("default-src 'none'");
		expect(policy, path).toContain("script-src 'self'");
		expect(policy, path).not.toMatch(/unsafe|\*/);
		expect(policy, path).toContain("frame-ancestors 'none'");
		expect(headers.get('cache-control'), path).toBe('no-store');
	}
});
