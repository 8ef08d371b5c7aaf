import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

const FILE = 'docs/performance.md';
const GB = 1024 ** 3;

/** How much is measured. */
export interface BenchSettings {
	/** Fewer runs and no list of 50,000: to see that it works, not to be quoted. */
	readonly quick: boolean;
	/** Tells people how far it is. */
	readonly say: (line: string) => void;
}

/** One bench: gives its tables in Markdown. */
export type Bench = (settings: BenchSettings) => Promise<string>;

/** A Markdown table; the first row is its head. */
export function table(rows: readonly (readonly string[])[]): string {
	const [head = []] = rows;
	const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.slice(1).map(line)].join('\n');
}

export const verdict = (isMet: boolean): string => (isMet ? '**met**' : '**NOT met**');

/** A line that says `met` or `NOT met`, with what was wanted and what was found. */
export function goal(wanted: string, found: string, isMet: boolean): string {
	return `- Goal: ${wanted}. Measured: ${found}: ${verdict(isMet)}.`;
}

/** A goal for a number, which is found with a unit and so many decimals; `#` is the limit. */
export function atMost(wanted: string, limit: number, found: number, unit = '', decimals = 0): string {
	return goal(wanted.replace('#', String(limit)), `${found.toFixed(decimals)}${unit}`, found <= limit);
}

/** Puts a section's tables between its marks in the document. */
export function writeSection(name: string, text: string): void {
	const document = readFileSync(FILE, 'utf8');
	const [begin, end] = [`<!-- bench ${name} -->`, `<!-- end ${name} -->`];
	const [from, to] = [document.indexOf(begin), document.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`${FILE} has no place for ${name}`);
	writeFileSync(FILE, `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`);
}

/** The machine and how busy it was before the first bench began. */
export function describeMachine(loadBefore: number): string {
	const [cpu] = cpus();
	return (
		`Run on ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC: ${cpus().length} × ${cpu?.model.trim()}, ` +
		`${(totalmem() / GB).toFixed(0)} GB, Node ${process.versions.node}. Load before the benches began: ${loadBefore.toFixed(1)}.` +
		(loadBefore > BUSY ? ' **The machine was busy with other work: these numbers are upper bounds.**' : '')
	);
}

const BUSY = 0.5;
