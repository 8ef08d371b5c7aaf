import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { findBarriers, openWindow, overflowOf, useBrowser } from './browser.ts';
import { signIn, signUp, signedUp } from './person.ts';

// One address at a time: its answer at an address of its own, and the way back to it.

useBrowser();

async function verifyByKeyboard(page: Page, email: string): Promise<void> {
	const field = page.getByLabel('Email address');
	await field.fill('');
	await field.focus();
	await page.keyboard.type(email);
	await page.keyboard.press('Enter');
}

const card = (page: Page, email: string) => page.getByRole('article', { name: `Result for ${email}` });

test('an answer is reached by keyboard, and Back and Forward lead from one to the next at no cost', async () => {
	const page = await signedUp('/dashboard/verify', { reducedMotion: 'reduce' });
	await verifyByKeyboard(page, 'ada@inbox.test');
	await card(page, 'ada@inbox.test').waitFor();
	const first = page.url();
	await verifyByKeyboard(page, 'nobody@inbox.test');
	await card(page, 'nobody@inbox.test').waitFor();
	await page.goBack();
	await card(page, 'ada@inbox.test').waitFor();
	expect(page.url()).toBe(first);
	await page.goForward();
	await card(page, 'nobody@inbox.test').waitFor();
	await page.reload();
	await card(page, 'nobody@inbox.test').waitFor();
	await page.getByRole('link', { name: 'Home' }).first().click();
	await page.getByText('98 credits left').waitFor();
	const history = page.getByRole('table', { name: 'Verified addresses' });
	await history.getByRole('link', { name: 'ada@inbox.test' }).click();
	await card(page, 'ada@inbox.test').waitFor();
	expect(await findBarriers(page)).toEqual([]);
	for (const width of [360, 768, 1280]) {
		await page.setViewportSize({ width, height: 800 });
		expect(await overflowOf(page), String(width)).toBe(0);
	}
});

test('the answer about a slow server is on the next page', async () => {
	const page = await signedUp('/dashboard/verify', { reducedMotion: 'reduce' });
	await verifyByKeyboard(page, 'ada@silent.test');
	await card(page, 'ada@silent.test')
		.getByText(/did not answer within \d+ s/)
		.first()
		.waitFor();
	expect(await findBarriers(page)).toEqual([]);
	await page.goto('/dashboard');
	await page.getByText('100 credits left').waitFor();
});

test('without a script the page comes to the answer all the same', async () => {
	const page = await signedUp('/dashboard/verify', { javaScriptEnabled: false });
	await page.getByLabel('Email address').fill('ada@slow-catch-all.test');
	await page.getByRole('button', { name: 'Verify address' }).click();
	await card(page, 'ada@slow-catch-all.test').waitFor();
});

test('an address that was sent after the session had ended is in the field again after signing in', async () => {
	const page = await openWindow();
	const { email } = await signUp(page);
	await page.goto('/dashboard/verify');
	await page.getByLabel('Email address').fill('ada@inbox.test');
	// The session ends elsewhere: a copy of its cookie signs out.
	const { url } = inject('service');
	const cookies = await page.context().cookies();
	const csrf = await page.locator('input[name="csrf"]').first().inputValue();
	await fetch(`${url}/dashboard/sign-out`, {
		method: 'POST',
		redirect: 'manual',
		headers: { origin: url, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
		body: new URLSearchParams({ csrf }),
	});
	await page.getByRole('button', { name: 'Verify address' }).click();
	await page.getByText('Your session had ended, so nothing was changed').waitFor();
	await signIn(page, email);
	await page.waitForURL(/\/dashboard\/verify$/);
	expect(await page.getByLabel('Email address').inputValue()).toBe('ada@inbox.test');
	// Only this once.
	await page.reload();
	expect(await page.getByLabel('Email address').inputValue()).toBe('');
});
