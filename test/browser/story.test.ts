import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { useBrowser } from './browser.ts';
import { createKey, filterRows, signedUp, startList, waitForResults } from './person.ts';

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

test('rows are found by a part of the address, by status and by reason, and so are those that were left out', async () => {
	const page = await signedUp();
	await startList(page, 'Mixed', 'ada@inbox.test\nnobody@inbox.test\nada@yahoo.test\nada@@inbox\n');
	const rows = await waitForResults(page);
	await page.getByRole('heading', { name: /^33% safe to send/ }).waitFor();
	await filterRows(page, { q: 'YAHOO' });
	await page.getByText('1 row of 4.').waitFor();
	expect(await rows.count()).toBe(2);
	await filterRows(page, { q: 'YAHOO', status: 'deliverable' });
	await page.getByText('No row matches').waitFor();
	expect(await page.getByLabel('Address contains').inputValue()).toBe('YAHOO');
	await page.getByRole('link', { name: 'Show all rows' }).click();
	await expect.poll(() => rows.count()).toBe(4);
	await filterRows(page, { status: 'left_out' });
	await page.getByText('The address has more than one @').waitFor();
	// A reason leads to its rows.
	await page.getByRole('link', { name: 'Provider says yes to everyone' }).click();
	await page.waitForURL(/reason=accepts_everything/);
	expect(await rows.nth(1).innerText()).toContain('ada@yahoo.test');
	// It will say the same tomorrow.
	expect(await page.getByRole('link', { name: 'Ask again', exact: true }).count()).toBe(0);
});

test('a download has as many rows as it says, of a status or of all, and repeats where they are wanted', async () => {
	const page = await signedUp('/dashboard', { acceptDownloads: true });
	await startList(page, 'Repeats', CSV);
	await waitForResults(page);
	const emailsFor = async (rows: string, repeats: string): Promise<readonly string[]> => {
		await page.getByRole('combobox', { name: 'Rows', exact: true }).selectOption(rows);
		await page.getByLabel('Repeated rows').selectOption(repeats);
		const downloading = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Download' }).click();
		const csv = readFileSync(await (await downloading).path(), 'utf8');
		const [head = '', ...lines] = csv.trimEnd().split('\r\n');
		expect(head).toBe('\uFEFFCustomer;City;E-mail;status;reason;did_you_mean;action');
		return lines.map((line) => line.split(';')[2] ?? '');
	};
	expect(await emailsFor('deliverable', 'left_out')).toEqual(['ada@inbox.test', 'info@inbox.test']);
	expect(await emailsFor('deliverable', 'kept')).toEqual([
		'ada@inbox.test',
		'info@inbox.test',
		'ADA@inbox.test',
	]);
	expect(await emailsFor('', 'left_out')).toHaveLength(3);
	expect(await emailsFor('', 'kept')).toHaveLength(6);
});

test('the first call is copied from the page and runs as it is', async () => {
	const page = await signedUp();
	await createKey(page, 'Copied by hand');
	const exampleOf = (language: string): Promise<string> =>
		page.locator('.panel code', { hasText: language }).evaluate((code) => code.textContent ?? '');
	const run = promisify(execFile);
	const curl = await run('bash', ['-c', await exampleOf('curl -s')]);
	expect(JSON.parse(curl.stdout)).toMatchObject({ success: true, data: { status: 'deliverable' } });
	const node = await run(process.execPath, ['--input-type=module', '-e', await exampleOf('await fetch')]);
	expect(node.stdout).toContain("status: 'deliverable'");
	const python = await exampleOf('import requests');
	// The library may not be here; the text must be Python all the same.
	await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', python]);
});
