/** The progress of a running job. Epoch milliseconds. */
export interface Pace {
	readonly createdAt: number;
	/** When the last row became final; null: none has. */
	readonly settledAt: number | null;
	readonly accepted: number;
	/** Final rows. */
	readonly processed: number;
	/** When the last of the deferred rows is due; null: none is deferred. */
	readonly lastDueAt: number | null;
}

/**
 * Estimates when a running job will be done: at the pace of its rows so far, but not before its last deferred row is
 * due. A row that waits for our own capacity is due when the prober expects to have some. Null: nothing is known yet.
 */
export function estimateCompletion({
	createdAt,
	settledAt,
	accepted,
	processed,
	lastDueAt,
}: Pace): number | null {
	if (settledAt === null || processed === 0) return lastDueAt;
	const perRow = Math.max(0, settledAt - createdAt) / processed;
	const atThisPace = Math.ceil(settledAt + (accepted - processed) * perRow);
	return Math.max(atThisPace, lastDueAt ?? 0);
}
