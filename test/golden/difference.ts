import type { Line } from './verdicts.ts';

const SHOWN_MAX = 300;
const ACCEPT = 'If that is meant: npm run update -- golden';

/** What changed between the file and the code, for people; empty: nothing. */
export function difference(before: readonly Line[], after: readonly Line[]): string {
	const old = new Map(before.map((line) => [line.case, line]));
	const now = new Map(after.map((line) => [line.case, line]));
	const twice = after.find((line) => now.get(line.case) !== line);
	if (twice !== undefined) return `Two cases have the name ${twice.case}`;
	const changes = [...new Set([...now.keys(), ...old.keys()])].flatMap((name) => {
		const words = changeOf(old.get(name), now.get(name));
		return words === null ? [] : [[name, words] as const];
	});
	if (changes.length === 0)
		return isSameOrder(before, after) ? '' : `The order of the cases changed.\n${ACCEPT}`;
	const groups = Map.groupBy(changes, ([name]) => groupOf(name));
	const counts = [...groups].map(([group, { length }]) => `${group}: ${length}`).join(', ');
	const shown = [...groups.values()].flat().slice(0, SHOWN_MAX);
	const rest = changes.length - shown.length;
	return [
		`${changes.length} of ${now.size} verdicts changed (${counts})`,
		...shown.map(([name, words]) => `  ${name}: ${words}`),
		...(rest > 0 ? [`  and ${rest} more`] : []),
		ACCEPT,
	].join('\n');
}

function changeOf(old: Line | undefined, now: Line | undefined): string | null {
	if (now === undefined) return 'is gone';
	if (old === undefined) return `is new: ${JSON.stringify({ ...now, case: undefined })}`;
	const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
		(field) => old[field] !== now[field],
	);
	if (fields.length === 0) return null;
	return fields.map((field) => `${field} ${wordOf(old[field])} -> ${wordOf(now[field])}`).join(', ');
}

function wordOf(value: Line[string] | undefined): string {
	return value === undefined ? 'none' : String(value);
}

function groupOf(name: string): string {
	return name.split(' | ', 2).join(' | ');
}

function isSameOrder(before: readonly Line[], after: readonly Line[]): boolean {
	return before.every((line, at) => line.case === after[at]?.case);
}
