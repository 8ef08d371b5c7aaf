import { format, isDateFormat } from 'numfmt';
import { refusal } from '../file-kind.ts';
import { FILE_OCTETS_MAX, ROW_CHARS_MAX } from '../limits.ts';
import { TOO_LARGE } from './xml.ts';
import type { XmlReader } from './xml.ts';

/** Different texts of a workbook: eight columns of them in 50,000 rows. Some 60 MB of heap hold them. */
export const TEXTS_MAX = 400_000;

// ECMA-376-1 §22.9.2.19: characters that XML can't hold.
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** Decodes the escapes in a workbook's text. */
export function unescaped(text: string): string {
	if (!text.includes('_x')) return text;
	return text.replaceAll(ESCAPED, (_, digits: string) => {
		const unit = Number.parseInt(digits, 16);
		// We drop NUL from texts.
		return unit === 0 ? '' : String.fromCharCode(unit);
	});
}

/** Collects the text of an element of rich text, without the readings (`rPh`) beside East Asian names. */
export class RichText {
	#inText = false;
	#inReading = false;
	#text = '';

	begin(): void {
		this.#text = '';
	}

	open(name: string): void {
		if (name === 't') this.#inText = !this.#inReading;
		else if (name === 'rPh') this.#inReading = true;
	}

	close(name: string): void {
		if (name === 't') this.#inText = false;
		else if (name === 'rPh') this.#inReading = false;
	}

	add(text: string): void {
		if (!this.#inText) return;
		this.#text += text;
		if (this.#text.length > ROW_CHARS_MAX) throw refusal(TOO_LARGE);
	}

	end(): string {
		return unescaped(this.#text);
	}
}

/** Reads the texts that cells share. Throws `ServiceError` for more of them than a list can have. */
export class SharedText implements XmlReader {
	readonly texts: string[] = [];
	readonly #rich = new RichText();
	#chars = 0;

	readonly open = (name: string): void => {
		if (name === 'si') this.#rich.begin();
		else this.#rich.open(name);
	};

	readonly text = (text: string): void => this.#rich.add(text);

	readonly close = (name: string): void => {
		this.#rich.close(name);
		if (name !== 'si') return;
		const text = this.#rich.end();
		this.#chars += text.length;
		if (this.texts.length >= TEXTS_MAX || this.#chars > FILE_OCTETS_MAX) throw refusal(TOO_LARGE);
		this.texts.push(text);
	};
}

// ECMA-376-1 §18.8.30: formats that have a number and are not stored in the file. We leave out dates whose order
// depends on the reader's country: they become ISO 8601, which is the same everywhere.
const BUILT_IN: Readonly<Record<number, string>> = {
	1: '0',
	2: '0.00',
	3: '#,##0',
	4: '#,##0.00',
	9: '0%',
	10: '0.00%',
	11: '0.00E+00',
	12: '# ?/?',
	13: '# ??/??',
	14: 'yyyy-mm-dd',
	15: 'd-mmm-yy',
	16: 'd-mmm',
	17: 'mmm-yy',
	18: 'h:mm AM/PM',
	19: 'h:mm:ss AM/PM',
	20: 'hh:mm',
	21: 'hh:mm:ss',
	22: 'yyyy-mm-dd hh:mm',
	37: '#,##0 ;(#,##0)',
	38: '#,##0 ;(#,##0)',
	39: '#,##0.00;(#,##0.00)',
	40: '#,##0.00;(#,##0.00)',
	45: 'mm:ss',
	46: '[h]:mm:ss',
	47: 'mm:ss.0',
	48: '##0.0E+0',
	49: '@',
};
// Spreadsheets write no longer patterns, and each cell costs time in proportion to its pattern's length.
const PATTERN_CHARS_MAX = 255;
// Excel keeps fifteen digits.
const DIGITS = 15;
// The days between the two ways of counting: from 1900, and from 1904 (old Macs).
const DAYS_OF_1904 = 1_462;

/** The pattern that shows a cell's numbers; null: they are shown unchanged. */
export function patternOf(id: number, inFile: ReadonlyMap<number, string>): string | null {
	const pattern = inFile.get(id) ?? BUILT_IN[id] ?? null;
	if (pattern === null || pattern.length > PATTERN_CHARS_MAX) return null;
	return /^general$/i.test(pattern) ? null : pattern;
}

/**
 * A number as the spreadsheet shows it. Without a format, with all its digits: a spreadsheet would show a long
 * telephone number as 4.91512E+11, which is useless to the customer.
 */
export function numberText(stored: string, pattern: string | null, countsFrom1904: boolean): string {
	const value = Number(stored);
	if (stored.trim() === '' || !Number.isFinite(value)) return stored;
	if (pattern === null || pattern === '@') return plain(value);
	try {
		const shift = countsFrom1904 && isDateFormat(pattern) ? DAYS_OF_1904 : 0;
		const text = format(pattern, value + shift).trim();
		// Dates out of range are shown as `#` signs; the number says more.
		return /^#+$/.test(text) ? plain(value) : text;
	} catch {
		// The library does not know the pattern.
		return plain(value);
	}
}

function plain(value: number): string {
	const rounded = Number(value.toPrecision(DIGITS));
	// JavaScript writes larger numbers with exponents as well; a telephone number or an id is shorter.
	return String(rounded);
}
