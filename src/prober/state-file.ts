import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describeError, log } from '../lib/log.ts';

const SCHEMA = `
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = NORMAL;
	CREATE TABLE IF NOT EXISTS standings (
		name TEXT PRIMARY KEY, standing TEXT NOT NULL, until INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS growths (
		name TEXT PRIMARY KEY, factor REAL NOT NULL, good_days INTEGER NOT NULL, day INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS invented (
		domain TEXT PRIMARY KEY, replies TEXT NOT NULL, until INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS invented_until ON invented (until);
	CREATE TABLE IF NOT EXISTS spent (
		name TEXT PRIMARY KEY, day INTEGER NOT NULL, recipients INTEGER NOT NULL, shares TEXT NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS egresses (
		name TEXT PRIMARY KEY, since INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	-- Day, digest of the domain and account, in one text: the oldest sort first.
	CREATE TABLE IF NOT EXISTS asked (
		name TEXT PRIMARY KEY, addresses INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
`;

/** The database that a prober remembers in. */
export interface StateFile {
	readonly db: DatabaseSync;
	/** The disk is full or broken: the database lives in memory. */
	readonly isForgetful: boolean;
	/** When a damaged file was set aside for this one, epoch ms; null: none was. */
	readonly setAsideAt: number | null;
}

// https://www.sqlite.org/rescode.html, in the lowest octet: SQLITE_IOERR and SQLITE_FULL; SQLITE_CORRUPT and SQLITE_NOTADB.
const DISK_ERRORS: ReadonlySet<number> = new Set([10, 13]);
const DAMAGES: ReadonlySet<number> = new Set([11, 26]);

/** The findings of `PRAGMA quick_check`, which throws for none of them. */
class DamagedFile extends Error {
	override readonly name = 'DamagedFile';
	readonly errcode = 11;
}

/**
 * Opens the database. A damaged one is set aside, under a name with the time, so that it can be looked at: with a new
 * one every source address is new, which is too slow rather than too fast. So it is with a disk that takes nothing, where
 * the database lives in memory. Throws for any other reason, such as a folder that is not there.
 *
 * @param file `:memory:`: nothing survives
 */
export function openStateFile(file: string, now: number): StateFile {
	try {
		return { db: opened(file), isForgetful: false, setAsideAt: null };
	} catch (error) {
		const code = codeOf(error);
		if (DAMAGES.has(code) && isSetAside(file, now, error))
			return { ...openStateFile(file, now), setAsideAt: now };
		if (!DISK_ERRORS.has(code) && !DAMAGES.has(code)) throw error;
		log('prober_state_failed', describeError(error));
		return { db: opened(':memory:'), isForgetful: true, setAsideAt: null };
	}
}

function opened(file: string): DatabaseSync {
	const db = new DatabaseSync(file);
	try {
		db.exec(SCHEMA);
		const [found] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
		if (found !== 'ok') throw new DamagedFile();
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

function codeOf(error: unknown): number {
	return ((error as { readonly errcode?: number }).errcode ?? 0) & 0xff;
}

/** Renames the file with its log, which belongs to it alone; false: the disk does not let us. */
function isSetAside(file: string, now: number, why: unknown): boolean {
	const aside = `${file}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
	try {
		for (const part of ['', '-wal', '-shm'])
			if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${aside}${part}`);
	} catch (error) {
		log('prober_state_failed', describeError(error));
		return false;
	}
	log('prober_state_set_aside', { as: aside, ...describeError(why) });
	return true;
}
