/** A Markdown table; the first row is its head. */
export function table(rows: readonly (readonly string[])[]): string {
	const [head = []] = rows;
	return [line(head), line(head.map(() => '---')), ...rows.slice(1).map(line)].join('\n');
}

function line(cells: readonly string[]): string {
	return `| ${cells.join(' | ')} |`;
}

/** `met` or `NOT met`, with what was wanted and what was found. */
export function goal(wanted: string, found: string, isMet: boolean): string {
	return `Goal: ${wanted}. Measured: ${found}: **${isMet ? 'met' : 'NOT met'}**.`;
}
