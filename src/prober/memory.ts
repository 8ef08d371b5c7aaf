import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import { dayOf as utcDayOf } from '../core/credits/usage.ts';
import type { RecipientReply } from '../core/smtp/session.ts';
import type { Gate } from '../core/turns/gate.ts';
import type { Spent } from '../core/turns/day.ts';
import type { Standing } from '../core/turns/pause.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { describeError, log } from '../lib/log.ts';
import { DAY_MS, dayOf } from '../lib/time.ts';
import type { AskingAccount } from '../wire/prober-state.ts';
import type { Clock } from './ports.ts';

const SCHEMA = `
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = NORMAL;
	-- A gate (google by direct), a domain at a gate, or a source address (its name alone) with when it was used first.
	CREATE TABLE IF NOT EXISTS gates (
		name TEXT PRIMARY KEY, since INTEGER NOT NULL, standing TEXT, day INTEGER NOT NULL, spent TEXT, until INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	-- What a domain says to invented recipients.
	CREATE TABLE IF NOT EXISTS domains (
		name TEXT PRIMARY KEY, replies TEXT NOT NULL, until INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS domains_until ON domains (until);
	-- Day, digest of the domain and account, in one text: the oldest sort first.
	CREATE TABLE IF NOT EXISTS asked (
		name TEXT PRIMARY KEY, addresses INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
`;

// Entries that are out of date are removed now and then.
const WRITES_PER_CLEANING = 1_000;
// A transaction for each write would cost more than the question that it is about. A crash loses so much at most.
const COMMIT_AFTER_MS = 1_000;
/** How many rows of a kind are kept; those about to expire give way. */
const LIMITS = { gates: 100_000, domains: 100_000, asked: 1_000_000 };
// A pause is remembered after its end, so that one question tries whether it is over before all do.
const KEPT_MS = DAY_MS;
// Long enough for an admin to see it.
const LISTED_KEPT_MS = 7 * DAY_MS;
// Nothing that a domain said is believed for longer: what seems to be is of a clock that was ahead.
const DOMAIN_KEPT_MS_MAX = 7 * DAY_MS;
const FOR_EVER = Number.MAX_SAFE_INTEGER;
// So long an abuse report about a domain and a day leads to an account.
const ASKED_KEPT_DAYS = 7;
const ASKERS_MAX = 100;
// Domains that one account adds a day: it must not push out the days before.
const ASKED_OF_ONE_MAX = 20_000;

// https://www.sqlite.org/rescode.html, in the lowest octet: SQLITE_IOERR and SQLITE_FULL; SQLITE_CORRUPT and SQLITE_NOTADB.
const DISK_ERRORS: ReadonlySet<number> = new Set([10, 13]);
const DAMAGES: ReadonlySet<number> = new Set([11, 26]);

/**
 * The memory of a prober across a restart: how operators stand to its source addresses, what was used of the day's budgets,
 * and what domains said to invented recipients. No address of anybody. A disk that fails costs memory, never an answer:
 * what can't be written is forgotten, and said in the log.
 */
export class ProberMemory {
	readonly #db: DatabaseSync;
	readonly #clock: Clock;
	/** Looked at before every connection; a disk that fails must not make us forget that we were refused. */
	readonly #standings: ExpiringMap<Standing>;
	readonly #limits: typeof LIMITS;
	readonly #statements = new Map<string, StatementSync>();
	/** Gates whose day changed since the last commit. */
	readonly #changed = new Map<string, Pick<Gate, 'spent'>>();
	#writes = 0;
	/** Domains that each account asked about first today. */
	#newlyAsked = { day: '', domains: new Map<string, number>() };
	/** The last write failed. */
	#lastFailed = false;
	/** It lives in memory. */
	readonly #isForgetful: boolean;
	/** When a damaged file was set aside, epoch ms; null: this one is whole. */
	readonly setAsideAt: number | null;

	/**
	 * Opens the database. A damaged one is set aside, under a name with the time, so that it can be looked at: with a new
	 * one every source address is new, which is too slow rather than too fast. So it is with a disk that takes nothing, where
	 * the database lives in memory. Throws for any other reason, such as a folder that is not there.
	 *
	 * @param file `:memory:`: nothing survives
	 */
	constructor(file: string, clock: Clock, limits = LIMITS) {
		const { db, isForgetful, setAsideAt } = openFile(file, clock.now());
		this.#db = db;
		this.#isForgetful = isForgetful;
		this.setAsideAt = setAsideAt;
		this.#clock = clock;
		this.#limits = limits;
		this.#standings = new ExpiringMap(limits.gates);
		const kept = db.prepare(
			'SELECT name, standing, until FROM gates WHERE until > ? AND json_valid(standing) ORDER BY until',
		);
		for (const { name, standing, until } of kept.all(clock.now()))
			this.#standings.set(String(name), JSON.parse(String(standing)) as Standing, Number(until));
	}

	/** Nothing is kept at the moment: for `GET /state`. */
	get isFailing(): boolean {
		this.commit();
		return this.#isForgetful || this.#lastFailed;
	}

