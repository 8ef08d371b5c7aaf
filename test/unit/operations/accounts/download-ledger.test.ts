import { expect, test } from 'vitest';
import type { LedgerEntry, LedgerPlace } from '../../../../src/core/credits/ledger.ts';
import { downloadLedger } from '../../../../src/operations/accounts/accounts.ts';
import { entry } from '../../../support/dashboard/credit-pages.tsx';

const line = (at: number): LedgerEntry => ({
	...entry,
	...{ id: `ver_${at}`, at, keyLabel: '=1+1', name: '=July, "new"', closedAt: at },
});

/** The rows of the file of an account whose ledger grows by `growth` lines between two pages. */
async function rowsOf(lines: number, growth: number): Promise<string[]> {
	let newest = lines;
	const listLedger = ({ before, pageSize }: { before: LedgerPlace | null; pageSize: number }) => {
		if (before !== null) newest += growth;
		const from = before === null ? newest : before.at - 1;
		const count = Math.max(0, Math.min(pageSize, from));
		const entries = Array.from({ length: count }, (__, index) => line(from - index));
		return Promise.resolve({ entries, older: count < from ? entries.at(-1) : null });
	};
	const csv = await new Response(downloadLedger({ listLedger } as never)).text();
	return csv.trim().split('\r\n');
}

test.each([0, 2_000, 2_001, 5_000])(
	'a ledger of %i lines comes whole and once, newest first, whatever is written meanwhile',
	async (lines) => {
		const [head, ...rows] = await rowsOf(lines, 7);
		expect(head).toBe('when,what,id,key,credits,charged,refunded,released,reserved,change,name');
		const ids = rows.map((row) => row.split(',')[2]);
		expect(ids).toEqual(Array.from({ length: lines }, (_, index) => `ver_${lines - index}`));
	},
);

test('what a spreadsheet would run is only text: a label, the name of a list', async () => {
	expect((await rowsOf(1, 0))[1]).toBe(
		`1970-01-01T00:00:00.001Z,verification,ver_1,'=1+1,1,1,0,0,0,-1,"'=July, ""new"""`,
	);
});
