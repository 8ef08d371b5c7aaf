import { MINUTE_MS } from '../../lib/time.ts';
import { nextWake } from './alarm.ts';
import type { AccountContext } from './context.ts';
import { CHARGED, runningCharges } from './jobs/end-all.ts';

const NAMED_MAX = 5;
// An alarm that failed is tried again after a minute.
const ALARM_LATE_MS = 10 * MINUTE_MS;

/** Jobs that contradict their parts or their line, each question with its sentence. A job's parts go with its blobs. */
const JOBS = [
	[
		`SELECT jobId AS id FROM parts
			WHERE deliverable + undeliverable + risky + unknown + deferred <> count`,
		'does not count each address once',
	],
	[
		`SELECT jobId AS id FROM jobs WHERE purged = 0
			AND accepted <> (SELECT TOTAL(count) FROM parts WHERE parts.jobId = jobs.jobId)`,
		'has other parts than addresses',
	],
	[
		`SELECT jobId AS id FROM jobs WHERE purged = 0 AND status = 'completed'
			AND kept <> (SELECT TOTAL(${CHARGED}) FROM parts WHERE parts.jobId = jobs.jobId)`,
		'was charged for other answers than it has',
	],
	[
		`SELECT ledger.id FROM ledger LEFT JOIN jobs ON jobs.jobId = ledger.id
			WHERE closedAt IS NULL AND (status IS NULL OR status <> 'processing')`,
		'has ended, and its line in the ledger is open',
	],
] as const;

/**
 * Contradictions in the account's books, in sentences; null for an account that was never opened. Reads the whole ledger,
 * so it is for operators and tests.
 */
export function checkAccount({ sql, credits, now, alarmAt }: AccountContext): readonly string[] | null {
	const state = credits.read();
	if (state === null) return null;
	const { granted, consumed, reserved } = state;
	const running = runningCharges(sql);
	const grants = sql.first<{ sum: number }>('SELECT TOTAL(credits) AS sum FROM grants');
	const says: string[] = [];
	const compare = (what: string, is: number, lineSum: number): void => {
		if (is !== lineSum) says.push(`${what}: the account says ${is}, its parts add up to ${lineSum}`);
	};
	compare('Balance', granted - consumed, credits.lineSum(state) - running.charged);
	compare('Received', granted, grants?.sum ?? 0);
	compare('Reserved', reserved, running.reserved);
	for (const [query, fault] of JOBS) {
		const ids = new Set(sql.all<{ id: string }>(query).map(({ id }) => id));
		for (const id of [...ids].slice(0, NAMED_MAX)) says.push(`Job ${id} ${fault}`);
		if (ids.size > NAMED_MAX) says.push(`${ids.size - NAMED_MAX} more jobs: ${fault}`);
	}
	const dueAt = nextWake(sql, now());
	if (dueAt !== null && (alarmAt() ?? Infinity) > Math.max(dueAt, now()) + ALARM_LATE_MS)
		says.push('A job is due, and no alarm is set for it');
	return says;
}
