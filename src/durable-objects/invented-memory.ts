import type { RecipientReply } from '../core/smtp/session.ts';
import type { InventedMemory } from '../engine/conversations-port.ts';
import type { Sql } from './sql.ts';
import { jsonOf, numberOf } from './sql.ts';

// What is out of date is removed now and then, not at each turn: a deleted row costs as much as a written one.
const PUTS_PER_CLEANING = 500;

/**
 * What domains said to invented recipients, in the object's database: one row a domain, no address of anybody. The table
 * is called as it was when the first objects made it.
 */
export class StoredInvented implements InventedMemory {
	readonly #sql: Sql;
	#hasTable: boolean;
	#puts = 0;

	constructor(sql: Sql) {
		this.#sql = sql;
		// An object that has learnt nothing writes nothing.
		this.#hasTable = sql.rows("SELECT name FROM sqlite_master WHERE name = 'randoms'").length > 0;
	}

	find(domain: string, now: number): readonly RecipientReply[] | null {
		if (!this.#hasTable) return null;
		const [row] = this.#sql.rows('SELECT replies, until FROM randoms WHERE domain = ?', domain);
		return row === undefined || numberOf(row, 'until') <= now ? null : jsonOf(row, 'replies');
	}

	keep(domain: string, replies: readonly RecipientReply[], now: number, until: number): void {
		if (!this.#hasTable) {
			this.#sql.rows(
				'CREATE TABLE IF NOT EXISTS randoms (domain TEXT PRIMARY KEY, replies TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
			);
			this.#hasTable = true;
		}
		if (this.#puts % PUTS_PER_CLEANING === 0) this.#sql.rows('DELETE FROM randoms WHERE until <= ?', now);
		this.#puts += 1;
		this.#sql.rows(
			'INSERT INTO randoms (domain, replies, until) VALUES (?, ?, ?) ON CONFLICT (domain) DO UPDATE SET replies = excluded.replies, until = excluded.until',
			domain,
			JSON.stringify(replies),
			until,
		);
	}
}
