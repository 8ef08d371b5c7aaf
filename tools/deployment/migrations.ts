import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Platform } from './platform.ts';

/** The first line of a migration after which older code fails. `test/unit/deployment/migrations.test.ts` demands it. */
export const TAKES_AWAY = '-- Takes away: applied after the code that no longer uses it.';

export interface Migration {
	/** The name of its file. */
	readonly name: string;
	/** Whether older code may need what it removes. */
	readonly takesAway: boolean;
	/** When the database got it; null: not yet. */
	readonly appliedAt: number | null;
}

/** Returns the migrations of a folder in their order. */
export async function readMigrations(platform: Platform, folder: string): Promise<readonly Migration[]> {
	const rows = await platform.select<{ name: string; applied_at: string }>('*', 'd1_migrations');
	const applied = new Map(rows.map((row) => [row.name, Date.parse(`${row.applied_at.replace(' ', 'T')}Z`)]));
	return readdirSync(folder)
		.filter((name) => name.endsWith('.sql'))
		.toSorted()
		.map((name) => ({
			name,
			takesAway: readFileSync(path.join(folder, name), 'utf8').startsWith(TAKES_AWAY),
			appliedAt: applied.get(name) ?? null,
		}));
}
