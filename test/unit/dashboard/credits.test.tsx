import { expect, test } from 'vitest';
import { creditsLowMail } from '../../../src/core/identity/mails.ts';
import { AddCreditsPage } from '../../../src/dashboard/pages/credits/add-credits.tsx';
import { contactUrlOf } from '../../../src/dashboard/view.ts';
import { CreditsPage } from '../../../src/dashboard/pages/credits/credits.tsx';
import { OverviewPage } from '../../../src/dashboard/pages/overview.tsx';
import { ALL_LINES } from '../../../src/dashboard/list-query.ts';
import { LastsFor } from '../../../src/dashboard/parts/figures.tsx';
import { htmlOf, overview } from '../../support/dashboard/pages.tsx';
import { credits } from '../../support/dashboard/credit-pages.tsx';
import { noLedger } from '../../support/dashboard/ledger-samples.ts';
import { noBalance, view } from '../../support/dashboard/samples.ts';

/** The ledger's page of an account with so many credits granted, used and set aside. */
async function creditsPage(
	granted: number,
	used: number,
	reserved = 0,
	more: Partial<typeof noLedger> = {},
	isNewest = true,
): Promise<string> {
	const left = granted - used;
	const balance = {
		...noBalance,
		balance: left,
		availableCredits: left - reserved,
		reservedCredits: reserved,
		totalPurchased: granted,
		totalConsumed: used,
	};
	const ledger = { ...noLedger, balance, ...more };
	const page = { ...credits, ledger, lines: [], isNewest };
	return htmlOf(<CreditsPage {...page} />);
}

const TICK = 'class="notice ink-deliverable"';

test.each([
	['none were ever granted', 0, 0, 0],
	['all of them are used', 100, 100, 0],
	['the rest is set aside', 100, 90, 10],
])(
	'nobody is told that all is well where no credits are available: %s',
	async (_, granted, used, reserved) => {
		const page = await creditsPage(granted, used, reserved);
		expect(page).not.toContain(TICK);
		expect(page).toContain('No credits are available');
		// The sum is still told.
		expect(page).toContain(`${granted} received − ${used} used = ${granted - used}`);
	},
);

test('what is said to last is what is available, without what is reserved', async () => {
	const pace = { kind: 'pace', days: 10, perDay: 10, of: 30 } as const;
	const words = 'The available credits last <strong>about 10 days</strong>';
	expect(await htmlOf(<LastsFor available={100} forecast={pace} />)).toContain(words);
	const balance = { ...noBalance, balance: 1_000, availableCredits: 100, reservedCredits: 900 };
	const days = Array.from({ length: 30 }, (_, at) => ({
		day: `2026-10-${String(at + 1).padStart(2, '0')}`,
		requests: 10,
		credits: 10,
		outcomes: { deliverable: 10, undeliverable: 0, risky: 0, unknown: 0 },
	}));
	const page = await htmlOf(<OverviewPage {...overview} balance={balance} days={days} />);
	expect(page).toContain('900 more are reserved');
	expect(page).toContain(words);
});

test('one credit is enough for the tick', async () => {
	const page = await creditsPage(100, 99);
	expect(page).toContain(TICK);
	expect(page).not.toContain('No credits are available');
});

test('a filtered ledger keeps its filter: older lines, newest ones, the file, and the reload', async () => {
	const query = { kind: 'job', from: '2026-11-01', to: '2026-11-21' } as const;
	const narrowed = { ...noLedger, older: { at: 1_700, id: 'job a' } };
	const page = await htmlOf(<CreditsPage {...credits} ledger={narrowed} query={query} isNewest={false} />);
	const words = 'type=job&amp;from=2026-11-01&amp;to=2026-11-21';
	for (const href of [
		`href="/dashboard/credits?${words}&amp;before=1700.job%20a"`,
		`href="/dashboard/credits?${words}"`,
		`href="/dashboard/credits.csv?${words}"`,
		`data-live="/dashboard/credits/live?${words}"`,
		'href="/dashboard/credits"',
	])
		expect(page).toContain(href);
	expect(page).toContain('<option value="job" selected');
	expect(page).toContain('value="2026-11-21"');
});

test('where no line matches, the filter stays, and what to do is said', async () => {
	const query = { ...ALL_LINES, from: '2026-11-01' };
	const none = await htmlOf(<CreditsPage {...credits} ledger={noLedger} lines={[]} query={query} />);
	expect(none).toContain('No line matches');
	expect(none).toContain('value="2026-11-01"');
	const narrowed = { ...noLedger, older: { at: 1, id: 'a' } };
	const so = await htmlOf(<CreditsPage {...credits} ledger={narrowed} lines={[]} query={query} />);
	expect(so).toContain('Look at older ones');
});

test('older lines are found by the last one that was shown, whatever its id', async () => {
	const first = await creditsPage(100, 99, 0, { older: { at: 1_700, id: 'initial grant' } });
	expect(first).toContain('href="/dashboard/credits?before=1700.initial%20grant"');
	expect(first).not.toContain('Newest lines');
	const last = await creditsPage(100, 99, 0, {}, false);
	expect(last).toContain('Newest lines');
	expect(last).not.toContain('Older lines');
});

test('each month is a file of its days', async () => {
	const months = [
		{ month: '2026-11', change: -1_200, balance: 4_321 },
		{ month: '2026-02', change: 5, balance: 5_521 },
	];
	const page = await creditsPage(100, 99, 0, { months });
	expect(page).toContain('href="/dashboard/credits.csv?from=2026-11-01&amp;to=2026-11-30"');
	expect(page).toContain('href="/dashboard/credits.csv?from=2026-02-01&amp;to=2026-02-28"');
	expect(page).toContain('Feb 2026');
	expect(page).toContain('4,321');
	expect(page).toContain('Lines are kept for 400 days');
});

test.each([
	[
		{ CONTACT_URL: 'https://x.test/sales', CONTACT_ADDRESS: 'a@x.test' },
		'Contact us; we add credits the same day.',
	],
	[
		{ CONTACT_URL: 'mailto:sales@x.test?subject=Credits' },
		'Write to sales@x.test; we add credits the same day.',
	],
	[
		{ CONTACT_ADDRESS: 'a@x.test', MAIL_SENDER: 'b@x.test' },
		'Write to a@x.test; we add credits the same day.',
	],
	[{ MAIL_SENDER: 'b@x.test' }, 'Write to b@x.test; we add credits the same day.'],
	[{}, 'Ask the operator of this service for credits.'],
])('without a shop people are told whom to ask: %j', async (config, words) => {
	const shop = { packs: [], takesPayments: false, contactUrl: contactUrlOf(config) };
	const page = { view, shop, available: 1, purchases: [], problem: null, left: false };
	const html = await htmlOf(<AddCreditsPage {...page} />);
	expect(html.replaceAll(/<[^>]*>/g, '')).toContain(words);
});

test.each([
	[1, '1 reserved credit comes free'],
	[10, '10 reserved credits come free'],
])('%i reserved: %s', async (reserved, words) => {
	expect(await creditsPage(100, 100 - reserved, reserved)).toContain(words);
	expect(await creditsPage(100, 100)).not.toContain('free.');
});

test('the mail about a low balance says what is left and what was asked', () => {
	const { subject, text } = creditsLowMail({ balance: 11_853, below: 20_000, links: null });
	expect(subject).toBe('Mailsonar: 11,853 credits are left');
	expect(text).toContain('11,853 credits left. You asked us to tell you below 20,000.\n');
	expect(creditsLowMail({ balance: 1, below: 2, links: null }).subject).toBe('Mailsonar: 1 credit is left');
});
