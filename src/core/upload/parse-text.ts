import Papa from 'papaparse';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface ParsedText {
	readonly rows: readonly (readonly string[])[];
	/** Characters that belong to `rows`; what follows is the beginning of a row. */
	readonly consumed: number;
	/** Place in `rows` of the first row with a quotation mark where none may be, or null. */
	readonly oddQuote: number | null;
	/** A quotation mark is open at the end of a text that is the last. */
	readonly unclosed: boolean;
}

interface ParserAnswer {
	readonly data: readonly string[][];
	readonly errors: readonly { readonly code: string; readonly row: number }[];
	readonly meta: { readonly cursor: number };
}

/**
 * Reads the rows of a text whose lines end in LF. Unless it is the last, its last row is left, because it may go on.
 * `Papa.Parser` and not `Papa.parse`: only the parser itself says where that row begins.
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
