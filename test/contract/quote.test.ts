import { expect, inject, test } from 'vitest';
import { z } from 'zod';
import { quote } from '../../src/http/domains/schemas.ts';
import { success } from '../../src/http/schemas.ts';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, rateLimitOf } from './api.ts';

// POST /v1/quote: what a list will cost and take, without its addresses.

const service = inject('service');
const body = success(quote, {});
const ask = async (apiKey: string, domains: unknown) =>
	call(service.url, apiKey, 'POST', '/v1/quote', { domains });

test('a list is quoted by its domains, for nothing, in the window of lists', async () => {
	const { apiKey } = await makeAccount(service, 0);
	const answer = await ask(apiKey, {
		'gmail.com': 300,
		'yahoo.com': 50,
		'yahoo.test': 5,
		'no-such-domain.test': 7,
		nonsense: 4,
	});
	expect(answer.status, answer.text).toBe(200);
	const { data } = body.parse(answer.body);
	expect(data).toMatchObject({
		addresses: 362,
		expected: { told: 307, not_told_free: 55 },
		maxCredits: 362,
		expectedMinutes: 3,
	});
	expect(data.expected.by_provider).toEqual([
		{ provider: 'google', addresses: 300, told_at_rcpt: true, minutes: 3 },
		{ provider: 'yahoo', addresses: 55, told_at_rcpt: false, minutes: 0 },
		{ provider: null, addresses: 7, told_at_rcpt: null, minutes: 0 },
	]);
	expect(rateLimitOf(answer)).toMatchObject({ limit: 30, remaining: 29 });
	expect(await balanceOf(apiKey)).toMatchObject({ transactionCount: 0 });
});

test('50,000 domains are quoted, and 50,001 refused', async () => {
	const { apiKey } = await makeAccount(service, 0);
	const histogram = (names: number) =>
		Object.fromEntries(
			Array.from({ length: names }, (_, n) => [`gone-${n % 20 === 0 ? n : 'x'}-${n}.test`, 1]),
		);
	const answer = await ask(apiKey, histogram(50_000));
	expect(answer.status, answer.text).toBe(200);
	expect(body.parse(answer.body).data.addresses).toBe(50_000);
	expectFailure(await ask(apiKey, histogram(50_001)), 400, 'invalid_parameter');
});

test.each<[string, unknown, string]>([
	['no domains', {}, 'domains'],
	['a list', ['gmail.com'], 'domains'],
	['half an address', { 'gmail.com': 0.5 }, 'domains.gmail.com'],
	['fewer than none', { 'gmail.com': -1 }, 'domains.gmail.com'],
	['a text', { 'gmail.com': '7' }, 'domains.gmail.com'],
])('%s is refused by its place', async (_, domains, param) => {
	const { apiKey } = await makeAccount(service, 0);
	const answer = await ask(apiKey, domains);
	expectFailure(answer, 400, 'invalid_parameter');
	expect(z.object({ param: z.string() }).parse(answer.body).param).toBe(param);
});
