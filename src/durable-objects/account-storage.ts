import { assertBalance } from '../core/credits/balance.ts';
import type { Balance } from '../core/credits/balance.ts';
import type { KeyUsage, UsageToday } from '../core/credits/usage.ts';
import type { Category, Limits } from '../core/rate-limit/policy.ts';
import type { Window } from '../core/rate-limit/window.ts';
import { assert } from '../lib/assert.ts';
import { ACCOUNT_MIGRATIONS } from './account-schema.ts';
import { jsonOf, numberOrNull, textOf } from './sql.ts';
import type { Row, Sql } from './sql.ts';

/** The one wide row. */
export interface AccountState {
	readonly balance: Balance;
	readonly transactions: number;
	readonly lastTransactionAt: number | null;
	readonly settledBefore: number;
	readonly limits: Partial<Limits>;
	readonly windows: Partial<Record<Category, Window>>;
	readonly today: UsageToday;
}

export interface StoredKey {
	readonly id: string;
	readonly secretHash: string;
	readonly label: string;
	readonly createdAt: number;
	readonly revokedAt: number | null;
}

export interface LedgerLine {
	readonly at: number;
	readonly id: string;
	readonly keyId: string | null;
	readonly credits: number;
	readonly charged: number | null;
	readonly closedAt: number | null;
}

/** SQL of the account object, and the invariants on both sides of each write. It decides nothing. */
export class AccountStorage {
	readonly #sql: Sql;

	constructor(sql: Sql) {
		this.#sql = sql;
	}

	/** False for an account that was never opened: nothing is written for it, so guessed ids leave no object behind. */
	get exists(): boolean {
		return this.#sql.rows("SELECT 1 AS found FROM sqlite_master WHERE name = 'account'").length === 1;
	}

