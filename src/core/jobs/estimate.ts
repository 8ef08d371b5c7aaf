/** How far a running job has come. Epoch milliseconds. */
export interface Pace {
	readonly createdAt: number;
	/** When the last row became final; null: none has. */
	readonly settledAt: number | null;
	readonly accepted: number;
	/** Final rows. */
	readonly processed: number;
	/** When the last of the rows that wait is asked again; null: none waits. */
	readonly lastDueAt: number | null;
}

/**
 * When a running job will be done, as far as it shows: at the pace of its rows so far, and no sooner than the last row
 * that waits is asked. A row that waits for our own capacity is due when a prober said that there is some. Null: nothing
 * is measured yet.
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
