import { afterAll, beforeAll, expect, test } from 'vitest';
import { servePages } from '../support/dashboard/serve-pages.ts';
import { openWindow, useBrowser } from './browser.ts';

useBrowser();

let served: Awaited<ReturnType<typeof servePages>>;
beforeAll(async () => {
	served = await servePages();
});
afterAll(() => served.close());

// What runs or would run on the page, in milliseconds. The text runs in the page, which has no types here.
const MOTIONS = `[...document.querySelectorAll('*')].flatMap((one) => {
	const { transitionDuration, animationDuration, animationName } = getComputedStyle(one);
	const ms = (text) => text.split(', ').map((time) => parseFloat(time) * 1_000);
	return [...ms(transitionDuration), ...(animationName === 'none' ? [] : ms(animationDuration))];
})`;

test.each([
	['no-preference', 150],
	['reduce', 0],
] as const)(
	'where the person asks for %s, nothing moves for longer than %i ms',
	async (reducedMotion, most) => {
		const page = await openWindow({ reducedMotion });
		const found: number[] = [];
		for (const name of ['api-revoked', 'job-working', 'lists', 'landing']) {
			await page.goto(`${served.url}/${name}`);
			found.push(...(await page.evaluate<number[]>(MOTIONS)));
		}
		expect(Math.max(...found)).toBe(most);
	},
);

test('a part that is renewed keeps what was unfolded, and waits while a field in it has the focus', async () => {
	const page = await openWindow();
	await page.clock.install();
	const more = '<details><summary>More</summary>Here</details>';
	let done = 1;
	await page.route('**/live', (route) =>
		route.fulfill({
			contentType: 'text/html',
			body: `<div data-live="/live">${more}<p>${done} done</p><input name="first"></div>`,
		}),
	);
	await page.goto(`${served.url}/job-working`);
	const renewed = async (words: string) => {
		while ((await page.getByText(words).count()) === 0) await page.clock.runFor(2_000);
	};
	await renewed('1 done');
	await page.getByText('More', { exact: true }).click();
	await page.getByRole('heading', { level: 1 }).click();
	done = 2;
	await renewed('2 done');
	expect(await page.getByText('Here').isVisible()).toBe(true);
	await page.locator('input[name="first"]').fill('typed');
	done = 3;
	await page.clock.runFor(60_000);
	expect(await page.locator('input[name="first"]').inputValue()).toBe('typed');
	await page.locator('input[name="first"]').blur();
	await renewed('3 done');
});

test('a running page says that nothing arrives any more, until something does', async () => {
	const page = await openWindow();
	await page.clock.install();
	await page.goto(`${served.url}/job-working`);
	await page.route('**/live', (route) => route.fulfill({ status: 404 }));
	const notice = page.getByRole('status').filter({ hasText: 'No connection: these figures may be old' });
	while ((await notice.count()) === 0) await page.clock.runFor(2_000);
	await page.unroute('**/live');
	await page.route('**/live', (route) =>
		route.fulfill({ contentType: 'text/html', body: '<div data-live="/live"><p>2 done</p></div>' }),
	);
	while ((await notice.count()) > 0) await page.clock.runFor(10_000);
	await page.getByText('2 done').waitFor();
});
