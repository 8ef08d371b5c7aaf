import {
	malformedCells,
	namesBeside,
	NO_CELLS,
	resultCells,
} from '../../../../../src/core/csv/result-columns.ts';
import { csvLine } from '../../../../../src/core/csv/write.ts';
import type { CsvDelimiter } from '../../../../../src/core/csv/write.ts';
import type { Verification } from '../../types.ts';

// The API's words are open sets, and only written here.
type Judged = Parameters<typeof resultCells>[0];

/** The end of a row in the output: our cells, already CSV. */
export interface Ending {
	readonly status: string;
	/** Null: there is no answer. */
	readonly action: string | null;
	readonly text: string;
}

/** Writes rows: the customer's own cells, and ours after them. */
export class RowWriter {
	readonly #delimiter: CsvDelimiter;
	readonly #width: number;

	constructor(delimiter: CsvDelimiter, width: number) {
		this.#delimiter = delimiter;
		this.#width = width;
	}

	header(cells: readonly string[] | null): string {
		const own = cells ?? Array.from({ length: this.#width }, (_, index) => `column_${index + 1}`);
		const padded = Array.from({ length: this.#width }, (_, index) => own[index] ?? '');
		return this.#line(padded, csvLine(namesBeside(padded), this.#delimiter));
	}

	row(cells: readonly string[], ending: Ending): string {
		return this.#line(
			Array.from({ length: Math.max(this.#width, cells.length) }, (_, index) => cells[index] ?? ''),
			ending.text,
		);
	}

	/** What we found out about an address. */
	found(result: Verification): Ending {
		const { status, action } = result;
		return { status, action, text: csvLine(resultCells(result as Judged), this.#delimiter) };
	}

	/** The cell holds no address. */
	malformed(): Ending {
		const text = csvLine(malformedCells('malformed', 'This is not an email address'), this.#delimiter);
		return { status: 'malformed', action: null, text };
	}

	/** The cell is empty. */
	empty(): Ending {
		return { status: '', action: null, text: csvLine(NO_CELLS, this.#delimiter) };
	}

	#line(cells: readonly string[], ours: string): string {
		const [own = ''] = csvLine(cells, this.#delimiter).split(/\r\n$/);
		return `${own}${this.#delimiter}${ours}`;
	}
}
