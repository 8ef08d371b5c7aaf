import { expect, test } from 'vitest';
import { totpCode } from '../../src/lib/totp.ts';
import { fromBase32 } from '../support/base32.ts';
import { findBarriers, openWindow, useBrowser } from './browser.ts';
import { PASSWORD, signUp } from './person.ts';

// What guards an account, in a real browser.

useBrowser();

const STEP_MS = 30_000;

test('two-factor sign-in is set up, asks for a code, and takes it, from the keyboard', async () => {
	const page = await openWindow();
	const { email } = await signUp(page);
	await page.goto('/dashboard/settings/two-factor');
	// Typing begins in the first field.
	await page.locator('input[name="current"]:focus').waitFor();
	await page.keyboard.type(PASSWORD);
	await page.keyboard.press('Enter');
	await page.getByRole('img', { name: /^QR code/ }).waitFor();
	expect(await findBarriers(page)).toEqual([]);
	const secret = fromBase32((await page.locator('#factor-key').textContent()) ?? '');
	await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, Date.now()));
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'Two-factor sign-in is on' }).waitFor();
	expect((await page.locator('#recovery-codes').textContent())?.split('\n')).toHaveLength(10);
	const download = page.waitForEvent('download');
	await page.getByRole('link', { name: 'Download as text' }).click();
	expect((await download).suggestedFilename()).toBe('mailsonar-recovery-codes.txt');
	await page.getByRole('button', { name: 'Sign out' }).first().click();
	await page.getByLabel('Email').fill(email);
	await page.getByLabel('Password').fill(PASSWORD);
	await page.keyboard.press('Enter');
	await page.locator('input[name="code"]:focus').waitFor();
	await page.keyboard.type(totpCode(secret, Date.now() + STEP_MS));
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('deleting the account is a quiet link at the end of the settings, and asks for the address first', async () => {
	const page = await openWindow();
	const { email } = await signUp(page);
	await page.goto('/dashboard/settings');
	expect(await page.locator('main .button-danger:visible').count()).toBe(0);
	const link = page.getByRole('link', { name: 'Delete this account' });
	await link.focus();
	await page.keyboard.press('Enter');
	const dialog = page.getByRole('dialog', { name: 'Delete your account' });
	await dialog.waitFor();
	expect(await findBarriers(page)).toEqual([]);
	await page.keyboard.press('Escape');
	expect(await page.getByRole('dialog').count()).toBe(0);
	await page.keyboard.press('Enter');
	await dialog.getByLabel(/^Type your address/).fill(email);
	await dialog.getByLabel('Password').fill(PASSWORD);
	await page.keyboard.press('Enter');
	await page.getByText('Your account is deleted').waitFor();
});

test('a form sent after the session has ended says why nothing changed, and keeps what was typed', async () => {
	const page = await openWindow();
	const { email } = await signUp(page);
	await page.goto('/dashboard/settings');
	await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
	const session = (await page.context().cookies()).find(({ name }) => name.endsWith('session'));
	await page.context().addCookies([{ ...session!, value: 'of-a-session-that-ended' }]);
	await page.getByRole('button', { name: 'Save name' }).click();
	await page.getByText('Your session had ended, so nothing was changed').waitFor();
	await page.getByLabel('Email').fill(email);
	await page.getByLabel('Password').fill(PASSWORD);
	await page.keyboard.press('Enter');
	await page.waitForURL(/\/dashboard\/settings/);
	expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');
});
