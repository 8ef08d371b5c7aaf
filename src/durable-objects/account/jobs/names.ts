import { textOf } from '../../sql.ts';
import type { AccountContext, RequestOf } from '../context.ts';

/** The names of the account's jobs; those without one are left out. */
export function jobNames(
	{ sql, credits }: AccountContext,
	{ jobIds }: RequestOf<'jobNames'>,
): Readonly<Record<string, string>> {
	if (!credits.exists || jobIds.length === 0) return {};
	const rows = sql.rows(
		'SELECT job_id, name FROM jobs WHERE name IS NOT NULL AND job_id IN (SELECT value FROM json_each(?))',
		JSON.stringify(jobIds),
	);
	return Object.fromEntries(rows.map((row) => [textOf(row, 'job_id'), textOf(row, 'name')]));
}
