/** An address that was found, and the name beside it. */
export interface Mailbox {
	readonly text: string;
	readonly name: string;
}

const SEPARATORS = /[,;|\t\r\n]/;

/** Addresses in a text, in its order. It also keeps texts that are not addresses, so that people see them left out. */
export function findMailboxes(text: string): readonly Mailbox[] {
	const found: Mailbox[] = [];
	for (const line of text.split(/\r\n|\r|\n/)) findInLine(line, found);
	return found;
}

function findInLine(line: string, found: Mailbox[]): void {
	let waiting: string[] = [];
	for (const piece of piecesOf(line)) {
		const [, before, inside] = /^([^<]*)<([^<>]*)>/.exec(piece) ?? [];
		if (inside !== undefined) {
			// `Doe, Jane <jane@example.com>`: a comma in the name, without quotes.
			const name = [...waiting, before ?? ''].map((each) => unquoted(each)).join(', ');
			waiting = [];
			found.push({ text: bare(inside), name: name.replace(/^, |, $/g, '').trim() });
		} else if (piece.includes('@')) {
			pushAll(waiting, found);
			waiting = [];
			const words = piece.split(/\s+/).filter((word) => word !== '');
			const addresses = words.filter((word) => word.includes('@'));
			const name = unquoted(words.filter((word) => !word.includes('@')).join(' '));
			for (const address of addresses)
				found.push({ text: bare(address), name: addresses.length === 1 ? name : '' });
		} else if (piece !== '') waiting.push(piece);
	}
	pushAll(waiting, found);
}

function pushAll(pieces: readonly string[], found: Mailbox[]): void {
	for (const piece of pieces) found.push({ text: piece, name: '' });
}

/** The parts of a line between separators that do not stand in quotation marks or angle brackets. */
function piecesOf(line: string): readonly string[] {
	// A quotation mark that nothing closes is one character like others.
	const quotes = (line.match(/"/g)?.length ?? 0) % 2 === 0;
	const pieces: string[] = [];
	let from = 0;
	let inQuotes = false;
	for (let at = 0; at < line.length; at += 1) {
		const char = line[at] ?? '';
		if (quotes && char === '"') inQuotes = !inQuotes;
		if (inQuotes || !SEPARATORS.test(char)) continue;
		pieces.push(line.slice(from, at).trim());
		from = at + 1;
	}
	pieces.push(line.slice(from).trim());
	return pieces;
}

function unquoted(text: string): string {
	return text
		.trim()
		.replace(/^"(.*)"$/, '$1')
		.trim();
}

/** Removes the characters that people and programs put around an address. */
function bare(text: string): string {
	return text
		.trim()
		.replace(/^(?:mailto:)/i, '')
		.replace(/^(?=\S+@)["'([{<]+/, '')
		.replace(/(?<!["')\]}>.:])["')\]}>.:]+$/, '');
}
