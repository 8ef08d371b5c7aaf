import * as fc from 'fast-check';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { ServiceError } from '../../../src/errors.ts';
import type { AppEnv } from '../../../src/http/context.ts';
import { readIdempotencyKey } from '../../../src/http/admission.ts';

const app = new Hono<AppEnv>().get('/', (c) => c.json({ key: readIdempotencyKey(c) }));

async function storedAs(key: string): Promise<string> {
	const response = await app.request('/', { headers: { 'idempotency-key': key } });
	return (await response.json<{ key: string }>()).key;
}

const letters = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code));
const keys = fc.string({ unit: letters, minLength: 1, maxLength: 40 }).filter((key) => key.trim() === key);

test('no key of a caller is one of ours, which hold a plain space, and two keys stay two', async () => {
	await fc.assert(
		fc.asyncProperty(keys, keys, async (one, two) => {
			const stored = [await storedAs(one), await storedAs(two)];
			for (const key of stored) expect(key).not.toContain(' ');
			expect(stored[0] === stored[1]).toBe(one === two);
		}),
	);
});

test.each(['july-list-1', '!', '~'.repeat(255)])(
	'a key without a space is stored as before: %s',
	async (key) => {
		expect(await storedAs(key)).toBe(key);
	},
);

test.each([
	['256 characters', 'k'.repeat(256)],
	['256 characters with spaces', `${'k '.repeat(127)}kk`],
	['nothing', ''],
	['spaces alone', '   '],
	['a tab inside', 'two\twords'],
	['a letter beyond ASCII', 'schl\u00fcssel'],
	['a no-break space', 'two\u00a0words'],
])('a key of %s is refused', async (_, key) => {
	app.onError((error, c) => c.json(error instanceof ServiceError ? error.details : {}, 400));
	const response = await app.request('/', { headers: { 'idempotency-key': key } });
	expect([response.status, await response.json()]).toEqual([400, { param: 'Idempotency-Key' }]);
});
