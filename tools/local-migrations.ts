import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { WRANGLER, WRANGLER_ENVIRONMENT } from './wrangler-dev.ts';

// Wrangler takes seconds of all cores to apply migrations, even if there are none to apply. So we mark which migrations
// a database has, and a new database is a copy of an earlier one with the same migrations.

const CACHE = 'node_modules/.cache/mailsonar';

/** Brings the local database of a state folder up to date. */
export function applyMigrations(persistTo: string, config: string): void {
	const database = path.join(persistTo, 'v3', 'd1');
	const template = path.join(CACHE, `d1-${fingerprint(config)}`);
	const isNew = !existsSync(database);
	// In the database's own folder, so that both are removed together.
	const mark = path.join(database, path.basename(template));
	if (isNew && existsSync(template)) copyWhole(template, database);
	if (existsSync(mark)) return;
	applyByWrangler(persistTo, config);
	writeFileSync(mark, '');
	if (isNew) copyWhole(database, template);
}

/** A hash of the migrations, of Wrangler's version, and of the configuration of the database. */
function fingerprint(config: string): string {
	const hash = createHash('sha256');
	for (const file of [
		'node_modules/wrangler/package.json',
		config,
		...globSync('migrations/**/*.sql').toSorted(),
	])
		hash.update(file).update(readFileSync(file));
	return hash.digest('hex').slice(0, 16);
}

/** Copies atomically; if another process was faster, its copy stays. */
function copyWhole(from: string, to: string): void {
	mkdirSync(path.dirname(to), { recursive: true });
	const made = mkdtempSync(`${to}-`);
	try {
		cpSync(from, made, { recursive: true });
		renameSync(made, to);
	} catch (error) {
		rmSync(made, { recursive: true, force: true });
		if (!existsSync(to)) throw error;
	}
}

function applyByWrangler(persistTo: string, config: string): void {
	const apply = ['d1', 'migrations', 'apply', 'DB', '--local'];
	const args = [WRANGLER, ...apply, '--persist-to', persistTo, '--config', config];
	const applied = spawnSync(process.execPath, args, {
		encoding: 'utf8',
		env: { ...process.env, ...WRANGLER_ENVIRONMENT },
	});
	if (applied.status !== 0)
		throw new Error(`The migrations could not be applied:\n${applied.stdout}${applied.stderr}`);
}
