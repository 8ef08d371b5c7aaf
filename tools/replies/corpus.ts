import { readFileSync } from 'node:fs';
import { URL } from 'node:url';

/** One reply with what it is known to mean. */
export interface Example {
	/** Where it is from: the group of the training file, or the source of a labelled reply. */
	readonly group: string;
	/** `shut`: the mailbox is disabled, which leads to the same verdict as a missing one. */
	readonly label: 'missing' | 'shut' | 'other';
	readonly code: number;
	readonly enhanced: string | null;
	readonly line: string;
	/** The operator's name, where a labelled reply tells it. */
	readonly provider?: string | null;
}

const LABELS = { m: 'missing', s: 'shut', o: 'other' } as const;

/** The training file: our own wordings, group by group. Throws a TypeError at a line that it does not understand. */
export function readWordings(): readonly Example[] {
	const file = readFileSync(new URL('wordings.txt', import.meta.url), 'utf8');
	const examples: Example[] = [];
	let group = '';
	for (const line of file.split('\n')) {
		const heading = /^## ([a-z0-9]+): .+$/u.exec(line);
		if (heading !== null) group = heading[1] ?? '';
		if (line === '' || line.startsWith('#')) continue;
		const found = /^([mso]) ([45]\d\d) (.+)$/u.exec(line);
		if (found === null || group === '') throw new TypeError(`Not a wording: ${line}`);
		const [, label = 'o', code = '', text = ''] = found;
		const enhanced = /^#?([45]\.\d{1,3}\.\d{1,3})(?![.\d])/u.exec(text)?.[1] ?? null;
		const known = LABELS[label as keyof typeof LABELS];
		examples.push({ group, label: known, code: Number(code), enhanced, line: text });
	}
	return examples;
}

/** Names the file of labelled replies (test/data/README.md). */
const LABELLED = 'LABELLED_REPLIES';

/** Why there are no labelled replies. */
export const NOT_LABELLED = `labelled replies: ${LABELLED} names no file of them`;

/** The labelled replies that are not ambiguous; null: no file is named. */
export function readLabelled(): readonly Example[] | null {
	const file = process.env[LABELLED];
	if (file === undefined) return null;
	const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean);
	return rows.flatMap((row) => {
		const { source, text, class: kind, ambiguous, ...rest } = JSON.parse(row) as LabelledRow;
		const label = kind === 'mailbox_not_found' ? 'missing' : kind === 'mailbox_disabled' ? 'shut' : 'other';
		return ambiguous ? [] : [{ ...rest, group: source, label, line: text } as const];
	});
}

interface LabelledRow extends Pick<Example, 'code' | 'enhanced' | 'provider'> {
	readonly text: string;
	readonly class: string;
	readonly ambiguous: boolean;
	readonly source: string;
}
