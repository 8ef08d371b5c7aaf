import { assert } from '../../lib/assert.ts';
import { ListCleaner } from '../jobs/clean-list.ts';
import { HeaderSplit } from './choice.ts';
import type { Choice } from './choice.ts';
import { addressOf } from './format.ts';
import type { Row } from './row-reader.ts';

/** The place of a file row's result. */
export type Place =
	/** The cell in the column of addresses is empty. */
	| { readonly kind: 'empty' }
	/** The cell holds no address: the row is not in the job. */
	| { readonly kind: 'malformed' }
	/** `index`: into the job's results. `again`: a later row has the same result. */
	| { readonly kind: 'result'; readonly index: number; readonly again: boolean };

const EMPTY = -2;
const MALFORMED = -1;

/** Extracts the addresses from a file and records, as one number per row, where each row's result will be. */
export class RowPlacer {
	readonly #choice: Choice;
	readonly #split: HeaderSplit;
	readonly #cleaner: ListCleaner;
	readonly #places: number[] = [];
	readonly #emails: string[] = [];
	readonly #numbers: number[] = [];

	constructor(choice: Choice) {
		this.#choice = choice;
		this.#cleaner = new ListCleaner(choice.byMailbox === true ? 'mailbox' : 'address');
		this.#split = new HeaderSplit(choice);
	}

	add(rows: readonly Row[]): void {
		for (const { number, cells } of this.#split.dataOf(rows)) {
			const text = addressOf(cells[this.#choice.column] ?? '');
			this.#places.push(this.#place(text));
			this.#numbers.push(number);
		}
	}

	/**
	 * The text of each row in the column of addresses, as written (including empty, malformed and repeated ones), the number
	 * of the row, and its place. So a job counts the rows of its file.
	 */
	result(): {
		readonly emails: readonly string[];
		readonly fileRows: readonly number[];
		readonly places: readonly number[];
	} {
		const later = new Set<number>();
		const places = this.#places.map((index) => (index < 0 ? index : 2 * index));
		for (let row = places.length - 1; row >= 0; row -= 1) {
			const place = places[row] ?? EMPTY;
			if (place < 0) continue;
			if (later.has(place)) places[row] = place + 1;
			later.add(place);
		}
		return { emails: this.#emails, fileRows: this.#numbers, places };
	}

	#place(text: string): number {
		this.#emails.push(text);
		const cleaned = this.#cleaner.clean(text);
		if (text === '') return EMPTY;
		if (cleaned.kind === 'accepted') return cleaned.index;
		return cleaned.kind === 'duplicate' ? cleaned.of : MALFORMED;
	}
}

/** Decodes the number that `RowPlacer` recorded for a row. */
export function readPlace(place: number | undefined): Place {
	assert(
		place !== undefined && Number.isInteger(place) && place >= EMPTY,
		'each row of the file has its place',
	);
	if (place === EMPTY) return { kind: 'empty' };
	if (place === MALFORMED) return { kind: 'malformed' };
	return { kind: 'result', index: Math.floor(place / 2), again: place % 2 === 1 };
}
