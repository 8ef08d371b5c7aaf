import { expect, test } from 'vitest';
import { CreditsPage } from '../../../src/dashboard/pages/credits.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';
import { noBalance, view } from '../../support/dashboard/samples.ts';

/** The ledger's page of an account with so many credits granted, used and set aside. */
async function creditsPage(granted: number, used: number, reserved = 0): Promise<string> {
	const left = granted - used;
	const balance = {
		...noBalance,
		balance: left,
		availableCredits: left - reserved,
		reservedCredits: reserved,
		totalPurchased: granted,
		totalConsumed: used,
	};
	const pagination = { total: 1, page: 1, limit: 50, pages: 1, hasNextPage: false };
	return htmlOf(<CreditsPage view={view} balance={balance} lines={[]} reconciled pagination={pagination} />);
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
		expect(page).toContain(`${granted} granted − ${used} used = ${granted - used}`);
	},
);

test('one credit is enough for the tick', async () => {
	const page = await creditsPage(100, 99);
	expect(page).toContain(TICK);
	expect(page).not.toContain('No credits are available');
});
