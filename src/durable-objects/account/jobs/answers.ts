import { JOB_KINDS } from '../../../core/jobs/kinds/kinds.ts';
import type { JobKind } from '../../../core/jobs/kinds/kinds.ts';
import { numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Sql } from '../../sql.ts';

export interface IdempotencyRecord {
	readonly fingerprint: string;
	readonly jobId: string;
	readonly response: string;
	readonly expiresAt: number | null;
}

/** The SQL of the answers that are remembered for Idempotency-Keys, without decisions. */
export class AnswerStorage {
	readonly #sql: Sql;

	constructor(sql: Sql) {
		this.#sql = sql;
	}

	find(key: string): IdempotencyRecord | null {
		const [row] = this.#sql.rows('SELECT * FROM idempotency WHERE key = ?', key);
		if (row === undefined) return null;
		return {
			fingerprint: textOf(row, 'fingerprint'),
			jobId: textOf(row, 'job_id'),
			response: textOf(row, 'response'),
			expiresAt: numberOrNull(row['expires_at']),
		};
	}

	write(key: string, { fingerprint, jobId, response, expiresAt }: IdempotencyRecord): void {
		this.#sql.rows(
			'INSERT OR REPLACE INTO idempotency (key, fingerprint, job_id, response, expires_at) VALUES (?, ?, ?, ?, ?)',
			key,
			fingerprint,
			jobId,
			response,
			expiresAt,
		);
	}

	/** Sets when a record expires. */
	expire(key: string, at: number): void {
		this.#sql.rows('UPDATE idempotency SET expires_at = ? WHERE key = ?', at, key);
	}

	/** Deletes all records. */
	forgetAll(): void {
		this.#sql.rows('DELETE FROM idempotency');
	}

	/** Deletes records that have expired, so many at the most. */
	prune(now: number, most: number): void {
		this.#sql.rows(
			`DELETE FROM idempotency WHERE key IN (SELECT key FROM idempotency INDEXED BY idempotency_ends
				WHERE expires_at IS NOT NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?)`,
			now,
			most,
		);
	}

	/** When the next idempotency record expires. */
	nextEnd(): number | null {
		const [row] = this.#sql.rows(
			`SELECT expires_at FROM idempotency INDEXED BY idempotency_ends
				WHERE expires_at IS NOT NULL ORDER BY expires_at LIMIT 1`,
		);
		return row === undefined ? null : numberOf(row, 'expires_at');
	}
}

/** The stored form of an Idempotency-Key: each kind has keys of its own. */
export function keyOf(kind: JobKind, key: string): string {
	return `${JOB_KINDS[kind].keyPrefix}${key}`;
}