	/** The domain's answers to invented recipients, while they are believed. */
	find(domain: string, now: number): readonly RecipientReply[] | null {
		const query = 'SELECT replies AS text FROM domains WHERE name = ? AND until > ? AND until <= ?';
		return this.#read(query, domain, now, now + DOMAIN_KEPT_MS_MAX) as readonly RecipientReply[] | null;
	}

	/** @param until epoch milliseconds */
	keep(domain: string, replies: readonly RecipientReply[], until: number): void {
		const query = 'REPLACE INTO domains (name, replies, until) VALUES (?, ?, ?)';
		this.#write(query, domain, JSON.stringify(replies), until);
	}

	/** The standing at a gate, or of a domain there; null: none, or it is out of date. */
	standing(name: string): Standing | null {
		return this.#standings.get(name, this.#clock.now()) ?? null;
	}

	/** Null: there is nothing to remember any more. */
	keepStanding(name: string, standing: Standing | null): void {
		const forget = 'UPDATE gates SET standing = NULL WHERE name = ?';
		if (standing === null) {
			this.#standings.delete(name);
			this.#write(forget, name);
			return;
		}
		const now = this.#clock.now();
		const until = (standing.pause?.until ?? now) + (standing.listedSince === null ? KEPT_MS : LISTED_KEPT_MS);
		const forgotten = this.#standings.set(name, standing, until);
		if (forgotten !== null) this.#write(forget, forgotten);
		this.#write(
			'INSERT INTO gates (name, since, standing, day, until) VALUES (?, ?, ?, 0, ?) ' +
				'ON CONFLICT (name) DO UPDATE SET standing = excluded.standing, until = MAX(until, excluded.until)',
			name,
			now,
			JSON.stringify(standing),
			until,
		);
		// No crash makes us forget that we were refused.
		if (standing.pause !== null || standing.struckAt !== null) this.commit();
	}

	/** All standings that are in force. */
	standings(): readonly { readonly name: string; readonly standing: Standing }[] {
		return [...this.#standings.entries(this.#clock.now())].map(([name, standing]) => ({ name, standing }));
	}

	/** The gate's use of today, and the shares that used it yesterday; null: none. */
	spentOf(name: string): Spent | null {
		const changed = this.#changed.get(name);
		if (changed !== undefined) return changed.spent;
		const query = "SELECT json_object('day', day, 'shares', json(spent)) AS text FROM gates WHERE name = ? ";
		const yesterday = dayOf(this.#clock.now()) - 1;
		return this.#read(`${query} AND day >= ? AND json_valid(spent)`, name, yesterday) as Spent | null;
	}

	/** Writes down what was used at the gate, with what else is written in a moment. */
	keepSpent(name: string, gate: Pick<Gate, 'spent'>): void {
		this.#changed.set(name, gate);
		this.#try(() => this.#begin(), undefined);
	}

	/** When the source address was used first, epoch ms; the first to ask is that. A clock that was ahead is put right. */
	usedSince(egress: string): number {
		const now = this.#clock.now();
		this.#write(
			'INSERT INTO gates (name, since, day, until) VALUES (?, ?, 0, ?) ' +
				'ON CONFLICT (name) DO UPDATE SET since = MIN(since, excluded.since)',
			egress,
			now,
			FOR_EVER,
		);
		const kept = this.#read('SELECT since AS text FROM gates WHERE name = ?', egress);
		// Where nothing can be kept, it is new each time: better too slow than too fast.
		return typeof kept === 'number' ? kept : now;
	}

	/**
	 * Counts addresses of a domain that an account asked about today (UTC).
	 *
	 * @param digest the keyed hash of the domain, in hex
	 */
	noteAsked(digest: string, asker: string, addresses: number): void {
		const day = utcDayOf(this.#clock.now());
		const name = `${day} ${digest} ${asker}`;
		const more = 'UPDATE asked SET addresses = addresses + ? WHERE name = ?';
		if (this.#write(more, addresses, name) > 0) return;
		if (this.#newlyAsked.day !== day) this.#newlyAsked = { day, domains: new Map() };
		const { domains } = this.#newlyAsked;
		const known = domains.get(asker) ?? 0;
		if (known >= ASKED_OF_ONE_MAX) return;
		domains.set(asker, known + 1);
		this.#write('INSERT OR IGNORE INTO asked (addresses, name) VALUES (?, ?)', addresses, name);
	}

	/** The accounts that asked about a domain on a day (`2026-11-22`), those that asked most first. */
	askersOf(digest: string, day: string): readonly AskingAccount[] {
		const named = `json_object('asker', substr(name, length(?1) + 1), 'addresses', addresses)`;
		const most =
			'SELECT * FROM asked WHERE name > ?1 AND name < ?1 || char(127) ORDER BY addresses DESC LIMIT ?2';
		const query = `SELECT json_group_array(${named}) AS text FROM (${most})`;
		return (this.#read(query, `${day} ${digest} `, ASKERS_MAX) ?? []) as readonly AskingAccount[];
	}

	close(): void {
		this.commit();
		this.#db.close();
	}

	/** Writes down at once what would be written in a moment. */
	commit(): void {
		this.#try(() => {
			if (!this.#db.isOpen || !this.#db.isTransaction) return;
			for (const [name, { spent }] of this.#changed) {
				const { day, shares } = spent;
				this.#writes += 1;
				this.#prepared(
					'INSERT INTO gates (name, since, day, spent, until) VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE ' +
						'SET day = excluded.day, spent = excluded.spent, until = MAX(until, excluded.until)',
					// Yesterday's says who else asks there.
				).run(name, this.#clock.now(), day, JSON.stringify(shares), (day + 2) * DAY_MS);
			}
			this.#changed.clear();
			this.#db.exec('COMMIT');
			this.#lastFailed = false;
		}, undefined);
		if (this.#lastFailed && this.#db.isOpen && this.#db.isTransaction)
			this.#try(() => this.#db.exec('ROLLBACK'), undefined);
	}

	#read(query: string, ...values: readonly (string | number)[]): unknown {
		return this.#try(() => {
			const row = this.#prepared(query).get(...values);
			return row === undefined ? null : (JSON.parse(String(row['text'])) as unknown);
		}, null);
	}

	/** Returns how many rows were written; none after a failure. */
	#write(query: string, ...values: readonly (string | number)[]): number {
		return this.#try(() => {
			this.#begin();
			if (this.#writes % WRITES_PER_CLEANING === 0) this.#clean();
			this.#writes += 1;
			return Number(this.#prepared(query).run(...values).changes);
		}, 0);
	}

	#begin(): void {
		if (this.#db.isTransaction) return;
		this.#db.exec('BEGIN');
		setTimeout(() => this.commit(), COMMIT_AFTER_MS).unref();
	}

	/** Names without end fill no disk. */
	#clean(): void {
		const now = this.#clock.now();
		this.#db.prepare('DELETE FROM domains WHERE until <= ?').run(now);
		this.#db.prepare('DELETE FROM gates WHERE until <= ?').run(now);
		this.#db.prepare('DELETE FROM asked WHERE name < ?').run(utcDayOf(now - ASKED_KEPT_DAYS * DAY_MS));
		for (const [table, order] of Object.entries({ domains: 'until', gates: 'until', asked: 'name' })) {
			const most = this.#limits[table as keyof typeof LIMITS];
			// Counting a million rows takes a while.
			if (this.#writes % Math.max(WRITES_PER_CLEANING, most / 20) !== 0) continue;
			const surplus = `MAX(0, (SELECT COUNT(*) FROM ${table}) - ?)`;
			const oldest = `SELECT name FROM ${table} ORDER BY ${order} LIMIT ${surplus}`;
			this.#db.prepare(`DELETE FROM ${table} WHERE name IN (${oldest})`).run(most);
		}
	}

	#prepared(query: string): StatementSync {
		const statement = this.#statements.get(query) ?? this.#db.prepare(query);
		this.#statements.set(query, statement);
		return statement;
	}

	/** Says the first failure, and returns `otherwise` after each. */
	#try<T>(work: () => T, otherwise: T): T {
		try {
			return work();
		} catch (error) {
			if (!this.#lastFailed) log('prober_state_failed', describeError(error));
			this.#lastFailed = true;
			return otherwise;
		}
	}
}

