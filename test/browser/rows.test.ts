import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers, openWindow, useBrowser } from './browser.ts';
import { filterBy, showResults, signUp, startList } from './person.ts';

// The rows of a finished list: each has an address of its own, and opens beside the others.

useBrowser();

const LIST = 'ada@inbox.test\nnobody@inbox.test\ninfo@inbox.test\n';

const opened = async (): Promise<Page> => {
	const page = await openWindow();
	await signUp(page);
	await startList(page, 'Rows', LIST);
	await showResults(page);
	return page;
};

test('a row opens beside the others, arrow keys go on to the next, and the URL names it', async () => {
	const page = await opened();
	const panel = page.getByRole('dialog', { name: 'One row' });
	const shows = (email: string) => panel.getByRole('article', { name: `Result for ${email}` }).waitFor();
	const list = page.url();
	await page.getByRole('link', { name: 'ada@inbox.test' }).click();
	await shows('ada@inbox.test');
	expect(page.url()).toMatch(/\/rows\/0$/);
	expect(await panel.getByRole('link', { name: 'Previous' }).isVisible()).toBe(false);
	await page.keyboard.press('ArrowDown');
	await shows('nobody@inbox.test');
	expect(page.url()).toMatch(/\/rows\/1$/);
	await panel.getByText('The conversation').click();
	await panel.getByText('RCPT TO', { exact: true }).waitFor();
	await panel.getByRole('link', { name: 'Ask again' }).waitFor();
	await panel.getByRole('button', { name: 'Copy the address' }).waitFor();
	expect(await findBarriers(page)).toEqual([]);
	// A reload shows the same row, as a page.
	const row = page.url();
	await page.goto(row);
	await page.getByRole('article', { name: 'Result for nobody@inbox.test' }).waitFor();
	await page.keyboard.press('ArrowRight');
	await page.waitForURL(/\/rows\/2$/);
	await page.goto(list);
	await page.getByRole('link', { name: 'nobody@inbox.test' }).click();
	await shows('nobody@inbox.test');
	await page.keyboard.press('Escape');
	await page.waitForURL(list);
	expect(await page.evaluate('document.activeElement.textContent')).toBe('nobody@inbox.test');
	expect(await page.title()).toContain('Rows');
	await page.goForward();
	await shows('nobody@inbox.test');
	await page.goBack();
	await panel.waitFor({ state: 'hidden' });
	expect(page.url()).toBe(list);
});

test('a filter applies at once, keeps the others, and says what is chosen', async () => {
	const page = await opened();
	const rows = page.getByRole('table', { name: 'Results' }).getByRole('row');
	await filterBy(page, 'Role accounts', /^Only these/);
	await page.getByText('2 addresses match the filter, of 3.').waitFor();
	await filterBy(page, 'Reason', /^Mailbox exists/);
	await page.getByText('1 address matches the filter, of 3.').waitFor();
	expect(await rows.nth(1).innerText()).toContain('info@inbox.test');
	await page.getByText('Reason: Mailbox exists').waitFor();
	// Only what tells rows apart is offered.
	expect(await page.getByText('Disposable', { exact: true }).count()).toBe(0);
	await page.getByRole('link', { name: 'Clear', exact: true }).click();
	await expect.poll(() => rows.count()).toBe(4);
});
