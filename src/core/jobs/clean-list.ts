import { parseAddress } from '../address/parse-address.ts';

export interface CleanedList {
	/** Addresses as results show them (domain in lower case), in the order of their first occurrence. */
	readonly accepted: readonly string[];
	readonly duplicates: number;
	readonly invalid: number;
}

/**
 * What is left of a submitted list. Texts that are equal but for case and surrounding white space are one: the first
 * spelling counts, as an address or as malformed, and every later one is a duplicate.
 */
export function cleanList(emails: readonly string[]): CleanedList {
	const seen = new Set<string>();
	const accepted: string[] = [];
	let invalid = 0;
	for (const text of emails) {
		const trimmed = text.trim();
		const { size } = seen;
		// Case alone: composed and decomposed letters (NFC, NFD) are one address to us, but not to the contract.
		seen.add(trimmed.toLowerCase());
		if (seen.size === size) continue;
		const parsed = parseAddress(trimmed);
		if (parsed.ok) accepted.push(parsed.address.email);
		else invalid += 1;
	}
	return { accepted, duplicates: emails.length - seen.size, invalid };
}
