import { refusal } from './file-kind.ts';
import type { FileFormat } from './format.ts';
import { FILE_OCTETS_MAX } from './limits.ts';

/** The format of the texts that `CsvText` writes. */
export const CSV_TEXT_FORMAT: FileFormat = {
	encoding: 'utf-8',
	delimiter: ',',
	lineEnd: 'lf',
	hasSeparatorLine: false,
};

// RFC 4180 §2, rules 5 to 7.
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Writes rows as the text of a list, each cell unchanged, because only we read it again. Files for people are made
 * safe for spreadsheets elsewhere. Throws `ServiceError` for more text than a file can have.
 */
export class CsvText {
	readonly #encoder = new TextEncoder();
	readonly #pieces: Uint8Array[] = [];
	#octets = 0;

	write(cells: readonly string[]): void {
		this.#add(`${cells.map(quoted).join(',')}\n`);
	}

	/** Adds empty rows. */
	skip(rows: number): void {
		if (rows > 0) this.#add('\n'.repeat(rows));
	}

	end(): Uint8Array {
		const whole = new Uint8Array(this.#octets);
		let at = 0;
		for (const piece of this.#pieces) {
			whole.set(piece, at);
			at += piece.length;
		}
		return whole;
	}

	#add(line: string): void {
		const piece = this.#encoder.encode(line);
		this.#octets += piece.length;
		if (this.#octets > FILE_OCTETS_MAX)
			throw refusal('As text, this list has more than 20 MB. Keep only the columns you need, or split it.');
		this.#pieces.push(piece);
	}
}

function quoted(cell: string): string {
	return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
