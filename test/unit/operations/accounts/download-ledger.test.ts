import { expect, test } from 'vitest';
import type { LedgerEntry, LedgerPlace } from '../../../../src/operations/accounts/port.ts';
import { downloadLedger } from '../../../../src/operations/accounts/download-ledger.ts';

const line = (at: number): LedgerEntry => ({
	id: `ver_${at}`,
	at,
	kind: 'verification',
	credits: 1,
	charged: 1,
	refunded: 0,
	released: 0,
	reserved: 0,
	outcome: 'deliverable',
	keyId: 'k1',
	keyLabel: '=1+1',
	closedAt: at,
	change: -1,
	balanceAfter: 10_000 - at,
});

/** An account whose ledger grows by `growth` lines between two pages. */
function account(lines: number, growth: number) {
	let newest = lines;
	const listLedger = ({ before, pageSize }: { before: LedgerPlace | null; pageSize: number }) => {
		if (before !== null) newest += growth;
		const from = before === null ? newest : before.at - 1;
		const count = Math.max(0, Math.min(pageSize, from));
		const entries = Array.from({ length: count }, (__, index) => line(from - index));
		return Promise.resolve({ entries, older: count < from ? entries.at(-1) : null });
	};
	return () => ({ listLedger }) as never;
}

test.each([0, 1, 999, 1_000, 1_001, 2_500])(
	'a ledger of %i lines comes whole and once, newest first',
	async (lines) => {
		const csv = await new Response(
			downloadLedger({ accounts: account(lines, 0) }, { accountId: 'acc' }),
		).text();
		const ids = csv
			.trim()
			.split('\r\n')
			.slice(1)
			.map((row) => row.split(',')[2]);
		expect(ids).toEqual(Array.from({ length: lines }, (_, index) => `ver_${lines - index}`));
	},
);

test('lines written while it is downloaded make no other line come twice', async () => {
	const csv = await new Response(
		downloadLedger({ accounts: account(2_500, 7) }, { accountId: 'acc' }),
	).text();
	const ids = csv
		.trim()
		.split('\r\n')
		.slice(1)
		.map((row) => row.split(',')[2]);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids).toEqual(Array.from({ length: 2_500 }, (_, index) => `ver_${2_500 - index}`));
});

test('a label that a spreadsheet would run is only text', async () => {
	const csv = await new Response(downloadLedger({ accounts: account(1, 0) }, { accountId: 'acc' })).text();
	expect(csv).toContain(",'=1+1,");
});