	/** Brings the tables up to date. */
	migrate(): void {
		this.#sql.rows(
			'CREATE TABLE IF NOT EXISTS schema_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL) WITHOUT ROWID',
		);
		const [row] = this.#sql.rows('SELECT version FROM schema_version');
		const version = Number(row?.['version'] ?? 0);
		for (const migration of ACCOUNT_MIGRATIONS.slice(version)) this.#sql.rows(migration);
		if (version === ACCOUNT_MIGRATIONS.length) return;
		this.#sql.rows(
			'INSERT OR REPLACE INTO schema_version (id, version) VALUES (1, ?)',
			ACCOUNT_MIGRATIONS.length,
		);
	}

	read(): AccountState | null {
		const [row] = this.#sql.rows('SELECT * FROM account WHERE id = 1');
		if (row === undefined) return null;
		return {
			balance: assertBalance({
				granted: Number(row['granted']),
				consumed: Number(row['consumed']),
				reserved: Number(row['reserved']),
				refunded: Number(row['refunded']),
			}),
			transactions: Number(row['transactions']),
			lastTransactionAt: numberOrNull(row['last_transaction_at']),
			settledBefore: Number(row['settled_before']),
			limits: jsonOf<Partial<Limits>>(row, 'limits'),
			windows: jsonOf<AccountState['windows']>(row, 'windows'),
			today: jsonOf<UsageToday>(row, 'today'),
		};
	}

	write(state: AccountState): void {
		const { granted, consumed, reserved, refunded } = assertBalance(state.balance);
		this.#sql.rows(
			`INSERT OR REPLACE INTO account (id, granted, consumed, reserved, refunded, transactions, last_transaction_at,
				settled_before, limits, windows, today) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			granted,
			consumed,
			reserved,
			refunded,
			state.transactions,
			state.lastTransactionAt,
			state.settledBefore,
			JSON.stringify(state.limits),
			JSON.stringify(state.windows),
			JSON.stringify(state.today),
		);
	}

	findKey(keyId: string): StoredKey | null {
		const [row] = this.#sql.rows('SELECT * FROM api_keys WHERE id = ?', keyId);
		return row === undefined ? null : keyOf(row);
	}

	listKeys(): StoredKey[] {
		return this.#sql.rows('SELECT * FROM api_keys ORDER BY created_at, id').map(keyOf);
	}

	writeKey(key: StoredKey): void {
		this.#sql.rows(
			'INSERT OR REPLACE INTO api_keys (id, secret_hash, label, created_at, revoked_at) VALUES (?, ?, ?, ?, ?)',
			key.id,
			key.secretHash,
			key.label,
			key.createdAt,
			key.revokedAt,
		);
	}

	findLine(at: number, id: string): LedgerLine | null {
		const [row] = this.#sql.rows('SELECT * FROM ledger WHERE at = ? AND id = ?', at, id);
		return row === undefined ? null : lineOf(row);
	}

	/** Reservations of verifications made from `from` on that have not ended, oldest first. */
	openReservations(from: number): LedgerLine[] {
		return this.#sql
			.rows(
				"SELECT * FROM ledger WHERE at >= ? AND closed_at IS NULL AND kind = 'verification' ORDER BY at",
				from,
			)
			.map(lineOf);
	}

	insertLine(line: {
		at: number;
		id: string;
		kind: string;
		keyId: string | null;
		credits: number;
		closedAt: number | null;
	}): void {
		this.#sql.rows(
			'INSERT INTO ledger (at, id, kind, key_id, credits, closed_at) VALUES (?, ?, ?, ?, ?, ?)',
			line.at,
			line.id,
			line.kind,
			line.keyId,
			line.credits,
			line.closedAt,
		);
	}

	closeLine(line: LedgerLine, end: { charged: number; outcome: string; closedAt: number }): void {
		assert(line.closedAt === null, 'a ledger line is closed once');
		this.#sql.rows(
			'UPDATE ledger SET charged = ?, outcome = ?, closed_at = ? WHERE at = ? AND id = ? AND closed_at IS NULL',
			end.charged,
			end.outcome,
			end.closedAt,
			line.at,
			line.id,
		);
	}

	/** The credits of the grant with this id, or null. */
	findGrant(id: string): number | null {
		const [row] = this.#sql.rows('SELECT credits FROM grants WHERE id = ?', id);
		return row === undefined ? null : Number(row['credits']);
	}

	insertGrant(id: string, credits: number): void {
		this.#sql.rows('INSERT INTO grants (id, credits) VALUES (?, ?)', id, credits);
	}

	/** Puts a finished day away, one row per key. */
	archiveDay({ day, keys }: UsageToday): void {
		for (const [keyId, usage] of Object.entries(keys)) {
			this.#sql.rows(
				'INSERT OR REPLACE INTO usage_days (day, key_id, usage) VALUES (?, ?, ?)',
				day,
				keyId,
				JSON.stringify(usage),
			);
		}
	}

	/** Usage of all finished days, by key. */
	archivedUsage(): { keyId: string; day: string; usage: KeyUsage }[] {
		return this.#sql.rows('SELECT * FROM usage_days ORDER BY day').map((row) => ({
			keyId: textOf(row, 'key_id'),
			day: textOf(row, 'day'),
			usage: jsonOf<KeyUsage>(row, 'usage'),
		}));
	}
}

function keyOf(row: Row): StoredKey {
	return {
		id: textOf(row, 'id'),
		secretHash: textOf(row, 'secret_hash'),
		label: textOf(row, 'label'),
		createdAt: Number(row['created_at']),
		revokedAt: numberOrNull(row['revoked_at']),
	};
}

function lineOf(row: Row): LedgerLine {
	return {
		at: Number(row['at']),
		id: textOf(row, 'id'),
		keyId: row['key_id'] === null ? null : textOf(row, 'key_id'),
		credits: Number(row['credits']),
		charged: numberOrNull(row['charged']),
		closedAt: numberOrNull(row['closed_at']),
	};
}
