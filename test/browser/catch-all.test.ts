import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findBarriers, openWindow, useBrowser } from './browser.ts';
import { filterBy, showResults, signUp, startList, waitForResults } from './person.ts';

useBrowser();

const LIST = [
	'jane.doe@google-catch-all.test',
	'xkqzvwpt@catch-all.test',
	'jane.doe@parked.test',
	'ada@inbox.test',
	'=1+1@catch-all.test',
].join('\n');

test('a list with catch-all domains is checked deeper, and each score says how it came about', async () => {
	const page = await openWindow({ acceptDownloads: true });
	await signUp(page);
	await startList(page, 'Trade fair', LIST, { resolvesCatchAll: false });
	await waitForResults(page);
	await page.getByText('4 addresses are on domains that accept everything').waitFor();
	await page.getByRole('button', { name: 'Check 4 addresses' }).click();
	await page.waitForURL(/\/dashboard\/tasks\/cat_/);
	await page.getByRole('heading', { name: 'Verdicts', exact: true }).waitFor();
	const verdicts = page.getByRole('table', { name: 'Verdicts' });
	expect(await verdicts.getByRole('row').count()).toBe(5);

	await verdicts.getByText('jane.doe@parked.test').click();
	const waterfall = verdicts.getByRole('table', { name: /^How the score of \d+ is made up$/ }).first();
	await waterfall.getByText(/parking service/).waitFor();
	expect(await findBarriers(page)).toEqual([]);

	await page
		.getByRole('list', { name: 'Show' })
		.getByRole('link', { name: /^Valid/ })
		.click();
	await page.waitForURL(/verdict=valid/);
	expect(await verdicts.getByRole('row').count()).toBe(2);

	const downloading = page.waitForEvent('download');
	await page.getByRole('link', { name: 'Download CSV' }).click();
	const csv = readFileSync(await (await downloading).path(), 'utf8');
	expect(csv.split('\r\n')[0]).toBe('Email,Score,Verdict');
	expect(csv).toContain("'=1+1@catch-all.test,");

	await page.getByRole('link', { name: 'The list it came from' }).click();
	await page.getByRole('link', { name: 'Show scores' }).waitFor();
	expect(await page.getByRole('button', { name: /^Check/ }).count()).toBe(0);
	// Its verdicts are in the rows of the list, and in its picture.
	await page.getByRole('heading', { name: /^40% safe to send/ }).waitFor();
	await page.getByRole('heading', { name: 'Catch-all scores' }).waitFor();
	await showResults(page);
	await filterBy(page, 'Catch-all verdict', /^Valid/);
	await page.getByText('1 address matches the filter, of 5.').waitFor();
	expect(await page.getByRole('table', { name: 'Results' }).innerText()).toContain(
		'jane.doe@google-catch-all.test',
	);
	expect(await findBarriers(page)).toEqual([]);
});

test('one address on a catch-all domain shows the way to its score', async () => {
	const page = await openWindow();
	await signUp(page);
	await page.goto('/dashboard/verify');
	await page.getByLabel('Email address').fill('jane.doe@google-catch-all.test');
	await page.getByRole('button', { name: 'Verify address' }).click();
	const card = page.getByRole('article', { name: 'Result for jane.doe@google-catch-all.test' });
	await card.getByRole('heading', { name: /^How the score of \d+ adds up$/ }).waitFor();
	await card.getByText(/refuses unknown recipients unless the domain set up a catch-all/).waitFor();
});