/** The findings of `PRAGMA quick_check`, which throws for none of them. */
class DamagedFile extends Error {
	override readonly name = 'DamagedFile';
	readonly errcode = 11;
}

interface OpenFile {
	readonly db: DatabaseSync;
	readonly isForgetful: boolean;
	readonly setAsideAt: number | null;
}

function openFile(file: string, now: number): OpenFile {
	try {
		return { db: opened(file), isForgetful: false, setAsideAt: null };
	} catch (error) {
		const code = ((error as { readonly errcode?: number }).errcode ?? 0) & 0xff;
		if (DAMAGES.has(code) && isSetAside(file, now, error)) return { ...openFile(file, now), setAsideAt: now };
		if (!DISK_ERRORS.has(code) && !DAMAGES.has(code)) throw error;
		log('prober_state_failed', describeError(error));
		return { db: opened(':memory:'), isForgetful: true, setAsideAt: null };
	}
}

function opened(file: string): DatabaseSync {
	const db = new DatabaseSync(file);
	try {
		db.exec(SCHEMA);
		adopt(db);
		const [found] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
		if (found !== 'ok') throw new DamagedFile();
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

/** Takes over from a file of version 0.1 how long source addresses are used, and what was used of the day's budgets. */
function adopt(db: DatabaseSync): void {
	const isOld = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'egresses'").get() !== undefined;
	if (!isOld) return;
	db.exec(`
		INSERT OR IGNORE INTO gates (name, since, day, until) SELECT name, since, 0, ${FOR_EVER} FROM egresses;
		INSERT OR IGNORE INTO gates (name, since, day, spent, until)
			SELECT name, 0, day, shares, (day + 2) * ${DAY_MS} FROM spent;
		DROP TABLE egresses; DROP TABLE spent; DROP TABLE standings; DROP TABLE growths; DROP TABLE invented;
	`);
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
