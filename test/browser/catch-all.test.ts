import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { findBarriers, useBrowser } from './browser.ts';
import { createKey, filterRows, signedUp, startList, waitForResults } from './person.ts';

useBrowser();

const LIST = [
	'jane.doe@google-catch-all.test',
	'xkqzvwpt@catch-all.test',
	'jane.doe@parked.test',
	'ada@inbox.test',
	'=1+1@catch-all.test',
].join('\n');

test('a list that was made here scores its catch-all rows, and asks for nothing more', async () => {
	const page = await signedUp();
	await startList(page, 'Trade fair', LIST);
	const rows = await waitForResults(page);
	await page.getByRole('heading', { name: /^40% safe to send/ }).waitFor();
	expect(await page.getByRole('button', { name: /^Check/ }).count()).toBe(0);
	await filterRows(page, { reason: 'catch_all_valid' });
	await page.getByText('1 row of 5.').waitFor();
	expect(await rows.nth(1).innerText()).toContain('jane.doe@google-catch-all.test');
});

test('a check of a list that the API made has the page of a list, and each score says how it came about', async () => {
	const page = await signedUp('/dashboard', { acceptDownloads: true });
	const apiKey = await createKey(page, 'Lists');
	const { url } = inject('service');
	const asked = async (path: string, body: object) =>
		(await call(url, apiKey, 'POST', path, body)).body as { readonly data: Readonly<Record<string, string>> };
	const { jobId = '' } = (await asked('/v1/verify-batch', { emails: LIST.split('\n'), name: 'Fair' })).data;
	await page.goto(`/dashboard/jobs/${jobId}`);
	await waitForResults(page);
	const { taskId = '' } = (await asked('/v1/catchall', { jobId })).data;
	await page.goto(`/dashboard/jobs/${taskId}`);
	const rows = await waitForResults(page);
	expect(await rows.count()).toBe(5);
	const table = page.getByRole('table', { name: 'Results' });
	await table.getByText('jane.doe@parked.test').click();
	const waterfall = table.getByRole('table', { name: /^How the score of \d+ is made up$/ }).first();
	await waterfall.getByText(/parking service/).waitFor();
	expect(await findBarriers(page)).toEqual([]);
	await filterRows(page, { status: 'deliverable' });
	await page.getByText('1 row of 4.').waitFor();
	const downloading = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Download' }).click();
	const csv = readFileSync(await (await downloading).path(), 'utf8');
	expect(csv.split('\r\n')[0]).toBe('email,status,reason,did_you_mean,action');
	expect(csv).toContain("'=1+1@catch-all.test,");
	// Its verdicts are in the rows of the list, and in its picture.
	await page.getByRole('link', { name: 'Fair', exact: true }).click();
	await page.getByRole('link', { name: 'Catch-all check' }).waitFor();
	await page.getByRole('heading', { name: /^40% safe to send/ }).waitFor();
});

test('one address on a catch-all domain shows the way to its score', async () => {
	const page = await signedUp('/dashboard/verify');
	await page.getByLabel('Email address').fill('jane.doe@google-catch-all.test');
	await page.getByRole('button', { name: 'Verify address' }).click();
	const card = page.getByRole('article', { name: 'Result for jane.doe@google-catch-all.test' });
	await card.getByRole('heading', { name: /^How the score of \d+ adds up$/ }).waitFor();
	await card.getByText(/refuses unknown recipients unless the domain set up a catch-all/).waitFor();
});
