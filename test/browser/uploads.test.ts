import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { findBarriers, useBrowser } from './browser.ts';
import { chooseFile, signedUp } from './person.ts';

// Lists as people bring them, and what they do with them afterwards.

useBrowser();

async function check(page: Page, name: string, content: Buffer | string): Promise<void> {
	await page.goto('/dashboard/lists');
	await chooseFile(page, name, content);
}

const rowsOf = (rows: number): string =>
	`E-mail\r\n${Array.from({ length: rows }, (_, row) => `person${row}@inbox.test`).join('\r\n')}\r\n`;

test('what a list costs and the button that starts it are in sight without scrolling', async () => {
	const page = await signedUp('/dashboard', { viewport: { width: 1280, height: 800 } });
	await check(page, 'few.csv', rowsOf(3));
	for (const one of [
		page.getByText(/at most 3 credits/),
		page.getByRole('button', { name: 'Verify 3 addresses' }),
	]) {
		const { y, height } = (await one.boundingBox()) ?? { y: Infinity, height: 0 };
		expect(y + height).toBeLessThanOrEqual(800);
	}
});

const PEOPLE = `Private;Work\n${Array.from({ length: 30 }, (_, n) => `${n < 8 ? `p${n}@inbox.test` : ''};w${n}@inbox.test`).join('\n')}\n`;

test('without a script a click on a head verifies another column, and only what the page shows is started', async () => {
	const page = await signedUp('/dashboard', { javaScriptEnabled: false });
	await check(page, 'people.csv', PEOPLE);
	await page.getByText('30 addresses in Work, at most 30 credits').waitFor();
	await page.getByRole('columnheader', { name: 'Private' }).getByRole('link').click();
	await page.getByText('8 addresses in Private, at most 8 credits').waitFor();
	await page.getByText('Verify another column instead: Work (30 addresses).').waitFor();
	await page.getByRole('link', { name: 'It is data' }).click();
	await page.getByText('8 addresses in Column 1, at most 8 credits').waitFor();
	await page.getByRole('link', { name: 'It has column names' }).click();
	const preview = page.url();
	await page.getByRole('button', { name: 'Verify 8 addresses' }).click();
	await page.waitForURL(/\/dashboard\/jobs\//);
	await page.goto(preview);
	await page.getByText('This file was started already').waitFor();
});

/** Drops files anywhere on the page, by their names; without any it is a text. */
async function drop(page: Page, ...names: string[]): Promise<void> {
	const dataTransfer = await page.evaluateHandle<unknown>(`(() => {
		const transfer = new DataTransfer();
		for (const name of ${JSON.stringify(names)})
			transfer.items.add(new File(['ada@inbox.test'], name, { type: 'text/plain' }));
		if (transfer.items.length === 0) transfer.setData('text/plain', 'words');
		return transfer;
	})()`);
	await page.dispatchEvent('h1', 'dragenter', { dataTransfer });
	await page.dispatchEvent('h1', 'drop', { dataTransfer });
}

test('a file that is chosen, or dropped anywhere, is uploaded at once, and the page says so before', async () => {
	const page = await signedUp('/dashboard/lists');
	expect(await page.getByRole('button', { name: 'Check file' }).count()).toBe(0);
	const description = await page.evaluate("document.getElementById('field-file-hint').innerText");
	expect(description).toContain('Uploads right away. You see the price before you pay.');
	expect(await page.getByLabel('File with addresses').getAttribute('aria-describedby')).toContain(
		'field-file-hint',
	);
	await drop(page);
	await page.getByText('Drop a file here, or choose one').waitFor();
	await drop(page, 'dropped.txt');
	await page.getByRole('heading', { name: 'dropped.txt' }).waitFor();
	await check(page, 'chosen.csv', rowsOf(3));
	await page.getByRole('heading', { name: 'chosen.csv' }).waitFor();
	// What the browser shows again is ready for another file.
	await page.goBack();
	await page.getByText('Drop a file here, or choose one').waitFor();
	await chooseFile(page, 'another.csv', rowsOf(2));
	await page.getByRole('heading', { name: 'another.csv' }).waitFor();
});

test('of several files that are dropped none is taken, and after a mistake the same file can be chosen again', async () => {
	const page = await signedUp('/dashboard/lists');
	await drop(page, 'one.txt', 'two.txt');
	await page.getByText('These are 2 files. A list is one: drop them one after the other.').waitFor();
	await chooseFile(page, 'mended.csv', 'City\nLondon\n');
	await page.getByText('No column of this file holds email addresses').waitFor();
	expect(await page.getByText('These are 2 files').count()).toBe(0);
	await chooseFile(page, 'mended.csv', rowsOf(2));
	await page.getByRole('heading', { name: 'mended.csv' }).waitFor();
});

test('the progress of an upload shows, and it can be cancelled', async () => {
	const page = await signedUp('/dashboard/lists');
	const network = await page.context().newCDPSession(page);
	const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
	await network.send('Network.emulateNetworkConditions', slow);
	const content = Buffer.alloc(4_000_000, 'ada@inbox.test\n');
	const choose = () => chooseFile(page, 'slow.csv', content);
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
