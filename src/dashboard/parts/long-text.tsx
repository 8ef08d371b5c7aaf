import type { Child } from 'hono/jsx';

// Texts that may be longer than their place. Prose breaks between words; these have none.

// Behind these a reader expects that a part has ended, of an address, an id, a path; and in a field's name where the next
// word begins.
const PARTS = /(?<=[._@/:=&?+-])|(?<=[a-z])(?=[A-Z][a-z])/;

/** A text without spaces that may go on in the next line between two of its parts, and not inside of one. */
export function breakable(text: string): Child {
	return text.split(PARTS).map((part, index) => (
		<>
			{index > 0 && <wbr />}
			{part}
		</>
	));
}

/** An address, an id, the name of a server. */
export function Mono({ text }: { readonly text: string }) {
	return <span class="mono">{breakable(text)}</span>;
}

/** One line of a table, cut where its column ends; the whole of it is on it. */
export function Cut({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) {
	return (
		<span class={mono ? 'cut mono' : 'cut'} title={text}>
			{breakable(text)}
		</span>
	);
}
