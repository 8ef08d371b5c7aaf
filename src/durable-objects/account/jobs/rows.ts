import type { Lane } from '../../../core/jobs/estimate.ts';
import { requireJobKind } from '../../../core/jobs/kinds/kinds.ts';
import type { JobKind } from '../../../core/jobs/kinds/kinds.ts';
import { finalRows } from '../../../core/jobs/part.ts';
import type { Part } from '../../../core/jobs/part.ts';
import type { RowCounts } from '../../../core/jobs/stored-row.ts';
import { isOperator } from '../../../core/mail-operators/operators.ts';
import type { OperatorName } from '../../../core/mail-operators/operators.ts';
import type { JobRecord, JobStatus, JobTiming } from '../../../operations/jobs/port.ts';
import { jsonOf, numberOf, numberOrNull, textOf, textOrNull } from '../../sql.ts';
import type { Row } from '../../sql.ts';

/** A job's row. */
export interface StoredJob {
	readonly jobId: string;
	readonly kind: JobKind;
	readonly sourceJobId: string | null;
	readonly status: JobStatus;
	readonly keyId: string;
	readonly name: string | null;
	readonly rescuesCatchAll: boolean;
	/** The owner gets a mail when it ends. */
	readonly mailWhenDone: boolean;
	readonly submitted: number;
	readonly accepted: number;
	readonly duplicates: number;
	readonly invalid: number;
	readonly parts: number;
	readonly timing: JobTiming;
	/** Credits per address when the job was opened. */
	readonly price: number;
	readonly idempotencyKey: string | null;
	readonly createdAt: number;
	/** When it was ended early. */
	readonly finishedAt: number | null;
	readonly endedAt: number | null;
	/** When its results were deleted on request. */
	readonly deletedAt: number | null;
	readonly error: string | null;
	readonly purgeAt: number | null;
	/** The final charge of an ended job; null while it runs. */
	readonly kept: number | null;
	/** The counters of an ended job; null while it runs. */
	readonly totals: FinalTotals | null;
}

/** The counters of a job as it ended. */
export type FinalTotals = Pick<JobTotals, 'counts' | 'deferred' | 'settledAt'>;

/** The sums over the parts of a job. */
export interface JobTotals {
	readonly counts: RowCounts;
	readonly deferred: number;
	/** Open addresses of parts without a lease that were attempted or put off. */
	readonly waiting: number;
	readonly waits: JobRecord['waits'];
	readonly nextAttemptAt: number | null;
	/** When the last part that waits is due. */
	readonly lastDueAt: number | null;
	readonly settledAt: number | null;
	readonly lanes: readonly Lane[];
}

/** The sums over the parts that wait for one provider. */
export interface StoredLane
	extends Lane, Pick<JobTotals, 'counts' | 'waiting' | 'waits' | 'nextAttemptAt' | 'lastDueAt'> {}

export interface StoredPart {
	readonly n: number;
	/** The operator at whose own domains all its addresses are. */
	readonly operator: OperatorName | null;
	readonly part: Part;
	readonly settledAt: number | null;
}

/** Reads a row of the table of jobs. */
export function jobOf(row: Row): StoredJob {
	const { price, ...timing } = jsonOf<JobTiming & { readonly price: number }>(row, 'timing');
	return {
		jobId: textOf(row, 'job_id'),
		kind: requireJobKind(textOf(row, 'kind')),
		sourceJobId: textOrNull(row, 'source_job_id'),
		// The table's CHECK allows no other words.
		status: textOf(row, 'status') as JobStatus,
		keyId: textOf(row, 'key_id'),
		name: textOrNull(row, 'name'),
		rescuesCatchAll: numberOf(row, 'rescues_catch_all') === 1,
		mailWhenDone: numberOf(row, 'mail_wanted') === 1,
		submitted: numberOf(row, 'submitted'),
		accepted: numberOf(row, 'accepted'),
		duplicates: numberOf(row, 'duplicates'),
		invalid: numberOf(row, 'invalid'),
		parts: numberOf(row, 'parts'),
		timing,
		price,
		idempotencyKey: textOrNull(row, 'idempotency_key'),
		createdAt: numberOf(row, 'created_at'),
		finishedAt: numberOrNull(row['finished_at']),
		endedAt: numberOrNull(row['ended_at']),
		deletedAt: numberOrNull(row['deleted_at']),
		error: textOrNull(row, 'error'),
		purgeAt: numberOrNull(row['purge_at']),
		kept: numberOrNull(row['kept']),
		totals: row['totals'] === null ? null : jsonOf<FinalTotals>(row, 'totals'),
	};
}

/** Reads a row of the table of parts. */
export function partOf(row: Row): StoredPart {
	const token = textOrNull(row, 'lease_token');
	const part = {
		count: numberOf(row, 'count'),
		attempts: numberOf(row, 'attempts'),
		dueAt: numberOf(row, 'due_at'),
		lease: token === null ? null : { token, until: numberOf(row, 'lease_until') },
		claims: numberOf(row, 'claims'),
		sendAt: numberOf(row, 'send_at'),
		sends: numberOf(row, 'sends'),
		postponedSince: numberOrNull(row['postponed_since']),
		tally: {
			counts: countsOf(row),
			deferred: numberOf(row, 'deferred'),
			putOff: numberOf(row, 'put_off'),
			free: numberOf(row, 'free'),
		},
	};
	const settledAt = numberOrNull(row['settled_at']);
	return { n: numberOf(row, 'n'), part, settledAt, operator: operatorOf(row) };
}

/** Reads the sums over the parts that wait for one provider. */
export function laneOf(row: Row): StoredLane {
	const counts = countsOf(row);
	return {
		operator: operatorOf(row),
		counts,
		processed: finalRows(counts),
		open: numberOf(row, 'deferred'),
		waiting: numberOf(row, 'waiting'),
		waits: { halted: numberOf(row, 'halted'), putOff: numberOf(row, 'put_off') },
		nextAttemptAt: numberOrNull(row['next_attempt_at']),
		lastDueAt: numberOrNull(row['last_due_at']),
		settledAt: numberOrNull(row['settled_at']),
	};
}

/** Null also for an operator that has no row any more. */
function operatorOf(row: Row): OperatorName | null {
	const name = textOrNull(row, 'operator');
	return name !== null && isOperator(name) ? name : null;
}

/** The least or the largest of no numbers is no number. */
export function orNull(value: number): number | null {
	return Number.isFinite(value) ? value : null;
}

function countsOf(row: Row): RowCounts {
	return {
		deliverable: numberOf(row, 'deliverable'),
		undeliverable: numberOf(row, 'undeliverable'),
		risky: numberOf(row, 'risky'),
		unknown: numberOf(row, 'unknown'),
		catchAll: numberOf(row, 'catch_all'),
	};
}
