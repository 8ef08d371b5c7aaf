import { assert } from '../../../lib/assert.ts';
import type { LedgerPage } from '../../../operations/accounts/port.ts';
import type { AccountContext, RequestOf } from '../context.ts';
import { requireState, viewOfBalance } from './books.ts';
import { chargedByRunning, entriesOf } from './entries.ts';
import { AFTER_ALL, placeOf } from './marks.ts';

const PAGE_MAX = 5_000;

/** A page of the ledger, newest first. Reads its own lines and those up to the next mark, however many there are. */
export function listLedger(
	account: AccountContext,
	{ before, pageSize }: RequestOf<'listLedger'>,
): LedgerPage {
	assert(Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= PAGE_MAX, 'a page has a number of lines');
	const { credits, files, marks, jobs } = account;
	const state = requireState(credits);
	const { granted, charged, reserved, lines } = state.ledger;
	const balance = viewOfBalance(state);
	const rows = credits.linesBefore(before ?? AFTER_ALL, pageSize + 1);
	const shown = rows.slice(0, pageSize);
	const [first, last] = [shown[0], shown.at(-1)];
	const entries = first === undefined ? [] : entriesOf(account, shown, placeOf(first));
	const all = marks.sumsUpTo(AFTER_ALL);
	return {
		entries,
		older: rows.length > pageSize && last !== undefined ? placeOf(last) : null,
		total: lines,
		balance,
		totals: { granted, charged, reserved },
		// From the lines themselves: the marks were made of them.
		reconciled: all.lines === lines && all.change - chargedByRunning(jobs, AFTER_ALL) === balance.balance,
		months: files.months(),
	};
}
