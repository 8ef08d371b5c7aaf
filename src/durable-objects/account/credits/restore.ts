import type { AccountContext } from '../context.ts';
import { AFTER_ALL } from './marks.ts';

/**
 * Makes anew what the account's row and the marks say of the ledger, where code from before them wrote the row. Counts
 * all lines once; the alarm makes the marks. Returns whether anything was missing.
 *
 * The sums are the balance's: a ledger that did not add up to it is shown as such (`reconciled`) and locks nobody out.
 */
export function restoreLedger({ credits, files, marks, jobs }: AccountContext): boolean {
	if (!credits.lacksLedger) return false;
	marks.forgetUpTo(AFTER_ALL);
	const { filed, prunedSums } = files.read();
	const { granted, consumed, reserved } = credits.readBalance();
	credits.restoreLedger({
		lines: prunedSums.lines + credits.countLines(),
		granted,
		charged: consumed,
		reserved,
		markedUntil: null,
		filedUntil: filed.at < 0 ? null : filed.at,
	});
	jobs.wakeAll();
	return true;
}
