import { parseAddress } from '../../../src/core/address/parse-address.ts';
import { readFacts } from '../../support/unit/facts.ts';
import type { Fact } from '../../support/unit/facts.ts';
import { expect, test } from 'vitest';

type CorpusRow = Fact<'addresses'>;

/** What practical validators agree on; null where they do not. */
function truthOf(row: CorpusRow): 'valid' | 'invalid' | null {
	for (const vote of [row.practical, row.consensus]) {
		if (vote === 'valid' || vote === 'invalid') return vote;
	}
	return null;
}

/** The heading of README.md that decides about this row whatever others say, or null where none speaks. */
function policyOf({ address, verdicts }: CorpusRow): string | null {
	const text = address.trim();
	const domain = text.slice(text.lastIndexOf('@') + 1);
	const top = domain.slice(domain.lastIndexOf('.') + 1);
	if (address !== text) return 'surrounding white space';
	if (Object.keys(verdicts).every((source) => source.includes('{'))) return 'a setting of the source';
	if (/^[^"\\]*<|>$/.test(text)) return 'display name';
	if (text.includes('"')) return 'quoted local part';
	if (text.includes('\\')) return 'backslash';
	if (/[()]/.test(text)) return 'comment';
	if (text.includes('@[')) return 'domain literal';
	if (text.includes('@') && !/[.。｡]/.test(domain)) return 'dotless domain';
	if (/[_]|(^|\.)-|-(\.|$)/.test(domain)) return 'host name';
	if (text.includes('@') && /^[\x21-\x7e]+$/.test(top) && !/^([a-z]{2,}|xn--.+)$/i.test(top))
		return 'top-level domain';
	return ['invalid', 'test', 'example', 'local', 'onion', 'arpa'].includes(top) ? 'special-use domain' : null;
}

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
