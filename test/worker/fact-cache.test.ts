import { expect, test } from 'vitest';
import { ExpiringMap } from '../../src/lib/expiring-map.ts';
import { PlatformFactCache } from '../../src/storage/fact-cache.ts';
import type { PlatformCache } from '../../src/storage/fact-cache.ts';
import { fakeClock } from '../support/unit/fake-clock.ts';

const open = (): Promise<PlatformCache> => caches.open('facts');
let count = 0;

/** An isolate of its own over the shared cache of the platform. */
function makeIsolate(time = fakeClock(Date.now()), opened = open) {
	return { cache: new PlatformFactCache(opened, new ExpiringMap(100), time), time };
}

function newKey(): string {
	count += 1;
	return `dns/1/x${count}-${crypto.randomUUID()}.test/mx host?#%`;
}

test('a fact is known to the isolate that put it, and to another one', async () => {
	const key = newKey();
	const value = { spf: 'ok', list: [1, null, 'ü'] };
	const { cache } = makeIsolate();
	expect(await cache.get(key)).toBeUndefined();
	await cache.put(key, value, 60);
	expect(await cache.get(key)).toEqual(value);
	expect(await makeIsolate().cache.get(key)).toEqual(value);
	expect(await cache.get(newKey())).toBeUndefined();
});

test('a fact is forgotten when its time is over, everywhere', async () => {
	const key = newKey();
	const first = makeIsolate();
	await first.cache.put(key, 'x', 60);
	const second = makeIsolate();
	second.time.advance(59_000);
	expect(await second.cache.get(key)).toBe('x');
	for (const { cache, time } of [first, second]) {
		time.advance(60_001);
		expect(await cache.get(key)).toBeUndefined();
	}
});

test('a fact without a life is not kept', async () => {
	const key = newKey();
	const { cache } = makeIsolate();
	for (const seconds of [0, -1, Number.NaN]) await cache.put(key, 'x', seconds);
	expect(await cache.get(key)).toBeUndefined();
});

test('a cache that fails is an empty one, and the isolate still remembers', async () => {
	const broken = makeIsolate(fakeClock(), () => Promise.reject(new Error('no cache here')));
	const key = newKey();
	expect(await broken.cache.get(key)).toBeUndefined();
	await broken.cache.put(key, 'x', 60);
	expect(await broken.cache.get(key)).toBe('x');
	const garbage: PlatformCache = {
		match: () => Promise.resolve(new Response('{')),
		put: () => Promise.resolve(),
	};
	expect(await makeIsolate(undefined, () => Promise.resolve(garbage)).cache.get(key)).toBeUndefined();
});
