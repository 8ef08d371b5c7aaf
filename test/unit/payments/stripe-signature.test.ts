import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	SIGNATURE_TOLERANCE_S,
	isSignedByStripe,
	signatureOf,
} from '../../../src/core/payments/stripe-signature.ts';

const SECRET = 'whsec_test';
const NOW_S = 1_800_000_000;
const BODY = new TextEncoder().encode('{"id": "evt_1"}');

function isGood(
	header: string | null,
	more: { body?: Uint8Array; secrets?: readonly string[]; nowS?: number } = {},
) {
	const { body = BODY, secrets = [SECRET], nowS = NOW_S } = more;
	return isSignedByStripe({ body, header, secrets, now: nowS * 1_000 + 999 });
}

const v1 = (secret = SECRET, time = NOW_S, body = BODY): string => signatureOf(body, secret, String(time));
const GOOD = `t=${NOW_S},v1=${v1()}`;

// Reckoned by `openssl dgst -sha256 -hmac whsec_test` over `1800000000.{"id": "evt_1"}`.
test('the signature is that of Stripe’s documentation: HMAC-SHA-256 of time, dot and body', () => {
	expect(v1()).toBe('fd01adb323d3174d25da622891b61ddc29a37d7e3f2a266bfad9021d3edf56f0');
});

describe('a signature is good', () => {
	test.each([
		['by the secret', GOOD],
		['beside one of another scheme', `t=${NOW_S},v1=${v1()},v0=${'0'.repeat(64)}`],
		['as the second of two, while the secret is rolled', `t=${NOW_S},v1=${v1('whsec_old')},v1=${v1()}`],
		['in any order', `v1=${v1()},t=${NOW_S}`],
	])('%s', (_, header) => {
		expect(isGood(header)).toBe(true);
	});

	test('by either of our two secrets', () => {
		expect(isGood(GOOD, { secrets: ['whsec_new', SECRET] })).toBe(true);
		expect(isGood(GOOD, { secrets: ['whsec_new'] })).toBe(false);
	});

	test.each([
		[-SIGNATURE_TOLERANCE_S - 1, false],
		[-SIGNATURE_TOLERANCE_S, true],
		[0, true],
		[SIGNATURE_TOLERANCE_S, true],
		[SIGNATURE_TOLERANCE_S + 1, false],
	])('at a clock that differs by %i s: %s', (differs, good) => {
		expect(isGood(GOOD, { nowS: NOW_S + differs })).toBe(good);
	});
});

describe('a signature is refused', () => {
	test.each<[string, string | null]>([
		['that is missing', null],
		['that is empty', ''],
		['without a time', `v1=${v1()}`],
		['with two times', `t=${NOW_S},t=${NOW_S - 1},v1=${v1()}`],
		['with a time that is none', `t=now,v1=${v1()}`],
		['without a v1', `t=${NOW_S}`],
		['of an older scheme alone', `t=${NOW_S},v0=${v1()}`],
		['in capitals', `t=${NOW_S},v1=${v1().toUpperCase()}`],
		['cut short', `t=${NOW_S},v1=${v1().slice(0, 63)}`],
		['of another time', `t=${NOW_S + 1},v1=${v1()}`],
		['longer than any', `${GOOD},v1=${'0'.repeat(2_048)}`],
	])('%s', (_, header) => {
		expect(isGood(header)).toBe(false);
	});

	test('whatever is changed of the body', () => {
		const change = fc.record({ at: fc.nat(BODY.length - 1), by: fc.integer({ min: 1, max: 255 }) });
		fc.assert(
			fc.property(change, ({ at, by }) => {
				const body = BODY.with(at, (BODY[at]! + by) % 256);
				expect(isGood(GOOD, { body })).toBe(false);
			}),
		);
	});

	test('where no secret is known', () => {
		expect(isGood(GOOD, { secrets: [] })).toBe(false);
	});
});
