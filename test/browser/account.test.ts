import { expect, test } from 'vitest';
import { findBarriers, openWindow, useBrowser } from './browser.ts';
import { mailsTo, signIn, signUp } from './person.ts';

// What guards an account, in a real browser.

useBrowser();

test('an account is opened from the keyboard, by the code or by the link of the mail, and moves to another address', async () => {
	const page = await openWindow();
	await page.goto('/dashboard/sign-in');
	const email = `keys-${Date.now()}@inbox.test`;
	await page.locator('input[name="email"]:focus').waitFor();
	expect(await findBarriers(page)).toEqual([]);
	await page.keyboard.type(email);
	await page.keyboard.press('Enter');
	await page.locator('input[name="code"][autocomplete="one-time-code"]:focus').waitFor();
	expect(await findBarriers(page)).toEqual([]);
	const [mail = ''] = await mailsTo(page, email);
	const link = /https?:\S+/.exec(mail)?.[0] ?? '';
	const elsewhere = await openWindow();
	await elsewhere.goto(link);
	await elsewhere.getByRole('heading', { name: 'This code does not work here' }).waitFor();
	await page.goto(link);
	await page.locator('input[name="code"]:focus').waitFor();
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'Home' }).waitFor();
	await page.goto('/dashboard/settings/address');
	await page.locator('input[name="email"]:focus').waitFor();
	const to = `moved-${Date.now()}@inbox.test`;
	await page.keyboard.type(to);
	await page.keyboard.press('Enter');
	await page.locator('input[name="code"]:focus').waitFor();
	const [second = ''] = await mailsTo(page, to);
	await page.keyboard.type(/\d{6}/.exec(second)?.[0] ?? '');
	await page.keyboard.press('Enter');
	await page.getByText(`Your address is now ${to}`).waitFor();
});

test('a form sent after the session has ended says why nothing changed, and keeps what was typed', async () => {
	const page = await openWindow();
	const { email } = await signUp(page);
	await page.goto('/dashboard/settings');
	await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace');
	const session = (await page.context().cookies()).find(({ name }) => name.endsWith('session'));
	await page.context().addCookies([{ ...session!, value: 'of-a-session-that-ended' }]);
	await page.getByRole('button', { name: 'Save name' }).click();
	await page.getByText('Your session had ended, so nothing was changed').waitFor();
	await signIn(page, email);
	await page.waitForURL(/\/dashboard\/settings/);
	expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Ada Lovelace');
});
