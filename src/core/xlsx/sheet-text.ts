// The texts of a workbook (ECMA-376 part 1, §18).

export type SheetCell = string | number | boolean | null;

// The most characters of a cell; Excel calls a longer one damage and offers to repair the file.
const TEXT_MAX = 32_767;
// Characters that XML 1.0 can't hold, and text that reads as the escape of one (§22.9.2.19).
const UNFIT = /(?![\t\n])[\p{Cc}\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu;
const LETTERS = 26;

/** The element of one row. `number`: from 1. The first row is bold. */
export function rowElement(cells: readonly SheetCell[], number: number): string {
	const style = number === 1 ? ' s="1"' : '';
	const elements = cells.map((cell, index) => cellElement(cell, `${columnName(index)}${number}`, style));
	return `<row r="${number}">${elements.join('')}</row>`;
}

function cellElement(cell: SheetCell, at: string, style: string): string {
	if (cell === null || cell === '') return '';
	if (typeof cell === 'number') return `<c r="${at}"${style}><v>${cell}</v></c>`;
	if (typeof cell === 'boolean') return `<c r="${at}"${style} t="b"><v>${cell ? 1 : 0}</v></c>`;
	const text = escaped(cell.slice(0, TEXT_MAX).toWellFormed());
	return `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** `A` of 0, `Z` of 25, `AA` of 26. */
export function columnName(index: number): string {
	const rest = Math.floor(index / LETTERS);
	return `${rest === 0 ? '' : columnName(rest - 1)}${String.fromCodePoint(65 + (index % LETTERS))}`;
}

function escaped(text: string): string {
	return text
		.replace(UNFIT, (unfit) => `_x${unfit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;');
}
