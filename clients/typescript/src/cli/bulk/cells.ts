import {
	malformedCells,
	namesBeside,
	NO_CELLS,
	padded,
	resultCells,
} from '../../../../../src/core/csv/result-columns.ts';
import { csvLine } from '../../../../../src/core/csv/write.ts';
import type { CsvDelimiter, CsvRow } from '../../../../../src/core/csv/write.ts';
import type { Verification } from '../../types.ts';
import type { List } from './list.ts';

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
	readonly #names: readonly string[];

	constructor({ format, header, width }: List) {
		this.#delimiter = format.delimiter === ';' ? ';' : ',';
		this.#names = Array.from({ length: width }, (_, index) => header?.[index] ?? `column_${index + 1}`);
	}

	header(): string {
		return this.#line(this.#names, csvLine(namesBeside(this.#names), this.#delimiter));
	}

	row(cells: readonly string[], ending: Ending): string {
		return this.#line(padded(cells, this.#names.length), ending.text);
	}

	/** What we found out about an address. */
	found(result: Verification): Ending {
		return this.#ending(result.status, result.action, resultCells(result as Judged));
	}

	/** The cell holds no address. */
	malformed(): Ending {
		return this.#ending('malformed', null, malformedCells('malformed', 'This is not an email address'));
	}

	/** The cell is empty. */
	empty(): Ending {
		return this.#ending('', null, NO_CELLS);
	}

	#ending(status: string, action: string | null, cells: CsvRow): Ending {
		return { status, action, text: csvLine(cells, this.#delimiter) };
	}

	#line(cells: CsvRow, ours: string): string {
		const [own = ''] = csvLine(cells, this.#delimiter).split(/\r\n$/);
		return `${own}${this.#delimiter}${ours}`;
	}
}
