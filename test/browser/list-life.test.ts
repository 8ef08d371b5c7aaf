import { expect, test } from 'vitest';
import { workbookOf } from '../support/unit/workbooks.ts';
import { findBarriers, openWindow, useBrowser } from './browser.ts';
import { chooseFile, signUp, signedUp, startList, waitForResults } from './person.ts';

// Lists as people bring them, and what they do with them afterwards.

useBrowser();

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

test('a workbook is read from the sheet with the most addresses, and its page names the others', async () => {
	const page = await signedUp('/dashboard/lists', { javaScriptEnabled: false });
	const file = workbookOf([
		{ name: 'Old', rows: [['old@inbox.test']] },
		{
			name: 'People',
			rows: [
				['Name', 'Work'],
				['Ada', 'ada@inbox.test'],
				['Bo', 'bo@inbox.test'],
			],
		},
	]);
	await chooseFile(page, { name: 'people.xlsx', mimeType: XLSX, content: Buffer.from(file) });
	await page.getByText('From the sheet “People” (2 addresses). Not read: “Old” (1 address).').waitFor();
	await page.getByRole('button', { name: 'Verify 2 addresses' }).click();
	await page.waitForURL(/\/dashboard\/jobs\/job_/);
});

test('pasted addresses become a list, and text without any says so beside the field', async () => {
	const page = await signedUp('/dashboard/lists');
	await page.getByText('Paste addresses instead').click();
	await page.getByLabel('Addresses', { exact: true }).fill('no address here');
	await page.getByRole('button', { name: 'Check addresses' }).click();
	await page.getByText('There is no email address in this text').waitFor();
	expect(await page.getByLabel('Addresses', { exact: true }).inputValue()).toBe('no address here');
	expect(await findBarriers(page)).toEqual([]);
	await page
		.getByLabel('Addresses', { exact: true })
		.fill('"Doe, Jane" <ada@inbox.test>; nobody@inbox.test\nada@inbox.test');
	await page.getByRole('button', { name: 'Check addresses' }).click();
	await page.getByRole('button', { name: 'Verify 2 addresses' }).waitFor();
	await page.getByText('Doe, Jane').waitFor();
});

test('a file can be dropped anywhere on the page, and only files are taken', async () => {
	const page = await signedUp('/dashboard/lists');
	const drop = async (fill: string): Promise<void> => {
		const dataTransfer = await page.evaluateHandle<unknown>(`(() => {
			const transfer = new DataTransfer();
			${fill};
			return transfer;
		})()`);
		await page.dispatchEvent('h1', 'dragenter', { dataTransfer });
		await page.dispatchEvent('h1', 'drop', { dataTransfer });
	};
	await drop("transfer.setData('text/plain', 'words')");
	await page.getByText('Drop a file here, or choose one').waitFor();
	await drop("transfer.items.add(new File(['ada@inbox.test'], 'far.txt', { type: 'text/plain' }))");
	await page.getByRole('heading', { name: 'far.txt' }).waitFor();
});

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

test.each([
	['with a script', true],
	['without a script', false],
])('a list is renamed, found by its name, and deleted by it, %s', async (_, javaScriptEnabled) => {
	const page = await signedUp('/dashboard/lists', { javaScriptEnabled });
	await startList(page, 'July', 'ada@inbox.test\n');
	await page.getByLabel('Name of the list').fill('');
	await page.getByRole('button', { name: 'Rename list' }).click();
	await page.getByText('Give the list a name').waitFor();
	await page.getByLabel('Name of the list').fill('August');
	await page.getByRole('button', { name: 'Rename list' }).click();
	await page.getByRole('heading', { name: 'August' }).waitFor();
	const address = page.url();
	await expect
		.poll(async () => {
			await page.goto(address);
			return page.getByRole('link', { name: 'Delete list' }).count();
		})
		.toBe(1);
	await page.goto('/dashboard/lists?q=nothing');
	await page.getByText('No list matches').waitFor();
	await page.getByLabel('Name', { exact: true }).fill('augu');
	await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click();
	// The checker is a script itself.
	if (javaScriptEnabled) expect(await findBarriers(page)).toEqual([]);
	await page.getByRole('link', { name: 'August' }).click();
	await page.getByRole('link', { name: 'Delete list' }).click();
	await page.getByLabel(/^Type the name/).fill('July');
	await page.getByRole('button', { name: 'Delete list' }).click();
	await page.getByText('That is not the name of this list: August').waitFor();
	await page.getByLabel(/^Type the name/).fill('August');
	await page.getByRole('button', { name: 'Delete list' }).click();
	await page.getByText('The list and its results are deleted').waitFor();
	expect(await page.getByRole('link', { name: 'August' }).count()).toBe(0);
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
	expect(await findBarriers(page)).toEqual([]);
	await page.getByText('1 reserved credit is released').waitFor();
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
