import type { Sql } from '../../sql.ts';

/** Marks an account that never paid: its only credits are those of its trial. */
export function trialOf({ sql }: { readonly sql: Sql }): { readonly isTrial?: true } {
	const [other] = sql.rows("SELECT 1 FROM grants WHERE credits > 0 AND id NOT LIKE 'trial %' LIMIT 1");
	return other === undefined ? { isTrial: true } : {};
}
