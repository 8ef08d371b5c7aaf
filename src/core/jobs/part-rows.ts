import { assert } from '../../lib/assert.ts';
import { isUnknown } from '../verification/sub-status.ts';
import { askedAgain, dueRows, faultPauseMs, later, newRow } from './open-row.ts';
import type { OpenRow } from './open-row.ts';
import { isDeferred } from './stored-row.ts';
import type { FinalRow, PartRow } from './stored-row.ts';

/** An address of a part: its position in the cleaned list, and its spelling. */
export type Entry = readonly [index: number, email: string];

/** The outcome of asking about one address. `row`: its result if no better answer follows; null: there was no answer. */
export type RowOutcome =
	| { readonly kind: 'final'; readonly row: FinalRow }
	/** There was an answer, and a later one may be better. `atMost`: the most repetitions, if fewer than the job's. */
	| { readonly kind: 'again'; readonly row: FinalRow | null; readonly atMost?: number }
	/** The address waits for our capacity, or our time was up: until then (epoch ms). Null: for the end of a fault of ours. */
	| { readonly kind: 'later'; readonly until: number | null; readonly row: FinalRow | null };

export interface PartOptions {
	/** Pauses before the second and every later time that an address is asked. */
	readonly delaysMs: readonly number[];
	/** How long rows may wait for us, epoch ms. */
	readonly horizon: number;
	/** When the part last had an answer, epoch ms. */
	readonly silentSince: number;
	/** Makes the final row of an address that got no answer. */
	readonly giveUp: (row: OpenRow) => FinalRow;
}

/** All rows of a part, while a consumer works on it. */
export class PartRows {
	readonly #options: PartOptions;
	/** In the order of the entries. */
	readonly #rows: Map<number, PartRow>;
	#learnt = false;

	/** @param stored the rows of the last attempt; none before the first */
	constructor(entries: readonly Entry[], stored: Iterable<PartRow>, options: PartOptions) {
		this.#options = options;
		const known = new Map(Array.from(stored, (row) => [row[0], row]));
		this.#rows = new Map(entries.map(([index, email]) => [index, known.get(index) ?? newRow(index, email)]));
	}

	/** The rows as they are now, in the order of the entries. */
	get all(): readonly PartRow[] {
		return [...this.#rows.values()];
	}

	/** Whether the rows hold answers that are not stored. Changed due times alone need not be stored to be asked again. */
	get hasLearnt(): boolean {
		return this.#learnt;
	}

	/** Notes that the rows are stored as they are now. */
	stored(): void {
		this.#learnt = false;
	}

	/** The addresses to ask about now. Never empty unless all rows are final. */
	due(now: number): readonly Entry[] {
		return dueRows(this.#open, now).map(([index, email]) => [index, email]);
	}

	/** Records the outcome for an address that was due. */
	record(index: number, outcome: RowOutcome, now: number): void {
		const row = this.#rows.get(index);
		assert(row !== undefined && isDeferred(row), 'only a deferred row is asked');
		const { delaysMs, horizon, silentSince, giveUp } = this.#options;
		switch (outcome.kind) {
			case 'final':
				return this.#learn(outcome.row);
			case 'again': {
				const why = outcome.row?.[2] ?? 'unexpected_error';
				assert(isUnknown(why), 'only an unknown is asked again');
				const next = askedAgain(row, why, now, delaysMs.slice(0, outcome.atMost));
				return this.#learn(next ?? outcome.row ?? giveUp([index, row[1], null, why, row[4], now]));
			}
			case 'later': {
				if (now >= horizon) return this.#learn(outcome.row ?? giveUp(later(row, now)));
				const until = outcome.until ?? now + faultPauseMs(silentSince, now, delaysMs);
				// A prober reports a duration that may have fractions of a millisecond; due times are whole.
				this.#rows.set(index, later(row, Math.min(Math.max(Math.ceil(until), now), horizon)));
			}
		}
	}

	/** Makes every open row final without asking again. */
	giveUp(): void {
		for (const row of this.#open) this.#learn(this.#options.giveUp(row));
	}

	get #open(): readonly OpenRow[] {
		return this.all.filter(isDeferred);
	}

	#learn(row: PartRow): void {
		this.#learnt = true;
		this.#rows.set(row[0], row);
	}
}
