import { parseAddress } from '../address/parse-address.ts';
import type { AddressFault } from '../address/parse-address.ts';

export interface CleanedList {
	/** Addresses as results show them (domain in lower case), in the order of their first occurrence. */
	readonly accepted: readonly string[];
	readonly duplicates: number;
	readonly invalid: number;
}

/** What became of one text of a list. */
export type Cleaned =
	/** `index`: its place among the accepted. */
	| { readonly kind: 'accepted'; readonly index: number; readonly email: string }
	| { readonly kind: 'malformed'; readonly reason: AddressFault }
	/** `of`: the place of the accepted address that it repeats; null: it repeats a malformed text. */
	| { readonly kind: 'duplicate'; readonly of: number | null };

/**
 * Cleans a list, text by text. Texts that are equal but for case, surrounding white space and the script of the domain
 * (RFC 5890 §2.3.2.1: A-label or U-label) are one: the first spelling counts, as an address or as malformed, and every
 * later one is a duplicate. A blank repeats nothing: each is malformed.
 */
export class ListCleaner {
	readonly #seen = new Map<string, number | null>();
	#accepted = 0;

	clean(text: string): Cleaned {
		const trimmed = text.trim();
		if (trimmed === '') return { kind: 'malformed', reason: 'empty' };
		// Case alone: composed and decomposed letters (NFC, NFD) are one mailbox to us, but not to the contract.
		const typed = trimmed.toLowerCase();
		const known = this.#seen.get(typed);
		if (known !== undefined) return { kind: 'duplicate', of: known };
		const parsed = parseAddress(trimmed);
		if (!parsed.ok) {
			this.#seen.set(typed, null);
			return { kind: 'malformed', reason: parsed.reason };
		}
		const key = withDomain(typed, parsed.address.domain);
		const other = this.#seen.get(key);
		if (typeof other === 'number') return { kind: 'duplicate', of: other };
		this.#seen.set(key, this.#accepted);
		this.#accepted += 1;
		return { kind: 'accepted', index: this.#accepted - 1, email: parsed.address.email };
	}
}

/** The text itself where nothing changes: of 50,000 addresses a second copy would be 13 MB. */
function withDomain(text: string, domain: string): string {
	if (text.endsWith(`@${domain}`)) return text;
	return text.slice(0, text.lastIndexOf('@') + 1) + domain;
}

/** What is left of a submitted list. */
export function cleanList(emails: readonly string[]): CleanedList {
	const cleaner = new ListCleaner();
	const accepted: string[] = [];
	let duplicates = 0;
	let invalid = 0;
	for (const text of emails) {
		const cleaned = cleaner.clean(text);
		if (cleaned.kind === 'accepted') accepted.push(cleaned.email);
		else if (cleaned.kind === 'duplicate') duplicates += 1;
		else invalid += 1;
	}
	return { accepted, duplicates, invalid };
}
