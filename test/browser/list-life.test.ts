import { expect, test } from 'vitest';
import { findBarriers, openWindow, useBrowser } from './browser.ts';
import { chooseFile, signUp, signedUp, startList, waitForResults } from './person.ts';

// Lists as people bring them, and what they do with them afterwards.

useBrowser();

test('the progress of an upload shows, and it can be cancelled', async () => {
	const page = await signedUp('/dashboard/lists');
	const network = await page.context().newCDPSession(page);
	const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
	await network.send('Network.emulateNetworkConditions', slow);
	const content = Buffer.alloc(4_000_000, 'ada@inbox.test\n');
	const choose = () => chooseFile(page, { name: 'slow.csv', content });
	await choose();
	await page.getByText('slow.csv, 4.0 MB').waitFor();
	await expect
		.poll(() => page.evaluate("document.querySelector('[data-upload-progress] progress').value"))
		.toBeGreaterThanOrEqual(2);
	expect(await findBarriers(page)).toEqual([]);
	await page.getByRole('button', { name: 'Cancel upload' }).click();
	await page.getByRole('button', { name: 'Cancel upload' }).waitFor({ state: 'hidden' });
	await page.getByText('Drop a file here, or choose one').waitFor();
	expect(await page.evaluate('document.activeElement.id')).toBe('field-file');
	await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
	// The same file again.
	await choose();
	await page.getByText('rows; a list can have 50,000').waitFor();
	expect(await page.getByLabel('File with addresses').getAttribute('aria-invalid')).toBe('true');
	await page.goto('/dashboard/lists');
	expect(await page.getByText('Not started').count()).toBe(0);
});

test('a file that was not started is among the lists, to go on with or to delete', async () => {
	const page = await signedUp('/dashboard/lists');
	for (const name of ['first.csv', 'second.csv']) {
		await page.goto('/dashboard/lists');
		await chooseFile(page, { name, content: 'ada@inbox.test\n' });
		await page.getByRole('heading', { name }).waitFor();
	}
	await page.goto('/dashboard/lists');
	expect(await findBarriers(page)).toEqual([]);
	await page.getByRole('link', { name: 'first.csv' }).click();
	await page.getByRole('button', { name: 'Delete this file' }).click();
	await page.getByText('The file was deleted').waitFor();
	expect(await page.getByText('first.csv').count()).toBe(0);
	await page.getByRole('link', { name: 'second.csv' }).click();
	await page.getByRole('button', { name: 'Verify 1 address' }).waitFor();
});

test('a list that waits can be ended early for what it says, and its owner is mailed', async () => {
	const page = await openWindow();
	const { email } = await signUp(page);
	await startList(page, 'Slow', 'ada@inbox.test\ngrace@greylist.test\n');
	await page.getByRole('button', { name: 'Email me when it is done' }).click();
	await page.getByRole('button', { name: 'Don’t email me when it is done' }).waitFor();
	const address = page.url();
	await page.getByText('1 of 2 addresses').first().waitFor();
	await page.getByRole('link', { name: 'Finish early' }).click();
	await page.getByText('1 reserved credit is released').waitFor();
	expect(await findBarriers(page)).toEqual([]);
	await page.getByRole('button', { name: 'Finish now' }).click();
	await waitForResults(page);
	expect(page.url()).toBe(address);
	await expect
		.poll(async () => {
			await page.goto('/dashboard/dev/mailbox');
			return page.locator('article', { hasText: email }).filter({ hasText: '“Slow” is done' }).count();
		})
		.toBe(1);
});
