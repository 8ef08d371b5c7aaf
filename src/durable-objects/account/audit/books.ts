import type { BooksFacts } from '../../../core/audit/facts.ts';
import { jsonOf, numberOf, numberOrNull, textOf } from '../../sql.ts';
import type { Row, Sql } from '../../sql.ts';
import type { AccountContext } from '../context.ts';
import { NO_DAY, addSums } from '../credits/days.ts';
import type { LedgerDay } from '../credits/days.ts';
import { deliveryFacts, toldDue } from './deliveries.ts';
import { readSuspension } from '../suspension.ts';

// Everything is read without the usual assertions: an account with broken promises has to report them.

/** A job's price. Jobs opened before prices were stored cost one credit per address. */
export const PRICE = "timing ->> '$.price'";

/** The figures of the account as a whole, at one moment. */
export function auditBooks(account: AccountContext, { now }: { now: number }): BooksFacts | null {
	const { sql, credits, alarmAt } = account;
	const [row] = credits.exists ? sql.rows('SELECT * FROM account WHERE id = 1') : [];
	if (row === undefined) return null;
	return {
		balance: {
			granted: numberOf(row, 'granted'),
			consumed: numberOf(row, 'consumed'),
			reserved: numberOf(row, 'reserved'),
			refunded: numberOf(row, 'refunded'),
		},
		said: saidBy(row),
		all: daysOf(account).reduce(addSums, NO_DAY),
		grants: sumOf(sql, 'SELECT TOTAL(credits) AS sum FROM grants'),
		running: runningFacts(sql),
		...readSuspension(sql),
		liveKeys: sumOf(sql, 'SELECT COUNT(*) AS sum FROM api_keys WHERE revoked_at IS NULL'),
		runningJobs: sumOf(sql, "SELECT COUNT(*) AS sum FROM jobs WHERE status = 'processing'"),
		due: firstDue(sql, now),
		alarmAt: alarmAt(),
		deliveries: deliveryFacts(sql, now),
	};
}

function saidBy(row: Row): BooksFacts['said'] {
	if (row['ledger'] === null) return null;
	const { lines, granted, charged, reserved } = jsonOf<NonNullable<BooksFacts['said']>>(row, 'ledger');
	return { lines, granted, charged, reserved };
}

/** The stored sums of the lines of each day. */
export function daysOf({ sql, credits }: AccountContext): readonly LedgerDay[] {
	const [row] = sql.rows("SELECT ledger -> '$.newestDay' AS day FROM account");
	return credits.days.all(row === undefined ? NO_DAY : jsonOf<LedgerDay>(row, 'day'));
}

/** Lines of the ledger made before this time are deleted. */
export function keptFrom(sql: Sql): number {
	return sumOf(sql, "SELECT ledger ->> '$.keptFrom' AS sum FROM account");
}

/** The charges and reservations of running jobs, from their parts. */
function runningFacts(sql: Sql): BooksFacts['running'] {
	const [row] = sql.rows(
		`SELECT TOTAL((deliverable + undeliverable + risky) * ${PRICE}) AS charged, TOTAL(deferred * ${PRICE}) AS reserved
			FROM jobs INDEXED BY running_jobs JOIN parts USING (job_id) WHERE status = 'processing'`,
	);
	return row === undefined
		? { charged: 0, reserved: 0 }
		: { charged: numberOf(row, 'charged'), reserved: numberOf(row, 'reserved') };
}

/** The first task of the alarm. */
function firstDue(sql: Sql, now: number): BooksFacts['due'] {
	const [job] = sql.rows(
		'SELECT job_id, wake_at AS at FROM jobs INDEXED BY due_jobs WHERE wake_at IS NOT NULL ORDER BY wake_at LIMIT 1',
	);
	const first = (query: string): number | null => numberOrNull(sql.rows(query)[0]?.['at']);
	const all = [
		{ what: `Job ${job === undefined ? '' : textOf(job, 'job_id')}`, at: numberOrNull(job?.['at']) },
		{
			what: 'A remembered answer',
			at: first('SELECT MIN(expires_at) AS at FROM idempotency WHERE expires_at IS NOT NULL'),
		},
		...toldDue(sql, now),
	];
	return all.reduce<BooksFacts['due']>(
		(least, { what, at }) => (at === null || (least !== null && least.at <= at) ? least : { what, at }),
		null,
	);
}

function sumOf(sql: Sql, query: string, ...bindings: SqlStorageValue[]): number {
	const [row] = sql.rows(query, ...bindings);
	return row === undefined ? 0 : numberOf(row, 'sum');
}
