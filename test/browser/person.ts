import { randomInt } from 'node:crypto';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { newPerson } from '../contract/people.ts';
import { openWindow } from './browser.ts';

/** Opens an account for a new address: ends on the overview. */
export async function signUp(page: Page): Promise<{ email: string }> {
	const email = `person-${randomInt(1e12)}@inbox.test`;
	await page.goto('/dashboard/sign-in');
	await signIn(page, email);
	await page.waitForURL(/\/dashboard$/);
	return { email };
}

/** A window of somebody with an account, on a page. It signs in by HTTP, which costs a tenth of doing so in a window. */
export async function signedUp(path = '/dashboard', options: BrowserContextOptions = {}): Promise<Page> {
	const page = await openWindow(options);
	const { visitor } = await newPerson();
	// For a browser a cookie that is secure comes from an HTTPS page, but it may go to this machine without.
	const url = visitor.url.replace('http:', 'https:');
	const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url }));
	await page.context().addCookies(cookies);
	await page.goto(path);
	return page;
}

/** Signs in from the page that asks for the address, with the code of the newest mail. */
export async function signIn(page: Page, email: string): Promise<void> {
	await page.getByLabel('Email').fill(email);
	await page.getByRole('button', { name: 'Email me a code' }).click();
	await page.getByRole('heading', { name: 'Check your email' }).waitFor();
	const [mail = ''] = await mailsTo(page, email);
	await page.getByLabel('Code').fill(/\d{6}/.exec(mail)?.[0] ?? '');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL((url) => !url.pathname.startsWith('/dashboard/sign-in'));
}

/** The mails to an address, the newest first, as the mailbox shows them in another tab. */
export async function mailsTo(page: Page, email: string): Promise<string[]> {
	const mailbox = await page.context().newPage();
	await mailbox.goto('/dashboard/dev/mailbox');
	const texts = await mailbox.locator('article', { hasText: email }).allInnerTexts();
	await mailbox.close();
	return texts;
}

/** Makes a key and tells it. The form stands open as long as there is none. */
export async function createKey(page: Page, label: string): Promise<string> {
	await page.goto('/dashboard/api');
	const field = page.getByLabel('Label', { exact: true });
	if (!(await field.isVisible())) await page.getByText('New key').click();
	await field.fill(label);
	await page.getByRole('button', { name: 'Create key' }).click();
	return page.locator('#api-key').innerText();
}

/** Chooses a file on the page of the lists: with a script it is uploaded at once, without one by the button. */
export async function chooseFile(page: Page, name: string, content: Buffer | string): Promise<void> {
	const button = page.getByRole('button', { name: 'Check file' });
	const needsClick = await button.isVisible();
	const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
	await page.getByLabel('File with addresses').setInputFiles(file);
	if (needsClick) await button.click();
}

/** Uploads a list, which is called like its file, and starts it: ends on its page. */
export async function startList(page: Page, name: string, csv: string): Promise<void> {
	await page.goto('/dashboard/lists');
	await chooseFile(page, name, csv);
	await page.getByRole('button', { name: /^Verify / }).click();
	await page.waitForURL(/\/dashboard\/jobs\/job_/);
}

/** Waits until the list on the page is done: then it has a report, and its rows. */
export async function waitForResults(page: Page): Promise<Locator> {
	await page.getByRole('heading', { name: /safe to send/ }).waitFor();
	return page.getByRole('table', { name: 'Results' }).getByRole('row');
}
