import type { Evidence } from '../src/core/verification/evidence.ts';
import { visible } from '../src/lib/text.ts';

// The service's answers hold names, labels and replies that strangers chose: none of them steers the reader's
// terminal.

/** `key: value` lines for people; nested ones are indented. */
export function forPeople(value: object, indent = ''): string {
	return Object.entries(value)
		.map(([name, item]: [string, unknown]) => {
			const isNested = typeof item === 'object' && item !== null;
			return isNested
				? `${indent}${visible(name)}:\n${forPeople(item, `${indent}  `)}`
				: `${indent}${visible(name)}: ${jsonLine(item)}`;
		})
		.join('\n');
}

/** JSON in one line. */
export function jsonLine(value: unknown): string {
	return visible(JSON.stringify(value));
}

/** The steps as lines for a terminal. */
export function linesOf(evidence: readonly Evidence[]): readonly string[] {
	return evidence.map(({ step, at_ms: atMs, host, code, enhanced, text, rule, source, likelihood }) => {
		const read = rule === undefined ? null : `[${rule}${source === undefined ? '' : `, ${source}`}]`;
		const sure = likelihood === undefined ? null : `likelihood ${likelihood.toFixed(2)}`;
		const words = [host, code, enhanced, text, read, sure].filter(
			(word) => word !== undefined && word !== null,
		);
		return visible(`${String(atMs).padStart(6)} ms  ${step.padEnd(8)}${words.join(' ')}`);
	});
}
