import { DatabaseSync } from 'node:sqlite';
import type { Standing } from '../core/politeness/pause.ts';
import type { RecipientReply } from '../core/smtp/session.ts';
import type { Clock } from '../engine/ports.ts';
import type { InventedMemory } from '../engine/conversations-port.ts';
import { describeError, log } from '../lib/log.ts';

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
export class ProberState implements InventedMemory {
	readonly #db: DatabaseSync;
	readonly #clock: Clock;
	#writes = 0;
	/** The last write failed: for `GET /state`. */
	isFailing = false;

	/** @param file of the database; `:memory:`: nothing survives. Throws when it can't be opened. */
	constructor(file: string, clock: Clock) {
		this.#db = new DatabaseSync(file);
		this.#db.exec(SCHEMA);
		this.#clock = clock;
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
		const row = this.#read(
			'SELECT standing AS text FROM standings WHERE name = ? AND until > ?',
			name,
			this.#clock.now(),
		);
		return row === null ? null : (row as Standing);
	}

	keepStanding(name: string, standing: Standing, until: number): void {
		this.#write('REPLACE INTO standings (name, standing, until) VALUES (?, ?, ?)', this.#clock.now(), [
			name,
			JSON.stringify(standing),
			until,
		]);
	}

	/** All standings that are in force. */
	standings(): readonly { readonly name: string; readonly standing: Standing }[] {
		const rows = this.#db
			.prepare('SELECT name, standing FROM standings WHERE until > ? ORDER BY name')
			.all(this.#clock.now());
		return rows.map(({ name, standing }) => ({
			name: String(name),
			standing: JSON.parse(String(standing)) as Standing,
		}));
	}

	close(): void {
		this.#db.close();
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
