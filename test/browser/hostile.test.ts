import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { openWindow, useBrowser } from './browser.ts';
import { createKey, signUp, startList, waitForResults } from './person.ts';

useBrowser();

// It would run in a page that trusted it: as an element, out of an attribute, out of a title. A label has 100 characters.
const SCRIPT = `</title><script>document.title='owned'</script>"'><img src=x onerror=document.title='owned'>`;

test('a script is only text: as a name, a label, a cell, an address and a search', async () => {
	const page = await openWindow();
	page.on('dialog', () => expect.unreachable('no script of a stranger runs'));
	await signUp(page);

	const apiKey = await createKey(page, SCRIPT);
	const cell = `"${SCRIPT.replaceAll('"', '""')}"`;
	await startList(page, 'Hostile', `Name,E-mail\r\n${cell},ada@inbox.test\r\nBroken,${cell}\r\n`);
	await waitForResults(page);
	await page.getByLabel('Name of the list').fill(SCRIPT);
	await page.getByRole('button', { name: 'Rename list' }).click();
	await page.getByRole('heading', { name: SCRIPT, exact: true }).waitFor();
	expect(await page.locator('h1').innerText()).toBe(SCRIPT);
	await page.getByLabel('Address contains').fill(SCRIPT);
	await page.getByRole('button', { name: 'Filter' }).click();
	await page.getByText('No row matches').waitFor();

	// By the API, whose names and addresses are anybody's.
	const job = await call(inject('service').url, apiKey, 'POST', '/v1/verify-batch', {
		emails: ['"<b>x</b>"@inbox.test', 'ada@inbox.test'],
		name: SCRIPT,
	});
	expect(job.status).toBe(202);

	for (const path of ['/dashboard/lists', '/dashboard/api', '/dashboard/credits']) {
		await page.goto(path);
		expect(await page.getByText(SCRIPT, { exact: false }).count(), path).toBeGreaterThan(0);
		expect(await page.title(), path).not.toContain('owned');
		expect(await page.locator('main img, main script, main svg[onload]').count(), path).toBe(0);
	}
	await page.goto(`/dashboard?email=${encodeURIComponent(SCRIPT)}`);
	expect(await page.getByLabel('Email address').inputValue()).toBe(SCRIPT);
	expect(await page.title()).not.toContain('owned');
});
