import { DatabaseSync } from 'node:sqlite';
import type { Standing } from '../core/politeness/pause.ts';
import type { RecipientReply } from '../core/smtp/session.ts';
import type { Clock, InventedMemory } from './ports.ts';
import type { StandingStore } from './standing.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { describeError, log } from '../lib/log.ts';

const STANDINGS_MAX = 50_000;
// What is out of date is removed now and then.
const WRITES_PER_CLEANING = 1_000;

const SCHEMA = `
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = NORMAL;
	CREATE TABLE IF NOT EXISTS standings (
		name TEXT PRIMARY KEY, standing TEXT NOT NULL, until INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS invented (
		domain TEXT PRIMARY KEY, replies TEXT NOT NULL, until INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
`;

/**
 * What a prober remembers across a restart: how operators stand to its source addresses, and what domains said to
 * invented recipients. No address of anybody. A disk that fails costs memory, never an answer: what can't be written
 * is forgotten, and said in the log.
 */
export class ProberState implements InventedMemory, StandingStore {
	readonly #db: DatabaseSync;
	readonly #clock: Clock;
	/** Looked at before every connection; a disk that fails must not make us forget that we were refused. */
	readonly #standings = new ExpiringMap<Standing>(STANDINGS_MAX);
	#writes = 0;
	/** The last write failed: for `GET /state`. */
	isFailing = false;

	/** @param file of the database; `:memory:`: nothing survives. Throws when it can't be opened. */
	constructor(file: string, clock: Clock) {
		this.#db = new DatabaseSync(file);
		this.#db.exec(SCHEMA);
		this.#clock = clock;
		for (const { name, standing, until } of this.#stored()) this.#standings.set(name, standing, until);
	}

	find(domain: string, now: number): readonly RecipientReply[] | null {
		const row = this.#read(
			'SELECT replies AS text FROM invented WHERE domain = ? AND until > ?',
			domain,
			now,
		);
		return row === null ? null : (row as readonly RecipientReply[]);
	}

	keep(domain: string, replies: readonly RecipientReply[], now: number, until: number): void {
		this.#write('REPLACE INTO invented (domain, replies, until) VALUES (?, ?, ?)', now, [
			domain,
			JSON.stringify(replies),
			until,
		]);
	}

	/** The standing kept under the name; null: none, or it is out of date. */
	standing(name: string): Standing | null {
		return this.#standings.get(name, this.#clock.now()) ?? null;
	}

	keepStanding(name: string, standing: Standing, until: number): void {
		this.#standings.set(name, standing, until);
		this.#write('REPLACE INTO standings (name, standing, until) VALUES (?, ?, ?)', this.#clock.now(), [
			name,
			JSON.stringify(standing),
			until,
		]);
	}

	forgetStanding(name: string): void {
		this.#standings.delete(name);
		this.#write('DELETE FROM standings WHERE name = ?', this.#clock.now(), [name]);
	}

	/** All standings that are in force. */
	standings(): readonly { readonly name: string; readonly standing: Standing }[] {
		const now = this.#clock.now();
		return [...this.#standings.entries(now)].map(([name, standing]) => ({ name, standing }));
	}

	close(): void {
		this.#db.close();
	}

	#stored(): readonly { readonly name: string; readonly standing: Standing; readonly until: number }[] {
		const rows = this.#db
			.prepare('SELECT name, standing, until FROM standings WHERE until > ?')
			.all(this.#clock.now());
		return rows.map(({ name, standing, until }) => ({
			name: String(name),
			standing: JSON.parse(String(standing)) as Standing,
			until: Number(until),
		}));
	}

	#read(query: string, key: string, now: number): unknown {
		try {
			const row = this.#db.prepare(query).get(key, now);
			return row === undefined ? null : JSON.parse(String(row['text']));
		} catch (error) {
			this.#failed(error);
			return null;
		}
	}

	#write(query: string, now: number, values: readonly (string | number)[]): void {
		try {
			if (this.#writes % WRITES_PER_CLEANING === 0) {
				this.#db.prepare('DELETE FROM invented WHERE until <= ?').run(now);
				this.#db.prepare('DELETE FROM standings WHERE until <= ?').run(now);
			}
			this.#db.prepare(query).run(...values);
			this.#writes += 1;
			this.isFailing = false;
		} catch (error) {
			this.#failed(error);
		}
	}

	#failed(error: unknown): void {
		if (!this.isFailing) log('prober_state_failed', describeError(error));
		this.isFailing = true;
	}
}
