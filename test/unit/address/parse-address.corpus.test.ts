import { expect, test } from 'vitest';
import { parseAddress } from '../../../src/core/address/parse-address.ts';
import { readFacts } from '../../support/unit/facts.ts';
import type { Fact } from '../../support/unit/facts.ts';
import { policyOf, truthOf } from './address-policy.ts';

// Goal: to agree with the validators people know, and to know exactly where and why we do not
// (test/data/address-differences.jsonl).

test('the parser agrees with practical validators, except where the list of differences says why', () => {
	const rows = readFacts('addresses').filter((row) => truthOf(row) !== null);
	const open = rows.filter((row) => policyOf(row) === null);
	const all = rows.filter(agrees).length;
	const agreed = open.filter(agrees).length;
	console.log(
		`Addresses: ${all} of ${rows.length} agree; where no policy speaks ${agreed} of ${open.length}`,
	);
	expect(agreed / open.length).toBeGreaterThanOrEqual(0.99);
	const differing = rows
		.filter((row) => !agrees(row))
		.map(({ id, address }) => {
			const read = parseAddress(address);
			return { id, we: read.ok ? 'valid' : read.reason };
		});
	const explained = readFacts('address-differences').map(({ id, we }) => ({ id, we }));
	expect(new Set(differing)).toEqual(new Set(explained));
	expect(explained).toHaveLength(differing.length);
});

function agrees(row: Fact<'addresses'>): boolean {
	return (parseAddress(row.address).ok ? 'valid' : 'invalid') === truthOf(row);
}
