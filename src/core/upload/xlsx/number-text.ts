import { format, isDateFormat } from 'numfmt';

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
