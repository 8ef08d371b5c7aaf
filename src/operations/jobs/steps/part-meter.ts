import { Counter, operatorOf } from '../../../core/metrics/metrics.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { RowOutcome } from '../../../core/jobs/part-rows.ts';
import { isDeferred } from '../../../core/jobs/stored-row.ts';
import type { FinalRow, PartRow } from '../../../core/jobs/stored-row.ts';

// An invocation may write so many points, `POINTS_MAX`, and each costs. Ten parts share one at a developer's machine.
const OUTCOMES_MAX = 12;
const DEFERRALS_MAX = 6;

/** Measures a consumer's work on a part. It gathers, since a part has more addresses than points. */
export class PartMeter {
	readonly #metrics: Metrics;
	readonly #class: string;
	readonly #final = new Set<number>();
	readonly #outcomes = new Counter();
	readonly #deferrals = new Counter();
	#lagMs: number | null = null;

	constructor(metrics: Metrics, of: string) {
		this.#metrics = metrics;
		this.#class = of;
	}

	/** The rows of the attempt before: what is final there was counted then. */
	begin(stored: Iterable<PartRow>): void {
		for (const row of stored) if (!isDeferred(row)) this.#final.add(row[0]);
	}

	/** An address had an answer that is not its last one, or none. */
	heard(outcome: RowOutcome): void {
		if (outcome.kind === 'final') return;
		const { row } = outcome;
		const operator = row === null ? 'none' : operatorOfRow(row);
		this.#deferrals.add([operator, row?.[2] ?? 'none', outcome.kind].join(' '));
	}

	/** The rows are settled at `now`. A row counts once, and so does the time that its answer waited. */
	settled(rows: readonly PartRow[], now: number): void {
		for (const row of rows) {
			if (isDeferred(row) || this.#final.has(row[0])) continue;
			this.#final.add(row[0]);
			this.#outcomes.add([operatorOfRow(row), row[2], row[3]].join(' '));
			this.#lagMs = Math.max(this.#lagMs ?? 0, now - row[13]);
		}
	}

	/** Notes what was gathered. */
	end(): void {
		for (const [key, count] of this.#outcomes.largest(OUTCOMES_MAX, 'other other other')) {
			const [operator = '', subStatus = '', stage = ''] = key.split(' ');
			this.#metrics.note('outcome', { operator, subStatus, stage, class: this.#class, count });
		}
		for (const [key, count] of this.#deferrals.largest(DEFERRALS_MAX, 'other other other')) {
			const [operator = '', subStatus = '', kind = ''] = key.split(' ');
			this.#metrics.note('deferral', { operator, subStatus, kind, count });
		}
		if (this.#lagMs !== null) this.#metrics.note('settle_lag', { class: this.#class, ms: this.#lagMs });
	}
}

function operatorOfRow(row: FinalRow): string {
	const [, , , , , , , mx_record, implicit_mx, smtp_provider, gateway] = row;
	return operatorOf({ mx_record, implicit_mx, smtp_provider, gateway });
}
