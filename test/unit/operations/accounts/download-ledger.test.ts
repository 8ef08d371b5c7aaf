import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../../src/operations/accounts/port.ts';
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
	const listLedger = ({ page, pageSize }: { page: number; pageSize: number }): Promise<unknown> => {
		if (page > 1) newest += growth;
		const from = newest - (page - 1) * pageSize;
		const count = Math.max(0, Math.min(pageSize, from));
		return Promise.resolve({
			entries: Array.from({ length: count }, (_, index) => line(from - index)),
			total: newest,
		});
	};
	return () => ({ listLedger }) as never;
}

test.each([0, 1, 4_999, 5_000, 5_001, 12_500])(
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
