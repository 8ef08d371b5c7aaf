import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addressesADay, ASSUMED, renderCapacity, sourcesFor } from '../../../tools/capacity.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

test('the document says what the operators’ rows say (else: npm run update:capacity)', () => {
	expect(readFileSync(path.join(ROOT, 'docs/capacity.md'), 'utf8')).toBe(renderCapacity());
});

test('one source address settles nine tenths of a day’s budget of Gmail addresses', () => {
	expect(addressesADay('google', 1)).toBe(18_000);
});

test('a tenant’s domain is asked about somebody invented for each address', () => {
	expect(addressesADay('microsoft365', 2)).toBe(18_000);
});

test('so many source addresses that no operator has to bear more than a day’s budget', () => {
	const aDay = 10_000_000 / ASSUMED.daysAMonth;
	const sources = sourcesFor(10_000_000);
	expect(aDay * ASSUMED.mix.google).toBeLessThanOrEqual(sources * 18_000 * ASSUMED.used);
	expect(aDay * ASSUMED.mix.google).toBeGreaterThan((sources - 1) * 18_000 * ASSUMED.used);
	expect(sourcesFor(100_000_000)).toBeLessThanOrEqual(10 * sources);
});

test('what is presumed of a list is all of it', () => {
	expect(Object.values(ASSUMED.mix).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
});
