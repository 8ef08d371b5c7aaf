import { expect, test } from 'vitest';
import { CreditsPage } from '../../../src/dashboard/pages/credits/credits.tsx';
import { OverviewPage } from '../../../src/dashboard/pages/overview.tsx';
import { ALL_LINES } from '../../../src/dashboard/list-query.ts';
import { LastsFor } from '../../../src/dashboard/parts/figures.tsx';
import { htmlOf, overview } from '../../support/dashboard/pages.tsx';
import { credits } from '../../support/dashboard/credit-pages.tsx';
import { noLedger } from '../../support/dashboard/ledger-samples.ts';
import { noBalance } from '../../support/dashboard/samples.ts';

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
	const ledger = { ...noLedger, balance, total: 1, ...more };
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
		expect(page.includes('10 reserved credits come free')).toBe(reserved > 0);
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
		{ month: '2026-11', lines: 1_234, change: -1_200 },
		{ month: '2026-02', lines: 1, change: 5 },
	];
	const page = await creditsPage(100, 99, 0, { months });
	expect(page).toContain('href="/dashboard/credits.csv?from=2026-11-01&amp;to=2026-11-30"');
	expect(page).toContain('href="/dashboard/credits.csv?from=2026-02-01&amp;to=2026-02-28"');
	expect(page).toContain('Feb 2026');
	expect(page).toContain('1,234 lines');
	expect(page).toContain('Lines are kept for 400 days');
});
