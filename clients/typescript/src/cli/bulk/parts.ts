import { parseAddress } from '../../../../../src/core/address/parse-address.ts';
import { addressOf } from '../../../../../src/core/upload/format.ts';
import type { Row } from '../../../../../src/core/upload/row-reader.ts';

/** The most addresses of a job. */
export const PART_EMAILS_MAX = 50_000;
// The service takes 14 MiB; each address may be escaped as JSON.
const PART_OCTETS_MAX = 12 * 1024 * 1024;

/** By what an address is found again: case, and the script of its domain, make no difference to the service. */
export function keyOf(email: string): string {
	const typed = email.trim().toLowerCase();
	const address = parseAddress(email);
	return address.ok ? typed.slice(0, typed.lastIndexOf('@') + 1) + address.address.domain : typed;
}

/** The text in the column of addresses. */
export function emailOf({ cells }: Row, column: number): string {
	return addressOf(cells[column] ?? '');
}

/** The different addresses of a list in pieces of one job each, in the order of their first rows. */
export async function* partsOf(
	rows: AsyncIterable<Row>,
	column: number,
	seen: Set<string>,
): AsyncGenerator<readonly string[], void, undefined> {
	let emails: string[] = [];
	let octets = 0;
	for await (const row of rows) {
		const email = emailOf(row, column);
		const key = keyOf(email);
		if (key === '' || seen.has(key)) continue;
		seen.add(key);
		const size = JSON.stringify(email).length * 3 + 1;
		if (emails.length >= PART_EMAILS_MAX || octets + size > PART_OCTETS_MAX) {
			yield emails;
			emails = [];
			octets = 0;
		}
		emails.push(email);
		octets += size;
	}
	if (emails.length > 0) yield emails;
}
