import { DAY_MS } from '../../../lib/time.ts';
import { refusal, ROW_CHARS_MAX } from '../file-kind.ts';
import { TOO_LARGE } from './xml.ts';

// ECMA-376-1 §22.9.2.19: characters that XML can't hold.
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** Decodes the escapes in a workbook's text. */
export function unescaped(text: string): string {
	if (!text.includes('_x')) return text;
	// We drop NUL from texts.
	return text.replaceAll(ESCAPED, (_, digits: string) =>
		String.fromCharCode(Number.parseInt(digits, 16)).replace('\0', ''),
	);
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

const DATE = 'yyyy-mm-dd';
const TIME = 'hh:mm:ss';
// ECMA-376-1 §18.8.30: the formats for dates, times and shares that have a number and are not stored in the file.
const BUILT_IN: ReadonlyMap<number, string> = new Map([
	...[9, 10].map((id) => [id, '0%'] as const),
	...[14, 15, 16, 17].map((id) => [id, DATE] as const),
	...[18, 19, 20, 21, 45, 47].map((id) => [id, TIME] as const),
	[22, 'yyyy-mm-dd hh:mm'],
]);
// Spreadsheets write no longer patterns, and each cell costs time in proportion to its pattern's length.
const PATTERN_CHARS_MAX = 255;

/** The pattern that shows a cell's numbers; null: they are shown unchanged. */
export function patternOf(id: number, inFile: ReadonlyMap<number, string>): string | null {
	const pattern = inFile.get(id) ?? BUILT_IN.get(id) ?? '';
	// Text in quotation marks, in brackets or behind a backslash is shown, and says nothing about the number.
	const bare = pattern
		.slice(0, PATTERN_CHARS_MAX + 1)
		.replaceAll(/"[^"]*"|\[(?![hms]+\])[^[\]]*\]|\\./gi, '');
	const isKnown = /^0+$/.test(bare) || bare.endsWith('%') || /[dmyhs]/i.test(bare);
	return pattern.length <= PATTERN_CHARS_MAX && isKnown && !bare.includes('[') ? bare.toLowerCase() : null;
}

// Excel keeps fifteen digits.
const DIGITS = 15;
// The days between the two ways of counting: from 1900, and from 1904 (old Macs).
const DAYS_OF_1904 = 1_462;
// 1 January 1970 and the last day of the year 9999, as Excel counts days.
const EPOCH_DAY = 25_569;
const DAYS_MAX = 2_958_466;

/**
 * A number as the spreadsheet shows it, as far as a list needs: dates as ISO 8601, shares, and codes with leading zeros.
 * Others have all their digits: 4.91512E+11 is a telephone number that no one can use.
 */
export function numberText(stored: string, pattern: string | null, countsFrom1904: boolean): string {
	const value = Number(stored);
	if (stored.trim() === '' || !Number.isFinite(value)) return stored;
	const plain = plainOf(value);
	if (pattern === null) return plain;
	if (/^0+$/.test(pattern)) return /^\d+$/.test(plain) ? plain.padStart(pattern.length, '0') : plain;
	if (pattern.endsWith('%')) return `${plainOf(100 * value)}%`;
	const days = value + (countsFrom1904 ? DAYS_OF_1904 : 0);
	return days >= 0 && days < DAYS_MAX ? dateText(days, pattern) : plain;
}

function plainOf(value: number): string {
	return String(Number(value.toPrecision(DIGITS)));
}

/** The date, the time or both, by the letters of the pattern. `m` is a month, or minutes beside hours or seconds. */
function dateText(days: number, pattern: string): string {
	// A second is the least that a pattern shows.
	const seconds = Math.round((days - EPOCH_DAY) * (DAY_MS / 1_000));
	const [date = '', time = ''] = new Date(seconds * 1_000).toISOString().split(/[T.]/);
	const hasTime = /[hs]/.test(pattern);
	const hasDate = !hasTime || /[dy]/.test(pattern);
	const timeText = pattern.includes('s') ? time : time.slice(0, 5);
	return `${hasDate ? date : ''}${hasDate && hasTime ? ' ' : ''}${hasTime ? timeText : ''}`;
}
