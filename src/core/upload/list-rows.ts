import { assert } from '../../lib/assert.ts';
import { describeFault, domainOf } from '../address/parse-address.ts';
import { ListCleaner } from '../jobs/clean-list.ts';
import { isNotAsked, leastMinutesOf } from '../jobs/estimate.ts';
import { displayNameOf, wordOf, publicMailOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import { addressOf, holdsMore, shown } from './format.ts';
import type { Row } from './text.ts';

/** The contents of a future job. */
export type ListPreview = ReturnType<ListRows['preview']>;

/** The place of a file row's result. */
type Place =
	/** The cell in the column of addresses is empty. */
	| { readonly kind: 'empty' }
	/** The cell holds no address: the row is not in the job. */
	| { readonly kind: 'malformed' }
	/** `index`: into the job's results. `again`: a later row has the same result. */
	| { readonly kind: 'result'; readonly index: number; readonly again: boolean };

const FIRST_ROWS = 10;
const MALFORMED_ROWS = 1_000;
const EMPTY = -2;
const MALFORMED = -1;

/** Walks the rows of a list: what its job would hold, and where the result of each row will be. */
export class ListRows {
	readonly #column: number;
	readonly #cleaner = new ListCleaner();
	readonly #atProviders = new Map<OperatorName, number>();
	/** Non-empty rows without the header, which are the sum of the others: those with an empty cell are `empty`. */
	readonly #counts = { rows: 0, addresses: 0, duplicates: 0, malformed: 0, empty: 0 };
	/** The rows whose cell holds several addresses: the first is taken. `first`: the number of the first such row. */
	readonly #several = { rows: 0, first: 0 };
	/** The first rows of data, with long cells cut. */
	readonly #firstRows: Row[] = [];
	/** The malformed addresses, up to a thousand, with the reasons. */
	readonly #malformedRows: { number: number; text: string; reason: string }[] = [];
	readonly #emails: string[] = [];
	readonly #fileRows: number[] = [];
	readonly #places: number[] = [];

	/** `column`: the index of the column of addresses. */
	constructor(column: number) {
		this.#column = column;
	}

	/** Adds rows of data. */
	add(rows: readonly Row[]): void {
		for (const row of rows) {
			const cell = row.cells[this.#column] ?? '';
			const text = addressOf(cell);
			this.#counts.rows += 1;
			this.#emails.push(text);
			this.#fileRows.push(row.number);
			this.#places.push(this.#place(row.number, text));
			if (this.#firstRows.length < FIRST_ROWS) this.#firstRows.push({ ...row, cells: row.cells.map(shown) });
			if (!holdsMore(cell)) continue;
			this.#several.first ||= row.number;
			this.#several.rows += 1;
		}
	}

	preview() {
		return {
			counts: this.#counts,
			untold: untoldOf(this.#atProviders),
			/** How long the addresses at large providers take at least: they decide the time. */
			leastMinutes: leastMinutesOf(this.#atProviders),
			several: this.#several,
			firstRows: this.#firstRows,
			malformedRows: this.#malformedRows,
		};
	}

	/**
	 * The material of the job: the text of each row in the column of addresses, as written (including empty, malformed and
	 * repeated ones), the number of the row, and a number for its place, one for each row of 50,000. So a job counts the
	 * rows of its file.
	 */
	forJob(): {
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
		return { emails: this.#emails, fileRows: this.#fileRows, places };
	}

	#place(number: number, text: string): number {
		if (text === '') {
			this.#counts.empty += 1;
			return EMPTY;
		}
		const cleaned = this.#cleaner.clean(text);
		if (cleaned.kind === 'accepted') {
			this.#counts.addresses += 1;
			const operator = publicMailOf(domainOf(cleaned.email));
			if (operator !== null) this.#atProviders.set(operator, (this.#atProviders.get(operator) ?? 0) + 1);
			return cleaned.index;
		}
		if (cleaned.kind === 'duplicate') {
			this.#counts.duplicates += 1;
			return cleaned.of;
		}
		this.#counts.malformed += 1;
		if (this.#malformedRows.length < MALFORMED_ROWS)
			this.#malformedRows.push({ number, text: shown(text), reason: describeFault(cleaned.reason, text) });
		return MALFORMED;
	}
}

/** Decodes the number that `ListRows` recorded for a row. */
export function readPlace(place: number | undefined): Place {
	assert(
		place !== undefined && Number.isInteger(place) && place >= EMPTY,
		'each row of the file has its place',
	);
	if (place === EMPTY) return { kind: 'empty' };
	if (place === MALFORMED) return { kind: 'malformed' };
	return { kind: 'result', index: Math.floor(place / 2), again: place % 2 === 1 };
}

/** The addresses at large providers that accept every recipient, which stay unknown, and the names of these providers. */
function untoldOf(atProviders: ReadonlyMap<OperatorName, number>) {
	const untold = [...atProviders]
		.filter(([operator]) => isNotAsked(operator))
		.toSorted(([, a], [, b]) => b - a);
	return {
		addresses: untold.reduce((sum, [, addresses]) => sum + addresses, 0),
		providers: [...new Set(untold.map(([operator]) => displayNameOf(wordOf(operator))))],
	};
}
