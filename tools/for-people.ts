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
