import { expect, test } from 'vitest';
import { creditsPlace } from '../../../src/dashboard/pages/credits.tsx';
import { addCreditsPlace } from '../../../src/dashboard/pages/payments.tsx';
import { contactUrlOf } from '../../../src/dashboard/view.ts';
import { credits } from '../../support/dashboard/credit-pages.tsx';
import { htmlOf, home } from '../../support/dashboard/pages.tsx';
import { balanceOf, view } from '../../support/dashboard/samples.ts';
import { homePlace } from '../../../src/dashboard/pages/home.tsx';

/** The page of an account with so many credits granted, used and set aside. */
async function creditsPage(granted: number, used: number, reserved = 0, more: Partial<typeof credits> = {}) {
	const balance = balanceOf(granted, used, reserved);
	return htmlOf(creditsPlace.draw(view, { ...credits, balance, lines: [], older: null, ...more }));
}

test.each([
	['none were ever granted', 0, 0, 0],
	['all of them are used', 100, 100, 0],
	['the rest is set aside', 100, 90, 10],
	['one is left', 100, 99, 0],
])('the sum is told, and whether any credit is left: %s', async (_, granted, used, reserved) => {
	const page = await creditsPage(granted, used, reserved);
	const left = granted - used - reserved;
	expect(page.includes('No credits are available')).toBe(left === 0);
	expect(page).toContain(`${granted} received = ${used} used + ${reserved} reserved + ${left} left.`);
});

test('what is left comes first, then where it went: by day, then line by line', async () => {
	const heads = [...(await creditsPage(100, 99)).matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id);
	expect(heads).toEqual(['verifications-by-day', 'ledger', 'low-balance']);
});

test('older lines are found by the last one that was shown, whatever its id', async () => {
	const first = await creditsPage(100, 99, 0, { older: { at: 1_700, id: 'initial grant' } });
	expect(first).toContain('href="/dashboard/credits?before=1700.initial%20grant"');
	expect(first).not.toContain('Newest lines');
	const last = await creditsPage(100, 99, 0, { isNewest: false });
	expect(last).toContain('Newest lines');
	expect(last).not.toContain('Older lines');
});

test.each([
	[{ CONTACT_URL: 'https://x.test/sales', CONTACT_ADDRESS: 'a@x.test' }, 'Contact us'],
	[{ CONTACT_URL: 'mailto:sales@x.test?subject=Credits' }, 'Write to sales@x.test'],
	[{ CONTACT_ADDRESS: 'a@x.test', MAIL_SENDER: 'b@x.test' }, 'Write to a@x.test'],
	[{ MAIL_SENDER: 'b@x.test' }, 'Write to b@x.test'],
	[{}, null],
])('without a shop people are told whom to ask: %j', async (config, words) => {
	const shop = { packs: [], takesPayments: false, contactUrl: contactUrlOf(config) };
	const html = await htmlOf(
		addCreditsPlace.draw(view, { ...shop, available: 1, purchases: [], left: false }),
	);
	const whom =
		words === null
			? 'Ask the operator of this service for credits.'
			: `${words}; we add credits the same day.`;
	expect(html.replaceAll(/<[^>]*>/g, '')).toContain(whom);
});

test.each([
	[1, '1 reserved credit comes free'],
	[10, '10 reserved credits come free'],
])('%i reserved: %s', async (reserved, words) => {
	expect(await creditsPage(100, 100 - reserved, reserved)).toContain(words);
	expect(await creditsPage(100, 100)).not.toContain('free.');
});

test('the bars of a day begin at zero and stand on one another without gaps', async () => {
	const chart = await creditsPage(100, 99);
	const zero = Number(/<line stroke="var\(--line-strong\)"[^>]* y1="([\d.]+)"/.exec(chart)?.[1]);
	const days = [...chart.matchAll(/<g class="day">(.*?)<\/g>/gs)].map(([, day = '']) =>
		[...day.matchAll(/class="fill-[^>]* y="([\d.]+)" height="([\d.]+)"/g)].map(([, ...at]) => at.map(Number)),
	);
	for (const bars of days) {
		let foot = zero;
		for (const [top = 0, height = 0] of bars) {
			expect(Math.abs(top + height - foot)).toBeLessThanOrEqual(foot === zero ? 1 : 0.02);
			foot = top;
		}
	}
	expect(days.some((bars) => bars.length === 4)).toBe(true);
});

// A script asks for one part of a page again and again. What can change while work goes on has to be inside of it.

test('credits and Home at work: what moves is asked for again, until nothing is reserved and no list runs', async () => {
	const creditsOf = async (more: Partial<typeof credits>) =>
		htmlOf(creditsPlace.draw(view, { ...credits, ...more }));
	const moving = await creditsOf({});
	expect(moving).toMatch(/<div data-live="[^"]*"><section.*12,341.*12,341 still reserved/s);
	const balance = { ...credits.balance, availableCredits: 48_158, reservedCredits: 0 };
	expect(await creditsOf({ balance })).toContain('data-done');
	// Older lines do not move.
	expect(await creditsOf({ isNewest: false })).toContain('data-done');
	const working = await htmlOf(homePlace.draw(view, home));
	expect(working).toMatch(/<div data-live="[^"]*"><section.*18 min left/s);
	expect(await htmlOf(homePlace.draw(view, { ...home, running: [] }))).not.toContain('data-live');
});
