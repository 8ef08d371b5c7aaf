import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	RANDOM_OCTETS,
	abbreviateKey,
	accountBytesOf,
	accountIdOf,
	isTestAccount,
	issueApiKey,
	keyNamedBy,
	readApiKey,
	testAccountOf,
} from '../../../src/core/keys/api-key.ts';
import type { SigningSecret } from '../../../src/core/keys/api-key.ts';
import { KnownKeys } from '../../../src/http/admission.ts';

const OLD: SigningSecret = { version: 1, secret: new Uint8Array(32).fill(1) };
const NEW: SigningSecret = { version: 2, secret: new Uint8Array(32).fill(2) };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const octets = (count: number) => fc.uint8Array({ minLength: count, maxLength: count });
const parts = fc.record({
	account: octets(RANDOM_OCTETS.account),
	key: octets(RANDOM_OCTETS.key),
	secret: octets(RANDOM_OCTETS.secret),
});
const [SAMPLE] = fc.sample(parts, { numRuns: 1, seed: 7 });
if (SAMPLE === undefined) throw new Error('there is a sample');
const ISSUED = issueApiKey(OLD, SAMPLE);
const TEST = issueApiKey(OLD, SAMPLE, 'test');

test('a key leads back to its account without any look-up', () => {
	fc.assert(
		fc.property(parts, (random) => {
			const { apiKey, route } = issueApiKey(OLD, random);
			expect(readApiKey([OLD], apiKey)).toEqual(route);
			expect(route.accountId).toBe(accountIdOf(random.account));
			expect(accountBytesOf(route.accountId)).toEqual(random.account);
			expect(route.keyId).toMatch(/^key_[0-9A-Za-z]{9}$/);
			expect(route.secretHash).toBe(createHash('sha256').update(random.secret).digest('hex'));
			expect(apiKey).toMatch(/^ms_live_[0-9A-Za-z]{72}$/);
			expect(apiKey.endsWith(route.ending)).toBe(true);
			expect(route.ending).toHaveLength(4);
			expect(abbreviateKey('live', route.ending)).toBe(`ms_live_…${route.ending}`);
		}),
		{ numRuns: 50 },
	);
});

test.each(['live', 'test'] as const)(
	'a %s key that leaked names the live account and the key, and no other text does',
	(mode) => {
		const { apiKey, route } = issueApiKey(OLD, SAMPLE, mode);
		expect(keyNamedBy(apiKey)).toEqual({ accountId: accountIdOf(SAMPLE.account), keyId: route.keyId });
		for (const text of ['', route.accountId, apiKey.slice(1), apiKey.slice(0, -1), `${apiKey}0`])
			expect(keyNamedBy(text)).toBeNull();
	},
);

test('a key with any one character changed is refused', () => {
	const change = fc.tuple(
		fc.nat({ max: ISSUED.apiKey.length - 1 }),
		fc.constantFrom(...BASE62.split(''), '-', '_', 'é'),
	);
	fc.assert(
		fc.property(change, ([position, character]) => {
			fc.pre(ISSUED.apiKey[position] !== character);
			const forged = ISSUED.apiKey.slice(0, position) + character + ISSUED.apiKey.slice(position + 1);
			expect(readApiKey([OLD, NEW], forged)).toBeNull();
		}),
		{ numRuns: 150 },
	);
});

test.each([
	['nothing', ''],
	['the prefix alone', 'ms_live_'],
	['one character less', ISSUED.apiKey.slice(0, -1)],
	['one character more', `${ISSUED.apiKey}0`],
	['a space before it', ` ${ISSUED.apiKey.slice(0, -1)}`],
	['a test key made of a live one', ISSUED.apiKey.replace('ms_live_', 'ms_test_')],
	['a live key made of a test one', TEST.apiKey.replace('ms_test_', 'ms_live_')],
	['a number too large for its length', `ms_live_${'z'.repeat(72)}`],
	['zeros', `ms_live_${'0'.repeat(72)}`],
])('what is no key of ours is refused: %s', (_, text) => {
	expect(readApiKey([OLD, NEW], text)).toBeNull();
});

describe('a test key', () => {
	test('leads to the account that stands beside the live one', () => {
		expect(TEST.apiKey).toMatch(/^ms_test_[0-9A-Za-z]{72}$/);
		const accountId = testAccountOf(ISSUED.route.accountId);
		const { ending } = TEST.route;
		expect(readApiKey([OLD], TEST.apiKey)).toEqual({ ...ISSUED.route, accountId, ending });
		expect([ISSUED.route.accountId, accountId].map(isTestAccount)).toEqual([false, true]);
	});

	test('its account is none that an operator can name', () => {
		expect(accountBytesOf(testAccountOf(ISSUED.route.accountId))).toBeNull();
	});
});

test('keys of every listed secret are read, whichever signs now, and of no other that has its version number', () => {
	const { apiKey, route } = issueApiKey(NEW, SAMPLE);
	expect(route).toEqual({ ...ISSUED.route, ending: route.ending, version: NEW.version });
	for (const secrets of [
		[NEW, OLD],
		[OLD, NEW],
	]) {
		expect(readApiKey(secrets, ISSUED.apiKey)).toEqual(ISSUED.route);
		expect(readApiKey(secrets, apiKey)).toEqual(route);
	}
	for (const secrets of [[NEW], [], [{ version: OLD.version, secret: NEW.secret }]])
		expect(readApiKey(secrets, ISSUED.apiKey)).toBeNull();
});

test.each([
	'',
	'acc_',
	'acc_0',
	`${ISSUED.route.accountId}0`,
	`key_${'0'.repeat(14)}`,
	`acc_${'z'.repeat(14)}`,
])('no account has the id %j', (text) => {
	expect(accountBytesOf(text)).toBeNull();
});

describe('a key that was read before', () => {
	const { apiKey, route } = ISSUED;

	test('leads to the same account however often and whenever it comes, also among more than are remembered', () => {
		const keys = new KnownKeys();
		for (const now of [0, 1, 599_999, 600_000, 600_001, 10_000_000])
			expect(keys.read([OLD], apiKey, now)).toEqual(route);
		const issued = Array.from({ length: 1_100 }, (_, n) =>
			issueApiKey(OLD, { ...SAMPLE, secret: new Uint8Array(RANDOM_OCTETS.secret).fill(n % 256, n % 20) }),
		);
		for (const one of [...issued, ...issued]) expect(keys.read([OLD], one.apiKey, 0)).toEqual(one.route);
	});

	test('helps no other text in, however alike', () => {
		const keys = new KnownKeys();
		keys.read([OLD], apiKey, 0);
		const cut = apiKey.slice(0, -1);
		const last = apiKey.endsWith('A') ? 'B' : 'A';
		for (const forged of [`${cut}${last}`, `${apiKey} `, apiKey.toLowerCase(), cut])
			expect(keys.read([OLD], forged, 1)).toBeNull();
	});

	test('is known under the secrets only that it was checked with', () => {
		const keys = new KnownKeys();
		// After a secret came out: the same version, another secret.
		const rotated = [{ version: OLD.version, secret: NEW.secret }];
		for (const secrets of [rotated, [OLD], rotated])
			expect(keys.read(secrets, apiKey, 0)).toEqual(secrets === rotated ? null : route);
	});
});
