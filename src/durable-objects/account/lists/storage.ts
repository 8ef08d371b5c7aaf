import { folded } from '../../../lib/text.ts';
import type { ListState } from '../../../operations/jobs/port.ts';
import { numberOf, textOf } from '../../sql.ts';
import type { Sql } from '../../sql.ts';

/** Which lists to show. */
export interface ListSelection {
	readonly state: ListState;
	readonly search: string;
	readonly madeWith: { readonly keyId: string; readonly is: boolean } | null;
}

// `all` and `completed` are without those that their owner deleted: only their figures are left.
const IS_SELECTED = `kind = 'verification'
	AND CASE ?1 WHEN 'all' THEN deletedAt IS NULL WHEN 'deleted' THEN deletedAt IS NOT NULL
		ELSE status = ?1 AND deletedAt IS NULL END
	AND (?2 = '' OR instr(foldedName, ?2) > 0)
	AND (?3 IS NULL OR (keyId = ?3) = ?4)`;

/** The ids of a page of lists, newest first. */
export function selectLists(sql: Sql, selection: ListSelection, limit: number, offset: number): string[] {
	const query = `SELECT jobId FROM jobs WHERE ${IS_SELECTED}
		ORDER BY createdAt DESC, jobId DESC LIMIT ?5 OFFSET ?6`;
	return sql.rows(query, ...valuesOf(selection), limit, offset).map((row) => textOf(row, 'jobId'));
}

export function countLists(sql: Sql, selection: ListSelection): number {
	const [row] = sql.rows(`SELECT COUNT(*) AS lists FROM jobs WHERE ${IS_SELECTED}`, ...valuesOf(selection));
	return row === undefined ? 0 : numberOf(row, 'lists');
}

function valuesOf({ state, search, madeWith }: ListSelection) {
	return [state, folded(search), madeWith?.keyId ?? null, madeWith?.is === true ? 1 : 0] as const;
}

export function setName(sql: Sql, jobId: string, name: string): void {
	sql.rows('UPDATE jobs SET name = ?, foldedName = ? WHERE jobId = ?', name, folded(name), jobId);
}

/** Only of a job that runs. */
export function setMailWanted(sql: Sql, jobId: string, wanted: boolean): void {
	const query = "UPDATE jobs SET mailWhenDone = ? WHERE jobId = ? AND status = 'processing'";
	sql.rows(query, wanted ? 1 : 0, jobId);
}
