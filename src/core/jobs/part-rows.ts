import { assert } from '../../lib/assert.ts';
import { scheduleOf, toOpenRow } from './open-row.ts';
import type { OpenRow } from './open-row.ts';
import { FROM_THE_START, askedAgain, dueUntil, postponed, putOff } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import { isDeferred } from './stored-row.ts';
import type { FinalRow, PartRow } from './stored-row.ts';

/** An address of a part: its position in the cleaned list, and its spelling. */
export type Entry = readonly [index: number, email: string];

/** The outcome of asking about one address. `row`: its result if no better answer follows; null: there was no answer. */
export type TurnOutcome =
	| { readonly kind: 'final'; readonly row: FinalRow }
	/**
	 * There was an answer, and a later one may be better. `afterMs`: the pause; null: the job's own. `atMost`: the
	 * most repetitions, if fewer than the job's.
	 */
	| {
			readonly kind: 'again';
			readonly row: FinalRow | null;
			readonly afterMs: number | null;
			readonly atMost?: number;
	  }
	/** A fault of ours. */
	| { readonly kind: 'put_off' }
	/** Our own capacity is used up until `until` (epoch ms). */
	| { readonly kind: 'postponed'; readonly until: number; readonly row: FinalRow }
	/** The time was up before the address was asked about. */
	| { readonly kind: 'not_reached' };

export interface PartOptions {
	/** Pauses before the second and every later time that an address is asked. */
	readonly delaysMs: readonly number[];
	/** How long rows may wait for our own capacity and time, epoch ms. */
	readonly horizon: number;
	/** When the postponement of the whole part began; null: it is not postponed. */
	readonly postponedSince: number | null;
	/** Makes the final row of an address that got no answer. */
	readonly giveUp: (row: OpenRow) => FinalRow;
}

/** All rows of a part, while a consumer works on it. */
export class PartRows {
	readonly #options: PartOptions;
	/** In the order of the entries. */
	readonly #rows: Map<number, PartRow>;
	#learnt = false;
	/** A fault of ours delays one of them, or did before it waited for our own capacity. */
	#wasPutOff = false;
	/** Our own capacity delays one of them. */
	#waits = false;

	/** @param stored the rows of the last attempt; none before the first */
	constructor(entries: readonly Entry[], stored: Iterable<PartRow>, options: PartOptions) {
		this.#options = options;
		const known = new Map(Array.from(stored, (row) => [row[0], row]));
		this.#rows = new Map(
			entries.map(([index, email]) => {
				const row = known.get(index);
				return [index, row ?? toOpenRow(index, email, 'unexpected_error', FROM_THE_START)];
			}),
		);
	}

	/** The rows as they are now, in the order of the entries. */
	get all(): readonly PartRow[] {
		return [...this.#rows.values()];
	}

	/** Whether the rows hold answers that are not stored; changed due times alone do not count. */
	get hasLearnt(): boolean {
		return this.#learnt;
	}

	/** Whether our own capacity delays some of them. */
	get waits(): boolean {
		return this.#waits;
	}

	/** Whether nothing else does, and nothing is new: then they need not be stored to be asked again. */
	get onlyWait(): boolean {
		return this.#waits && !this.#learnt && !this.#wasPutOff;
	}

	/** Notes that the rows are stored as they are now. */
	stored(): void {
		this.#learnt = false;
	}

	/** The addresses to ask about now. Never empty unless all rows are final. */
	due(now: number): readonly Entry[] {
		const open = this.#open;
		const until = dueUntil(
			open.map((row) => scheduleOf(row).dueAt),
			now,
		);
		const due = open.filter((row) => scheduleOf(row).dueAt <= until);
		// A fault that put the part off also put off the rows that were due then.
		for (const row of due) this.#plan(row, row[3], this.#putOffWithPart(scheduleOf(row)));
		return due.map(([index, email]) => [index, email]);
	}

	/** Records the outcome for an address that was due. */
	record(index: number, outcome: TurnOutcome, now: number): void {
		const row = this.#rows.get(index);
		assert(row !== undefined && isDeferred(row), 'only a deferred row is asked');
		const { delaysMs } = this.#options;
		const schedule = scheduleOf(row);
		switch (outcome.kind) {
			case 'final':
				return this.#end(outcome.row);
			case 'again': {
				const next = askedAgain(schedule, now, delaysMs.slice(0, outcome.atMost), outcome.afterMs);
				const why = outcome.row?.[2] ?? 'unexpected_error';
				const deferred = toOpenRow(index, row[1], why, next ?? schedule);
				if (next === null) return this.#end(outcome.row ?? this.#options.giveUp(deferred));
				this.#learnt = true;
				this.#rows.set(index, deferred);
				return;
			}
			case 'put_off': {
				const next = putOff(schedule, now, delaysMs);
				this.#wasPutOff = true;
				if (next === null) return this.#end(this.#options.giveUp(row));
				return this.#plan(row, row[3], next);
			}
			case 'postponed': {
				const next = postponed(schedule, { until: outcome.until, horizon: this.#options.horizon }, now);
				if (next === null) return this.#end(outcome.row);
				this.#waits = true;
				this.#wasPutOff ||= schedule.putOffSince !== null;
				return this.#plan(row, schedule.asked === 0 ? 'no_capacity' : row[3], next);
			}
			case 'not_reached': {
				const next = postponed(schedule, { until: now, horizon: this.#options.horizon }, now);
				if (next === null) return this.#end(this.#options.giveUp(row));
				return this.#plan(row, row[3], next);
			}
		}
	}

	/** Makes every open row final without asking again. */
	giveUp(): void {
		for (const row of this.#open) this.#end(this.#options.giveUp(row));
	}

	get #open(): readonly OpenRow[] {
		return this.all.filter(isDeferred);
	}

	#end(row: FinalRow): void {
		this.#learnt = true;
		this.#rows.set(row[0], row);
	}

	#plan([index, email]: OpenRow, why: OpenRow[3], schedule: Schedule): void {
		this.#rows.set(index, toOpenRow(index, email, why, schedule));
	}

	#putOffWithPart(schedule: Schedule): Schedule {
		return { ...schedule, putOffSince: schedule.putOffSince ?? this.#options.postponedSince };
	}
}
