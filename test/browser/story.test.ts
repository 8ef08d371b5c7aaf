import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { findBarriers, openWindow, useBrowser } from './browser.ts';
import { createKey, mailsTo, signIn, signUp, signedUp, startList, waitForResults } from './person.ts';

// Accounts, from signing up to a downloaded list and to another address, in a real browser.

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

test('from signing up to a downloaded list', async () => {
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
});

test('an account is opened from the keyboard, by the code or by the link of the mail, and moves to another address', async () => {
	const page = await openWindow();
	await page.goto('/dashboard/sign-in');
	const email = `keys-${Date.now()}@inbox.test`;
	await page.locator('input[name="email"]:focus').waitFor();
	expect(await findBarriers(page)).toEqual([]);
	await page.keyboard.type(email);
	await page.keyboard.press('Enter');
	await page.locator('input[name="code"][autocomplete="one-time-code"]:focus').waitFor();
	expect(await findBarriers(page)).toEqual([]);
	const [mail = ''] = await mailsTo(page, email);
	const link = /https?:\S+/.exec(mail)?.[0] ?? '';
	const elsewhere = await openWindow();
	await elsewhere.goto(link);
	await elsewhere.getByRole('heading', { name: 'This code does not work here' }).waitFor();
	await page.goto(link);
	await page.locator('input[name="code"]:focus').waitFor();
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'Home' }).waitFor();
	await page.goto('/dashboard/settings/address');
	await page.locator('input[name="email"]:focus').waitFor();
	const to = `moved-${Date.now()}@inbox.test`;
	await page.keyboard.type(to);
	await page.keyboard.press('Enter');
	await page.locator('input[name="code"]:focus').waitFor();
	const [second = ''] = await mailsTo(page, to);
	await page.keyboard.type(/\d{6}/.exec(second)?.[0] ?? '');
	await page.keyboard.press('Enter');
	await page.getByText(`Your address is now ${to}`).waitFor();
});

test('a form sent after the session has ended says why nothing changed, and keeps what was typed', async () => {
	const page = await openWindow();
	const { email } = await signUp(page);
	await page.goto('/dashboard/api');
	await page.getByText('New webhook').click();
	await page.getByRole('textbox', { name: 'URL' }).fill('https://shop.example/');
	const session = (await page.context().cookies()).find(({ name }) => name.endsWith('session'));
	await page.context().addCookies([{ ...session!, value: 'of-a-session-that-ended' }]);
	await page.getByRole('button', { name: 'Add webhook' }).click();
	await page.getByText('Your session had ended, so nothing was changed').waitFor();
	await signIn(page, email);
	await page.waitForURL(/\/dashboard\/api/);
	expect(await page.getByRole('textbox', { name: 'URL' }).inputValue()).toBe('https://shop.example/');
});
