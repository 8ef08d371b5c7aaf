import { visible } from './visible.ts';

/**
 * Rows as a table for a terminal: each column as wide as its widest cell, the last one as wide as it is. Control
 * characters in cells are made visible, so that no cell can steer the terminal.
 */
export function textTable(cells: readonly (readonly string[])[]): string {
	const rows = cells.map((row) => row.map(visible));
	const widths: number[] = [];
	for (const row of rows)
		for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
