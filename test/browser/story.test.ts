import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { useBrowser } from './browser.ts';
import { createKey, signedUp, startList, waitForResults } from './person.ts';

useBrowser();

const { url } = inject('service');
const CSV = [
	'Customer;City;E-mail',
	'Ada;London;ada@inbox.test',
	'Nobody;Hanover;nobody@inbox.test',
	'Info;Hanover;info@inbox.test',
	'Ada again;London;ADA@inbox.test',
	'Broken;Hanover;ada@@inbox',
	'Empty;Hanover;',
].join('\r\n');

test('from signing up to a downloaded list and a key that is dead', async () => {
	const page = await signedUp('/dashboard', { acceptDownloads: true });
	await expect.poll(() => page.locator('.balance').innerText()).toBe('100');

	const apiKey = await createKey(page, 'Sign-up form');
	expect(apiKey).toMatch(/^ms_live_[0-9A-Za-z]{40,}$/);
	const first = await call(url, apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' });
	expect(first.body).toMatchObject({ data: { status: 'deliverable' }, meta: { creditsRemaining: 99 } });

	await startList(page, 'July newsletter', CSV);
	expect(await (await waitForResults(page)).count()).toBe(4);
	expect(await page.locator('h1').innerText()).toBe('July newsletter');

	const inOneClick = page.waitForEvent('download');
	await page.getByRole('link', { name: 'Download deliverable (2)' }).click();
	expect(readFileSync(await (await inOneClick).path(), 'utf8').split('\r\n')).toEqual([
		expect.stringMatching(/^\uFEFFCustomer;City;E-mail;status;/),
		expect.stringMatching(/^Ada;London;ada@inbox.test;deliverable;/),
		expect.stringMatching(/^Info;Hanover;info@inbox.test;deliverable;/),
		'',
	]);

	const downloading = page.waitForEvent('download');
	await page.getByLabel('Repeated rows').selectOption('kept');
	await page.getByLabel('All columns').check();
	await page.getByRole('button', { name: 'Download' }).click();
	const csv = readFileSync(await (await downloading).path(), 'utf8');
	expect((await downloading).suggestedFilename()).toBe('July newsletter-verified.csv');
	expect(csv.split('\r\n')[0]).toMatch(/^\uFEFFCustomer;City;E-mail;status;/);
	expect(csv).toContain('Nobody;Hanover;nobody@inbox.test;undeliverable;rejected_email');
	expect(csv).toContain('Ada again;London;ADA@inbox.test;deliverable');
	expect(csv).toContain('Broken;Hanover;ada@@inbox;malformed');

	await page.goto('/dashboard/credits');
	expect(await page.getByRole('main').innerText()).toContain('100 received = 4 used + 0 reserved + 96 left.');

	await page.goto('/dashboard/keys');
	await page.getByRole('link', { name: 'Revoke Sign-up form' }).click();
	await page.getByLabel(/Type the label/).fill('Sign-up form');
	await page.getByRole('button', { name: 'Revoke key' }).click();
	await page.getByText('The key is revoked').waitFor();
	expect((await call(url, apiKey, 'GET', '/v1/credits')).status).toBe(401);
});

test('the row of a result explains itself: who answered, why, and what was probably meant', async () => {
	const page = await signedUp('/dashboard/verify');
	await page.getByLabel('Email address').fill('jane.doe@outlok.com');
	await page.getByRole('button', { name: 'Verify address' }).click();
	const card = page.getByRole('article', { name: 'Result for jane.doe@outlok.com' });
	await card.getByText('Risky', { exact: true }).waitFor();
	await card.getByText('possible_typo').first().waitFor();
	// The suggestion is a button that verifies.
	await card.getByRole('button', { name: 'Verify jane.doe@outlook.com' }).click();
	await page.getByRole('article', { name: 'Result for jane.doe@outlook.com' }).waitFor();
});
