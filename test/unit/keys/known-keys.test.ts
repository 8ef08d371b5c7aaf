import { expect, test } from 'vitest';
import { issueApiKey } from '../../../src/core/keys/api-key.ts';
import type { SigningSecret } from '../../../src/core/keys/api-key.ts';
import { KnownKeys } from '../../../src/http/keys.ts';

const OURS: readonly SigningSecret[] = [{ version: 1, secret: new Uint8Array(32).fill(1) }];
// After a secret came out: the same version, another secret.
const ROTATED: readonly SigningSecret[] = [{ version: 1, secret: new Uint8Array(32).fill(2) }];
const [account, key] = [new Uint8Array(10).fill(7), new Uint8Array(6).fill(8)];
const issue = (secret: number) =>
	issueApiKey(OURS[0] ?? { version: 0, secret: new Uint8Array() }, {
		account,
		key,
		secret: new Uint8Array(20).fill(secret),
	});

test('a key leads to the same account however often and whenever it comes', () => {
	const keys = new KnownKeys();
	const { apiKey, route } = issue(1);
	for (const now of [0, 1, 599_999, 600_000, 600_001, 10_000_000])
		expect(keys.read(OURS, apiKey, now)).toEqual(route);
});

test('a key that was let in helps no other text in, however alike', () => {
	const keys = new KnownKeys();
	const { apiKey } = issue(1);
	keys.read(OURS, apiKey, 0);
	const last = apiKey.endsWith('A') ? 'B' : 'A';
	for (const forged of [
		`${apiKey.slice(0, -1)}${last}`,
		`${apiKey} `,
		apiKey.toLowerCase(),
		apiKey.slice(0, -1),
	])
		expect(keys.read(OURS, forged, 1)).toBeNull();
});

test('a key is known under the secrets only that it was checked with', () => {
	const keys = new KnownKeys();
	const { apiKey, route } = issue(1);
	expect(keys.read(ROTATED, apiKey, 0)).toBeNull();
	expect(keys.read(OURS, apiKey, 0)).toEqual(route);
	expect(keys.read(ROTATED, apiKey, 0)).toBeNull();
});

test('more keys than are remembered are all read rightly', () => {
	const keys = new KnownKeys();
	const issued = Array.from({ length: 1_100 }, (_, n) =>
		issueApiKey(OURS[0] ?? { version: 0, secret: new Uint8Array() }, {
			account,
			key,
			secret: new Uint8Array(20).fill(n % 256, n % 20),
		}),
	);
	for (const { apiKey, route } of [...issued, ...issued]) expect(keys.read(OURS, apiKey, 0)).toEqual(route);
});
