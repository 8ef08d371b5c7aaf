import type { LedgerPolicy } from '../../../core/credits/ledger-policy.ts';
import { endOfMonth, monthOf } from '../../../core/credits/month.ts';
import { assert } from '../../../lib/assert.ts';
import type { LedgerPiece } from '../../../operations/accounts/ledger-files-port.ts';
import { numberOrNull } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { requireState } from './books.ts';
import { entriesOf } from './entries.ts';
import { placeOf } from './marks.ts';
import type { LedgerPlace } from '../../../operations/accounts/port.ts';

// Old lines go into files, by month, and are deleted here later. Each step is bounded, and the alarm does one at a time:
// a piece is stored first and recorded then, so dying in between stores the same piece again.

/**
 * How long after its time a line may still be added: a Worker's clock is never so far behind. Younger lines stay out of
 * files.
 */
const SETTLED_AFTER_MS = 24 * 3_600_000;
/** An open line, of a job that runs, keeps all lines after it out of files; so often it is looked at again. */
const BLOCKED_MS = 3_600_000;

/** When a line made at `at` goes into its file at the latest, unless it is open. */
export function filingAt(at: number): number {
	return endOfMonth(monthOf(at)) + SETTLED_AFTER_MS;
}

/** A piece to be stored, and after which line it begins. */
export interface DuePiece {
	readonly piece: LedgerPiece;
	readonly after: LedgerPlace;
	readonly last: LedgerPlace;
}

/** The piece to be stored next, or when there may be one; both null: when there is a new line. */
export function findPiece(
	account: AccountContext,
	now: number,
	{ linesPerPiece }: LedgerPolicy,
): { readonly due: DuePiece | null; readonly at: number | null } {
	const { credits, files } = account;
	const state = credits.exists ? credits.read() : null;
	if (state === null) return { due: null, at: null };
	closeMonth(account, now);
	const { filed, filedLines } = files.read();
	const first = files.firstAfter(filed);
	const open = files.openMonth();
	if (first === null) return { due: null, at: open === null ? null : filingAt(endOfMonth(open.month) - 1) };
	const end = endOfMonth(monthOf(first));
	const isOver = now >= end + SETTLED_AFTER_MS;
	const waiting = state.ledger.lines - filedLines;
	if (!isOver && waiting < linesPerPiece) return { due: null, at: end + SETTLED_AFTER_MS };
	const later = Math.min(end + SETTLED_AFTER_MS, now + BLOCKED_MS);
	const rows = files.linesAfter(filed, Math.min(end, now - SETTLED_AFTER_MS), linesPerPiece);
	const openAt = rows.findIndex((row) => numberOrNull(row['closed_at']) === null);
	const ended = openAt === -1 ? rows : rows.slice(0, openAt);
	// A piece is full or its month's last; but a month's lines are not kept waiting by one that is open.
	if (ended.length === 0 || (!isOver && ended.length < linesPerPiece))
		return { due: null, at: isOver ? now + BLOCKED_MS : later };
	const month = monthOf(first);
	const last = ended.at(-1);
	assert(last !== undefined, 'a piece has lines');
	const entries = entriesOf(account, ended.toReversed(), placeOf(last)).toReversed();
	const piece = { month, piece: open?.month === month ? open.pieces : 0, entries };
	return { due: { piece, after: filed, last: placeOf(last) }, at: null };
}

/** Records that a piece is stored. Recording it again changes nothing. */
export function recordPiece(account: AccountContext, { piece, after, last }: DuePiece, now: number): void {
	const { credits, files } = account;
	const state = requireState(credits);
	const before = files.read();
	if (before.filed.at !== after.at || before.filed.id !== after.id) return;
	const { month, entries } = piece;
	const filedLines = before.filedLines + entries.length;
	assert(filedLines <= state.ledger.lines, 'no line is filed twice');
	const open = files.openMonth();
	const known = open?.month === month ? open : { pieces: 0, lines: 0, change: 0 };
	assert(known.pieces === piece.piece, 'pieces are stored in order');
	assert(open === null || open.month === month, 'a month is closed before the next begins');
	files.writeMonth({
		month,
		pieces: known.pieces + 1,
		lines: known.lines + entries.length,
		change: entries.reduce((sum, { change }) => sum + change, known.change),
		closedAt: null,
	});
	files.write({ ...before, filed: last, filedLines });
	credits.write({ ...state, ledger: { ...state.ledger, filedUntil: last.at } });
	closeMonth(account, now);
}

/** Closes the open month once it is over and all of its lines stand in files. */
function closeMonth({ files }: AccountContext, now: number): void {
	const open = files.openMonth();
	if (open === null) return;
	const end = endOfMonth(open.month);
	if (now < end + SETTLED_AFTER_MS) return;
	const next = files.firstAfter(files.read().filed);
	if (next === null || next >= end) files.writeMonth({ ...open, closedAt: now });
}

/** Deletes some of the lines that are too old and stand in files. Returns when there is more to delete. */
export function pruneLines(
	{ credits, files, marks }: AccountContext,
	now: number,
	policy: LedgerPolicy,
): number | null {
	const state = credits.exists ? credits.read() : null;
	if (state === null) return null;
	const before = files.read();
	const { filed, pruned, prunedSums } = before;
	const oldest = files.firstAfter(pruned);
	if (oldest === null || oldest > filed.at) return null;
	const excess = state.ledger.lines - prunedSums.lines - policy.linesMax;
	const cutoff = excess > 0 ? now : now - policy.retentionMs;
	const most = Math.min(policy.linesPruned, excess > 0 ? excess : Infinity);
	const last = files.lastOf(pruned, filed, cutoff, most);
	// What is old enough and in no file yet is looked at when it is.
	const dueAt = oldest + policy.retentionMs + 1;
	if (last === null) return dueAt > now ? dueAt : null;
	const sums = marks.sumsBetween(pruned, last);
	files.deleteLines(pruned, last);
	marks.forgetUpTo(last);
	files.write({
		...before,
		pruned: last,
		prunedSums: { lines: prunedSums.lines + sums.lines, change: prunedSums.change + sums.change },
	});
	// At once: there may be more, and if not it is seen then.
	return now;
}
