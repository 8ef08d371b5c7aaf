import { toAscii } from '../../lib/idna.ts';

// A consumer works on a part for 90 s at most: enough for this many addresses, whose blob is some 30 KB.
export const PART_SIZE_MAX = 250;
// A small job, which should end within seconds, gets several parts, so that a slow domain delays few addresses.
export const PART_SIZE_MIN = 10;
// Parts run side by side; a job of medium size is cut into about this many.
const PARTS_WANTED = 20;

const NOT_ASCII = /[^\0-\x7F]/;

/**
 * Cuts a job into parts: indices of `accepted`, sorted by domain, each exactly once. Addresses of one domain stay
 * together, because they share conversations. A domain larger than a part gets even parts of its own, so that a slow
 * one delays no other domain.
 */
export function planParts(accepted: readonly string[]): readonly (readonly number[])[] {
	const size = partSize(accepted.length);
	const parts: number[][] = [];
	let open: number[] = [];
	for (const members of membersByDomain(accepted)) {
		if (open.length + members.length > size && open.length > 0) {
			parts.push(open);
			open = [];
		}
		if (members.length > size) parts.push(...evenCuts(members, size));
		else open.push(...members);
	}
	if (open.length > 0) parts.push(open);
	return parts;
}

/** The most addresses in one part of a job of `total` addresses. */
export function partSize(total: number): number {
	return Math.min(Math.max(Math.ceil(total / PARTS_WANTED), PART_SIZE_MIN), PART_SIZE_MAX);
}

/** Groups in the order of the domains' names, each in the order of the list. */
function membersByDomain(accepted: readonly string[]): readonly (readonly number[])[] {
	const groups = new Map<string, number[]>();
	for (const [index, email] of accepted.entries()) {
		const domain = domainOf(email);
		const group = groups.get(domain);
		if (group === undefined) groups.set(domain, [index]);
		else group.push(index);
	}
	// By code units: any fixed order will do, and collation would take seconds.
	return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, members]) => members);
}

/** The domain as A-labels, so that `bücher.example` and its A-labels are one domain. */
function domainOf(email: string): string {
	const domain = email.slice(email.lastIndexOf('@') + 1);
	return NOT_ASCII.test(domain) ? (toAscii(domain) ?? domain) : domain;
}

/** Cuts into as few pieces as `size` allows, whose lengths differ by at most one. */
function evenCuts(members: readonly number[], size: number): number[][] {
	const pieces = Math.ceil(members.length / size);
	const cut = (piece: number): number => Math.floor((piece * members.length) / pieces);
	return Array.from({ length: pieces }, (_, piece) => members.slice(cut(piece), cut(piece + 1)));
}
