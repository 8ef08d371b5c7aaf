import { parseAddress } from '../address/parse-address.ts';
import type { AddressFault } from '../address/parse-address.ts';
import type { RejectedElements } from './rejected.ts';

export interface CleanedList {
	/** Addresses as results show them (domain in lower case), in the order of their first occurrence. */
	readonly accepted: readonly string[];
	readonly duplicates: number;
	readonly invalid: number;
}

/** The outcome for one text of a list. */
export type Cleaned =
	/** `index`: its position among the accepted. */
	| { readonly kind: 'accepted'; readonly index: number; readonly email: string }
	| { readonly kind: 'malformed'; readonly reason: AddressFault }
	/** `of`: the index of the accepted address that it repeats; null: it repeats a malformed text. */
	| { readonly kind: 'duplicate'; readonly of: number | null };

/**
 * Cleans a list, text by text. Texts are the same if they differ only in case, in surrounding white space or in the
 * form of the domain (A-label or U-label, RFC 5890 §2.3.2.1). The first is an address or malformed, and every later
 * one a duplicate. Blank texts are never duplicates: each is malformed.
 */
export class ListCleaner {
	readonly #seen = new Map<string, number | null>();
	#accepted = 0;

	clean(text: string): Cleaned {
		const trimmed = text.trim();
		if (trimmed === '') return { kind: 'malformed', reason: 'empty' };
		// Only case is folded: composed and decomposed letters (NFC, NFD) are one mailbox, but not duplicates by contract.
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

/** Returns the same string if nothing changes: copies of 50,000 addresses would take 13 MB. */
function withDomain(text: string, domain: string): string {
	if (text.endsWith(`@${domain}`)) return text;
	return text.slice(0, text.lastIndexOf('@') + 1) + domain;
}

/** Cleans a submitted list, and reports each removed element to `rejected`. */
export function cleanList(emails: readonly string[], rejected?: RejectedElements): CleanedList {
	const cleaner = new ListCleaner();
	const accepted: string[] = [];
	let duplicates = 0;
	let invalid = 0;
	for (const [index, text] of emails.entries()) {
		const cleaned = cleaner.clean(text);
		rejected?.see(index, text, cleaned);
		if (cleaned.kind === 'accepted') accepted.push(cleaned.email);
		else if (cleaned.kind === 'duplicate') duplicates += 1;
		else invalid += 1;
	}
	return { accepted, duplicates, invalid };
}
