import type { Steps } from '../../../lib/slots.ts';
import { refusal, COLUMNS_MAX, ROW_CHARS_MAX, ROWS_MAX } from '../file-kind.ts';
import { CsvText } from '../text.ts';
import { numberText, RichText, unescaped } from './cell-text.ts';
import type { Sheet, Workbook } from './workbook.ts';
import { readXml } from './xml.ts';
import type { XmlReader } from './xml.ts';
import { DAMAGED } from './zip.ts';

// The most rows of a spreadsheet.
const ROW_NUMBER_MAX = 1_048_576;

/**
 * Writes a sheet as CSV, each row with its number, so that the code for text files can read it. Throws `ServiceError`
 * for too many rows, or for more text than a file can have.
 */
export function* sheetToCsv(file: Uint8Array, book: Workbook, sheet: Sheet): Steps<Uint8Array> {
	const reader = new SheetReader(book, sheet.name);
	yield* readXml(file, sheet.entry, { allowance: book.allowance, reader });
	return reader.csv.end();
}

/** Reads the rows of a sheet (ECMA-376-1 §18.3.1), each cell as the spreadsheet shows it. */
class SheetReader implements XmlReader {
	readonly csv = new CsvText();
	readonly #book: Workbook;
	readonly #name: string;
	readonly #rich = new RichText();
	#rows = 0;
	#written = 0;
	#number = 0;
	#column = -1;
	#cells: string[] = [];
	#chars = 0;
	#type = 'n';
	#pattern: string | null = null;
	#inValue = false;
	#value = '';

	constructor(book: Workbook, name: string) {
		this.#book = book;
		this.#name = name;
	}

	readonly open = (name: string, attribute: (name: string) => string | undefined): void => {
		if (name === 'row') this.#openRow(attribute('r'));
		else if (name === 'c') {
			const place = attribute('r');
			this.#column = place === undefined ? this.#column + 1 : columnOf(place);
			this.#type = attribute('t') ?? 'n';
			this.#pattern = this.#book.patterns[Number(attribute('s') ?? 0)] ?? null;
		} else if (name === 'v') {
			this.#inValue = true;
			this.#value = '';
		} else if (name === 'is') this.#rich.begin();
		else this.#rich.open(name);
	};

	readonly text = (text: string): void => {
		if (!this.#inValue) return this.#rich.add(text);
		this.#value += text;
		if (this.#value.length > ROW_CHARS_MAX) throw this.#tooLong();
	};

	readonly close = (name: string): void => {
		if (name === 'v') {
			this.#inValue = false;
			this.#put(this.#shown(this.#value));
		} else if (name === 'is') this.#put(this.#rich.end());
		else if (name === 'row') this.#closeRow();
		else this.#rich.close(name);
	};

	#openRow(number: string | undefined): void {
		// Without a number: the next one.
		const next = number === undefined ? this.#number + 1 : Number(number);
		// Spreadsheets write no rows in another order, or twice.
		if (!Number.isInteger(next) || next <= this.#number || next > ROW_NUMBER_MAX) throw refusal(DAMAGED);
		this.#number = next;
		this.#column = -1;
		this.#cells = [];
		this.#chars = 0;
	}

	#put(text: string): void {
		if (text === '') return;
		if (this.#column >= COLUMNS_MAX) {
			throw refusal(
				`Row ${this.#number} has a cell in column ${this.#column + 1}; a list can have ${COLUMNS_MAX} columns. Keep only the columns you need.`,
			);
		}
		// Cells share their texts in memory, but the text of a written row is a copy.
		this.#chars += text.length;
		if (this.#chars > ROW_CHARS_MAX) throw this.#tooLong();
		while (this.#cells.length < this.#column) this.#cells.push('');
		this.#cells[this.#column] = text;
	}

	#closeRow(): void {
		if (!this.#cells.some((cell) => cell.trim() !== '')) return;
		this.#rows += 1;
		// One of them may be a header.
		if (this.#rows > ROWS_MAX + 1) {
			throw refusal(
				`The sheet “${this.#name}” has more than 50,000 rows, the most that a list can have. Split it into several files.`,
			);
		}
		this.csv.skip(this.#number - this.#written - 1);
		this.csv.write(this.#cells);
		this.#written = this.#number;
	}

	#tooLong(): Error {
		return refusal(
			`Row ${this.#number} is longer than 200,000 characters. Keep only the columns you need, and upload the file again.`,
		);
	}

	/** ECMA-376-1 §18.18.11. */
	#shown(value: string): string {
		if (this.#type === 's') return this.#book.shared[Number(value)] ?? '';
		if (this.#type === 'str') return unescaped(value);
		if (this.#type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
		// `e`: an error such as #N/A; `d`: a date as ISO 8601.
		if (this.#type !== 'n') return value;
		return numberText(value, this.#pattern, this.#book.countsFrom1904);
	}
}

/** The index of a column from 0, from a reference such as `AB12`. */
function columnOf(place: string): number {
	const letters = /^[A-Z]+/.exec(place)?.[0] ?? '';
	if (letters === '') throw refusal(DAMAGED);
	let column = 0;
	for (const letter of letters) column = 26 * column + letter.charCodeAt(0) - 64;
	return column - 1;
}
