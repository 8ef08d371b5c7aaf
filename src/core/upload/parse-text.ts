import Papa from 'papaparse';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface ParsedText {
	readonly rows: readonly (readonly string[])[];
	/** Characters that belong to `rows`; the rest begins the next row. */
	readonly consumed: number;
	/** Index in `rows` of the first row with a misplaced quotation mark, or null. */
	readonly oddQuote: number | null;
	/** A quotation mark is still open at the end of the last text. */
	readonly unclosed: boolean;
}

interface ParserAnswer {
	readonly data: readonly string[][];
	readonly errors: readonly { readonly code: string; readonly row: number }[];
	readonly meta: { readonly cursor: number };
}

/**
 * Reads the rows of a text whose lines end in LF. Unless `isLast`, the last row is not read, because it may continue.
 * `Papa.Parser` and not `Papa.parse`: only the parser says where that row begins.
 */
export function parseText(text: string, delimiter: Delimiter, isLast: boolean): ParsedText {
	const parser = new Papa.Parser({ delimiter, newline: '\n' });
	const { data, errors, meta } = parser.parse(text, 0, !isLast) as ParserAnswer;
	return {
		rows: data,
		consumed: meta.cursor,
		oddQuote: errors.find(({ code, row }) => code === 'InvalidQuotes' && row < data.length)?.row ?? null,
		unclosed: errors.some(({ code }) => code === 'MissingQuotes'),
	};
}
