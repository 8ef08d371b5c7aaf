import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure, expectRateLimited, newClient, rateLimitOf } from './api.ts';
import type { Answer } from './api.ts';
import { setLimits } from './operator.ts';

// Spec §8.

const service = inject('service');
const WINDOW_SECONDS = 900;

const ask = (apiKey: string): Promise<Answer> => call(service.url, apiKey, 'GET', '/v1/credits');

test.each<[path: string, status: number, method: string, who?: 'customer' | 'operator']>([
	['/v1/credits', 200, 'HEAD', 'customer'],
	['/v1/credits', 401, 'HEAD'],
	['/v1/verify', 405, 'OPTIONS', 'customer'],
	['/v1/verify', 401, 'OPTIONS'],
	['/v1/x', 401, 'GET'],
	['/nothing', 404, 'GET'],
	['/nothing', 404, 'HEAD'],
	['/nothing', 404, 'OPTIONS'],
	['/healthz', 200, 'GET'],
	['/openapi.json', 200, 'GET'],
	['/ops/probers', 404, 'GET', 'operator'],
	['/ops/guessers', 200, 'GET', 'operator'],
	['/ops/guessers', 401, 'GET'],
])('every response carries the three headers: %s (%i): %s', async (path, status, method, who) => {
	const { apiKey } = await makeAccount(service);
	const key = who === undefined ? null : { customer: apiKey, operator: service.token }[who];
	const answer = await call(service.url, key, method, path, undefined, newClient());
	expect(answer.status, answer.text).toBe(status);
	const { limit, remaining, reset } = rateLimitOf(answer);
	expect(remaining).toBeLessThanOrEqual(limit);
	expect(reset).toBeGreaterThanOrEqual(1);
	expect(reset).toBeLessThanOrEqual(WINDOW_SECONDS);
	expect(answer.headers.get('x-request-id')).toMatch(/\S/);
	// Nor may a browser take it for anything else than it is.
	expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

describe('a window', () => {
	test('lets in as many requests as its limit, counting down, and not one more; a higher limit holds at once', async () => {
		const { accountId, apiKey } = await makeAccount(service);
		await setLimits(accountId, { default: 2 });
		const answers = [await ask(apiKey), await ask(apiKey), await ask(apiKey)];
		expect(answers.map((answer) => [answer.status, rateLimitOf(answer).remaining])).toEqual([
			[200, 1],
			[200, 0],
			[429, 0],
		]);
		expectRateLimited(answers[2]!);
		expect(rateLimitOf(answers[2]!).limit).toBe(2);
		await setLimits(accountId, { default: 1_000 });
		expect(rateLimitOf(await ask(apiKey))).toMatchObject({ limit: 1_000, remaining: 997 });
	});

	test('counts every request with the key: refused, malformed and misdirected ones', async () => {
		const { apiKey } = await makeAccount(service, 0);
		const remaining = [
			await call(service.url, apiKey, 'POST', '/v1/verify', { email: 'x' }),
			await call(service.url, apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' }),
			await call(service.url, apiKey, 'GET', '/v1/nothing'),
			await call(service.url, apiKey, 'DELETE', '/v1/credits'),
			await call(service.url, apiKey, 'HEAD', '/v1/credits'),
			await ask(apiKey),
		].map((answer) => rateLimitOf(answer).remaining);
		expect(remaining).toEqual([299, 298, 297, 296, 295, 294]);
	});
});

test('lists and tasks are started in a window of 30, jobs are polled in one of 600, and all else is in one of 300', async () => {
	const { apiKey } = await makeAccount(service);
	const calls: readonly [method: string, path: string, limit: number][] = [
		['POST', '/v1/verify-batch', 30],
		['POST', '/v1/catchall', 30],
		['GET', '/v1/jobs/job_1', 600],
		['GET', '/v1/jobs/job_1/results', 600],
		['GET', '/v1/jobs', 300],
		['DELETE', '/v1/jobs/job_1', 300],
		['GET', '/v1/catchall/cat_1', 300],
		['GET', '/v1/catchall/cat_1/results', 300],
		['GET', '/v1/catchall/cat_1/download', 300],
		['POST', '/v1/feedback', 300],
		['POST', '/v1/domains', 300],
	];
	const left = new Map([30, 300, 600].map((limit) => [limit, limit]));
	for (const [method, path, limit] of calls) {
		left.set(limit, (left.get(limit) ?? 0) - 1);
		const answer = await call(service.url, apiKey, method, path);
		expect(rateLimitOf(answer), path).toMatchObject({ limit, remaining: left.get(limit) });
	}
});

/** What is left for a client of this address after a request without a key. */
async function remainingFor(address: string): Promise<number> {
	const headers = { 'cf-connecting-ip': address };
	return rateLimitOf(await call(service.url, null, 'GET', '/v1/x', undefined, headers)).remaining;
}

describe('clients without a valid key', () => {
	const GUESSES = 300;

	test('are counted by address: 300 refusals with a 401, then a 429, while a valid key still works', async () => {
		const [client, stranger] = [newClient(), newClient()];
		const guess = (from: Readonly<Record<string, string>>, n: number): Promise<Answer> =>
			call(service.url, `ms_live_guess${n}`, 'GET', '/v1/credits', undefined, from);
		const answers: Answer[] = [];
		for (let n = 0; n < GUESSES; n += 20) {
			answers.push(...(await Promise.all(Array.from({ length: 20 }, (_, k) => guess(client, n + k)))));
		}
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
		const remaining = answers.map((answer) => rateLimitOf(answer).remaining);
		expect(new Set(remaining).size).toBe(GUESSES);
		expect(Math.min(...remaining)).toBe(0);
		expectRateLimited(await guess(client, GUESSES));
		const { apiKey } = await makeAccount(service);
		expect((await call(service.url, apiKey, 'GET', '/v1/credits', undefined, client)).status).toBe(200);
		expectFailure(await guess(stranger, 0), 401);
	});

	test('share a window within an IPv6 network of 64 bits, and not beyond', async () => {
		const site = newClient()['cf-connecting-ip']?.replaceAll('.', '') ?? '';
		const network = `2001:db8:${site.slice(0, 4)}:${site.slice(4, 8)}`;
		expect(await remainingFor(`${network}:1:2:3:4`)).toBe(299);
		expect(await remainingFor(`${network}::99`)).toBe(298);
		expect(await remainingFor(`2001:db9:${site.slice(0, 4)}:${site.slice(4, 8)}::99`)).toBe(299);
	});
});
