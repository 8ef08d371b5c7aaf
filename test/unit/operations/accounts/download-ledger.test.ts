import { expect, test } from 'vitest';
import type { LedgerEntry, LedgerPlace } from '../../../../src/operations/accounts/port.ts';
import { downloadLedger } from '../../../../src/operations/accounts/credits.ts';

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

test.each([0, 1, 1_999, 2_000, 2_001, 5_000])(
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
		downloadLedger({ accounts: account(5_000, 7) }, { accountId: 'acc' }),
	).text();
	const ids = csv
		.trim()
		.split('\r\n')
		.slice(1)
		.map((row) => row.split(',')[2]);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids).toEqual(Array.from({ length: 5_000 }, (_, index) => `ver_${5_000 - index}`));
});

test('a label that a spreadsheet would run is only text', async () => {
	const csv = await new Response(downloadLedger({ accounts: account(1, 0) }, { accountId: 'acc' })).text();
	expect(csv).toContain(",'=1+1,");
});

test('the name of a list is there, as text that no spreadsheet runs', async () => {
	const entries = [{ ...line(1), id: 'job_1', kind: 'job' }];
	const store = {
		listLedger: () => Promise.resolve({ entries, older: null }),
		jobNames: () => Promise.resolve({ job_1: '=July, "new"' }),
	};
	const accounts = () => store as never;
	const csv = await new Response(downloadLedger({ accounts }, { accountId: 'acc' })).text();
	expect(csv).toContain(`,"'=July, ""new"""\r\n`);
});
