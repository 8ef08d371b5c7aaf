import { beginOfDay, DAY_MS } from '../lib/time.ts';
import { LEDGER_KINDS } from '../operations/accounts/port.ts';
import type { LedgerFilter, LedgerKind, LedgerPlace } from '../operations/accounts/port.ts';

/** Which lines of the ledger a page shows, as its form says it. */
export interface LedgerQuery {
	readonly kind: LedgerKind | null;
	/** Days such as `2026-11-21` (UTC), both included; empty: no bound. */
	readonly from: string;
	readonly to: string;
}

export const ALL_LINES: LedgerQuery = { kind: null, from: '', to: '' };
export const LEDGER_PAGE = '/dashboard/credits';

/**
 * Reads the query of the ledger. It ignores unknown fields: an old link shows more rows, and never an error.
 *
 * @param value the value of a parameter
 */
export function readLedgerQuery(value: (name: string) => string | undefined): LedgerQuery {
	const day = (name: string): string => {
		const text = value(name) ?? '';
		return beginOfDay(text) === null ? '' : text;
	};
	const type = value('type');
	return { kind: LEDGER_KINDS.find((kind) => kind === type) ?? null, from: day('from'), to: day('to') };
}

/** Whether it leaves lines out. */
export function isNarrowed({ kind, from, to }: LedgerQuery): boolean {
	return kind !== null || from !== '' || to !== '';
}

/** The times that a query means. */
export function filterOfQuery({ kind, from, to }: LedgerQuery): LedgerFilter {
	const end = beginOfDay(to);
	return { kind, from: beginOfDay(from), until: end === null ? null : end + DAY_MS };
}

/** The address of a page or file of the ledger with these lines. */
export function ledgerHref(
	path: string,
	{ kind, from, to }: LedgerQuery,
	before: LedgerPlace | null = null,
): string {
	const words = [
		...(kind === null ? [] : [['type', kind] as const]),
		...(from === '' ? [] : [['from', from] as const]),
		...(to === '' ? [] : [['to', to] as const]),
		...(before === null ? [] : [['before', `${before.at}.${before.id}`] as const]),
	].map(([name, word]) => `${name}=${encodeURIComponent(word)}`);
	return words.length === 0 ? path : `${path}?${words.join('&')}`;
}

/** All lines of a month such as `2026-11`. */
export function queryOfMonth(month: string): LedgerQuery {
	const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0));
	return { kind: null, from: `${month}-01`, to: last.toISOString().slice(0, 10) };
}
