import type { Child } from 'hono/jsx';

// Long texts without spaces, at which prose would break.

// Breaks are allowed after the separators of an address, an id or a path, and before the next word of a camelCase name.
const PARTS = /(?<=[._@/:=&?+-])|(?<=[a-z])(?=[A-Z][a-z])/;

/** The parts of a text without spaces, none of which is broken. */
export function wordParts(text: string): readonly string[] {
	return text.split(PARTS);
}

/** A text without spaces that may wrap between its parts, but not inside of one. */
export function breakable(text: string): Child {
	return wordParts(text).map((part, index) => (
		<>
			{index > 0 && <wbr />}
			{part}
		</>
	));
}

/** An address, an id or a host name, in the monospaced font. */
export function Mono({ text }: { readonly text: string }) {
	return <span class="mono">{breakable(text)}</span>;
}

/** One line of a table cell, cut at the column's end, with the whole text as its tooltip. */
export function Cut({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) {
	return (
		<span class={mono ? 'cut mono' : 'cut'} title={text}>
			{breakable(text)}
		</span>
	);
}
