import { bareAddress, parseAddress } from '../address/parse-address.ts';
import type { Address, AddressFault } from '../address/parse-address.ts';
import { canonicalEmail } from '../mail-operators/operators.ts';
import { assert } from '../../lib/assert.ts';
import { ROWS_PER_PAGE } from './pages.ts';

interface CleanedList {
	/** Addresses as results show them (domain in lower case), in the order of their first occurrence. */
	readonly accepted: readonly string[];
	readonly duplicates: number;
	readonly invalid: number;
	/** The others, in the order of the list. */
	readonly rejected: readonly RejectedElement[];
}

/** `index`: the element's position in the list. `of`: that of the element that it repeats; null: it is malformed. */
interface RejectedElement {
	readonly index: number;
	readonly of: number | null;
}

/** The outcome for one text of a list. */
type Cleaned =
	/** `index`: its position among the accepted. */
	| { readonly kind: 'accepted'; readonly index: number; readonly email: string }
	| { readonly kind: 'malformed'; readonly reason: AddressFault }
	/** `of`: the index of the accepted address that it repeats. */
	| { readonly kind: 'duplicate'; readonly of: number };

/** The unit that a list counts once: an address, or a mailbox whatever the spelling by its operator's rules. */
export const DEDUPES = ['address', 'mailbox'] as const;
export type Dedupe = (typeof DEDUPES)[number];

/**
 * Cleans a list, text by text. Addresses are the same if they differ only in case, in surrounding white space, in a name
 * before the address or in the form of the domain (A-label or U-label, RFC 5890 §2.3.2.1). Every later one is a duplicate
 * of the first. A text that is no address is malformed each time that it occurs. By mailbox, an address repeats another
 * spelling, as far as the domain alone tells its operator.
 */
export class ListCleaner {
	readonly #dedupe: Dedupe;
	readonly #seen = new Map<string, number>();
	#accepted = 0;

	constructor(dedupe: Dedupe = 'address') {
		this.#dedupe = dedupe;
	}

	clean(text: string): Cleaned {
		const bare = bareAddress(text);
		if (bare === '') return { kind: 'malformed', reason: 'empty' };
		// Only case is folded: composed and decomposed letters (NFC, NFD) are one mailbox, but not duplicates by contract.
		const typed = bare.toLowerCase();
		const known = this.#seen.get(typed);
		if (known !== undefined) return { kind: 'duplicate', of: known };
		const parsed = parseAddress(bare);
		if (!parsed.ok) return { kind: 'malformed', reason: parsed.reason };
		const key = this.#keyOf(parsed.address, typed);
		const other = this.#seen.get(key);
		if (other !== undefined) return { kind: 'duplicate', of: other };
		this.#seen.set(key, this.#accepted);
		this.#accepted += 1;
		return { kind: 'accepted', index: this.#accepted - 1, email: parsed.address.email };
	}

	#keyOf(address: Address, typed: string): string {
		const canonical = this.#dedupe === 'mailbox' ? canonicalEmail(address, null) : address.email;
		return canonical === address.email ? withDomain(typed, address.domain) : canonical;
	}
}

/** Returns the same string if nothing changes: copies of 50,000 addresses would take 13 MB. */
function withDomain(text: string, domain: string): string {
	if (text.endsWith(`@${domain}`)) return text;
	return text.slice(0, text.lastIndexOf('@') + 1) + domain;
}

/** Cleans a submitted list. */
export function cleanList(emails: readonly string[], dedupe: Dedupe = 'address'): CleanedList {
	const cleaner = new ListCleaner(dedupe);
	const accepted: string[] = [];
	/** The positions of the accepted elements. */
	const positions: number[] = [];
	const rejected: RejectedElement[] = [];
	for (const [index, text] of emails.entries()) {
		const cleaned = cleaner.clean(text);
		if (cleaned.kind === 'accepted') {
			accepted.push(cleaned.email);
			positions.push(index);
			continue;
		}
		const of = cleaned.kind === 'duplicate' ? positions[cleaned.of] : null;
		assert(of !== undefined, 'a duplicate repeats an element before it');
		rejected.push({ index, of });
	}
	const duplicates = rejected.filter(({ of }) => of !== null).length;
	return { accepted, duplicates, invalid: rejected.length - duplicates, rejected };
}

export const REJECTED_REASONS = ['duplicate', 'malformed'] as const;

/** An element of a submitted list that is not verified. */
export interface Rejected {
	/** Its position in the list as sent, from 0. */
	readonly index: number;
	readonly value: string;
	readonly reason: (typeof REJECTED_REASONS)[number];
	/** For a duplicate: the position of the element that it repeats; else null. */
	readonly duplicateOf: number | null;
	/** In a list from a file: its row, and that of the element that it repeats, as spreadsheets count them. */
	readonly inFile?: { readonly row: number; readonly duplicateOf: number | null };
}

/**
 * The texts of the stored pages of what was rejected, made one at a time.
 *
 * @param emails the list as sent
 * @param fileRows the row of each of them in its file; left out: the list is from none
 */
export function* rejectedPages(
	rejected: readonly RejectedElement[],
	emails: readonly string[],
	fileRows?: readonly number[],
): Iterable<string> {
	for (let first = 0; first < rejected.length; first += ROWS_PER_PAGE) {
		const lines = rejected.slice(first, first + ROWS_PER_PAGE).map(({ index, of }) => {
			const inFile = fileRows === undefined ? [] : [fileRows[index], of === null ? null : fileRows[of]];
			return JSON.stringify([index, emails[index], of, ...inFile]);
		});
		yield lines.join('\n');
	}
}

/** Reads a line of a stored page. */
export function decodeRejected(line: string): Rejected {
	const [index, value, of, row, ofRow = null] = JSON.parse(line) as readonly [
		index: number,
		value: string,
		duplicateOf: number | null,
		row?: number,
		duplicateOfRow?: number | null,
	];
	const reason = of === null ? 'malformed' : 'duplicate';
	const inFile = row === undefined ? {} : { inFile: { row, duplicateOf: ofRow } };
	return { index, value, reason, duplicateOf: of, ...inFile };
}
