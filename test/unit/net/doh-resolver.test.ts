import { encode } from 'dns-packet';
import { expect, test } from 'vitest';
import { DohResolver } from '../../../src/net/doh-resolver.ts';
import type { RememberedAnswer } from '../../../src/net/doh-resolver.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

// The data centre's cache and the resolver are asked at once: the first good answer counts.

const NAME = 'mx.x.test';
const STORED: RememberedAnswer = {
	answer: { kind: 'records', records: ['198.18.0.1'] },
	authenticated: false,
	validUntil: 60_000,
};
const ANSWERED = { kind: 'records', records: ['198.18.0.2'] };

function answerOf(rcode: 'NOERROR' | 'SERVFAIL'): Response {
	const answers =
		rcode === 'NOERROR' ? [{ type: 'A', name: NAME, ttl: 60, data: '198.18.0.2' } as const] : [];
	const flags = 0x0100 | (rcode === 'NOERROR' ? 0 : 2);
	const octets = encode({ type: 'response', id: 0, flags, questions: [{ type: 'A', name: NAME }], answers });
	return new Response(new Uint8Array(octets), { headers: { 'content-type': 'application/dns-message' } });
}

/** A resolver and a cache that answer when the test lets them. */
function race() {
	const cache = Promise.withResolvers<RememberedAnswer | undefined>();
	const fetched = Promise.withResolvers<Response>();
	const told: boolean[] = [];
	let signal: AbortSignal | undefined;
	const resolver = new DohResolver(
		['https://dns.test/dns-query'],
		{ recall: () => undefined, get: () => cache.promise, put: async () => {} },
		fakeClock(0),
		{ tried: (_, { worked }) => void told.push(worked) },
		(_, init) => {
			signal = init.signal ?? undefined;
			signal?.addEventListener('abort', () => fetched.reject(new Error('aborted')));
			return fetched.promise;
		},
	);
	return { answer: resolver.addresses(NAME), cache, fetched, told, isStopped: () => signal?.aborted };
}

test('what the data centre has stored is the answer, and stops the resolver, which is blamed for nothing', async () => {
	const { answer, cache, told, isStopped } = race();
	expect(isStopped()).toBe(false);
	cache.resolve(STORED);
	expect(await answer).toEqual(STORED.answer);
	expect([isStopped(), told]).toEqual([true, []]);
});

test('a resolver that is faster than the cache is not kept waiting for it', async () => {
	const { answer, cache, fetched, told } = race();
	fetched.resolve(answerOf('NOERROR'));
	expect(await answer).toEqual(ANSWERED);
	expect(told).toEqual([true]);
	cache.resolve(STORED);
});

test('a cache without an answer waits for the resolver', async () => {
	const { answer, cache, fetched } = race();
	cache.resolve(undefined);
	fetched.resolve(answerOf('NOERROR'));
	expect(await answer).toEqual(ANSWERED);
});

test('a resolver that fails waits for the cache', async () => {
	for (const failure of [answerOf('SERVFAIL'), new Response(null, { status: 503 })]) {
		const { answer, cache, fetched } = race();
		fetched.resolve(failure);
		cache.resolve(STORED);
		expect(await answer).toEqual(STORED.answer);
	}
});

test('where both have nothing, the failure is the resolver’s', async () => {
	const { answer, cache, fetched } = race();
	fetched.resolve(new Response(null, { status: 503 }));
	cache.resolve(undefined);
	await expect(answer).rejects.toMatchObject({ code: 'upstream_unavailable' });
});
