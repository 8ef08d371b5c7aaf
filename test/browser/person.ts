import { randomInt } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';

/** Opens an account for a new address: ends on the overview. */
export async function signUp(page: Page): Promise<{ email: string }> {
	const email = `person-${randomInt(1e12)}@inbox.test`;
	await page.goto('/dashboard/sign-in');
	await signIn(page, email);
	await page.waitForURL(/\/dashboard$/);
	return { email };
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
	await page.goto('/dashboard/keys');
	const field = page.getByLabel('Label', { exact: true });
	if (!(await field.isVisible())) await page.getByText('New key').click();
	await field.fill(label);
	await page.getByRole('button', { name: 'Create key' }).click();
	return page.locator('#api-key').innerText();
}

/** A file as a person has it. */
export interface GivenFile {
	readonly name: string;
	readonly content: Buffer | string;
	readonly mimeType?: string;
}

/** Chooses a file on the page of the lists: with a script it is uploaded at once, without one by the button. */
export async function chooseFile(
	page: Page,
	{ name, content, mimeType = 'text/csv' }: GivenFile,
): Promise<void> {
	const button = page.getByRole('button', { name: 'Check file' });
	const needsClick = await button.isVisible();
	await page
		.getByLabel('File with addresses')
		.setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
	if (needsClick) await button.click();
}

/** Uploads a list and starts it under a name: ends on the job's page. */
export async function startList(
	page: Page,
	name: string,
	csv: string,
	{ resolvesCatchAll = true }: { readonly resolvesCatchAll?: boolean } = {},
): Promise<void> {
	await page.goto('/dashboard/lists');
	await chooseFile(page, { name: 'list.csv', content: csv });
	await page.getByLabel('Name of the list').fill(name);
	if (!resolvesCatchAll) await page.getByLabel('Score addresses at accept-all domains').uncheck();
	await page.getByRole('button', { name: /^Verify / }).click();
	await page.waitForURL(/\/dashboard\/jobs\/job_/);
}

/** Waits until the list on the page is done: then it has tabs. */
export async function waitForResults(page: Page): Promise<void> {
	await tabOf(page, 'Results').waitFor();
}

/** Opens the rows of the list on the page, once it is done. */
export async function showResults(page: Page): Promise<void> {
	await tabOf(page, 'Results').click();
	await page.waitForURL(/\/results/);
}

/** A tab of a finished list. */
export function tabOf(page: Page, name: string): Locator {
	return page.getByRole('navigation', { name: 'Parts of this list' }).getByRole('link', { name });
}

/** Chooses in one of the filters above the rows: it applies at once. */
export async function filterBy(page: Page, chip: string, choice: RegExp | string): Promise<void> {
	await page.locator('.chip > summary', { hasText: chip }).click();
	await page.locator('.chip[open]').getByRole('link', { name: choice }).click();
}
