import { domainOf } from '../address/parse-address.ts';
import { publicMailOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import { toAscii } from '../../lib/idna.ts';

// A consumer works on a part for five minutes at most: enough for this many addresses, whose blob is some 30 KB.
const PART_SIZE_MAX = 250;
// A small job, which should end within seconds, gets several parts, so that a slow domain delays few addresses.
export const PART_SIZE_MIN = 10;
// Parts run side by side; a job of medium size is cut into about this many.
const PARTS_WANTED = 20;

const NOT_ASCII = /[^\0-\x7F]/;

/**
 * Cuts a job into parts that hold each index of `accepted` exactly once; each part is the indices of its addresses. Addresses of one domain stay together,
 * because they share conversations. Addresses at the domains of one large mailbox provider also stay together: they
 * wait for the same budget, and other addresses then need not wait with them. A domain larger than a part gets even
 * parts of its own, so that a slow domain delays no other. Parts are begun in their order. The provider with the most
 * addresses comes first, because its budget decides when the job is done. A part that waits for a budget leaves its
 * room to the next.
 */
export function planParts(accepted: readonly string[]): readonly (readonly number[])[] {
	const size = partSize(accepted.length);
	const lanes = lanesOf(membersByDomain(accepted));
	return [...lanes.values()]
		.map((groups) => cut(groups, size))
		.toSorted((a, b) => b.length - a.length)
		.flat();
}

/** The groups by provider, in the order of the domains' names; few addresses need no parts of their own. */
function lanesOf(groups: readonly Group[]): ReadonlyMap<OperatorName | null, readonly Group[]> {
	const counts = new Map<OperatorName | null, number>();
	const laneOf = ({ domain }: Group): OperatorName | null => publicMailOf(domain);
	for (const group of groups)
		counts.set(laneOf(group), (counts.get(laneOf(group)) ?? 0) + group.members.length);
	return Map.groupBy(groups, (group) => {
		const operator = laneOf(group);
		return (counts.get(operator) ?? 0) < PART_SIZE_MIN ? null : operator;
	});
}

function cut(groups: readonly Group[], size: number): number[][] {
	const parts: number[][] = [];
	let open: number[] = [];
	for (const { members } of groups) {
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

/** The addresses at one domain. */
interface Group {
	readonly domain: string;
	readonly members: readonly number[];
}

/** In the order of the domains' names, each with its members in the order of the list. */
function membersByDomain(accepted: readonly string[]): readonly Group[] {
	const groups = new Map<string, number[]>();
	for (const [index, email] of accepted.entries()) {
		const domain = asciiDomainOf(email);
		const group = groups.get(domain);
		if (group === undefined) groups.set(domain, [index]);
		else group.push(index);
	}
	// Compare by code units: any fixed order will do, and collation would take seconds.
	return [...groups]
		.toSorted(([a], [b]) => (a < b ? -1 : 1))
		.map(([domain, members]) => ({ domain, members }));
}

/** The domain as A-labels, so that `bücher.example` and its A-labels are one domain. */
function asciiDomainOf(email: string): string {
	const domain = domainOf(email);
	return NOT_ASCII.test(domain) ? (toAscii(domain) ?? domain) : domain;
}

/** Cuts into as few pieces as `size` allows, whose lengths differ by at most one. */
function evenCuts(members: readonly number[], size: number): number[][] {
	const pieces = Math.ceil(members.length / size);
	const start = (piece: number): number => Math.floor((piece * members.length) / pieces);
	return Array.from({ length: pieces }, (_, piece) => members.slice(start(piece), start(piece + 1)));
}
