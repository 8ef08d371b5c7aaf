import { expect, inject, test } from 'vitest';
import { z } from 'zod';
import { domainReports } from '../../src/http/schemas/domain.ts';
import { success } from '../../src/http/schemas/envelope.ts';
import { call, makeAccount } from '../support/service.ts';
import { bodyOf, expectFailure, verified } from './api.ts';
import type { Answer } from './api.ts';
import { newTestKey } from './operator.ts';

// POST /v1/domains: what is known of domains without asking a mail server.

const service = inject('service');
const body = success(domainReports, { creditsUsed: z.int(), creditsRemaining: z.int() });

const ask = (apiKey: string, domains: unknown): Promise<Answer> =>
	call(service.url, apiKey, 'POST', '/v1/domains', { domains });

async function described(apiKey: string, domains: readonly string[]) {
	const { data, meta } = bodyOf(await ask(apiKey, domains), body);
	return { results: data.results, meta };
}

const TOLD: [string, object][] = [
	['inbox.test', { exists: true, accepts_mail: true, mx: ['mx.inbox.test'], free: false }],
	['no-such-domain.test', { exists: false, accepts_mail: false, mx: [] }],
	['null-mx.test', { exists: true, accepts_mail: false, mx: [], told_at_rcpt: null }],
	['implicit-mx.test', { exists: true, accepts_mail: true, mx: [] }],
	['dns-garbage.test', { exists: null, accepts_mail: null }],
	['outlok.com', { did_you_mean: 'outlook.com' }],
	['gmail.com', { free: true, disposable: false }],
	['not a domain', { domain: 'not a domain', exists: false, accepts_mail: false, mx: [] }],
	['  INBOX.Test. ', { domain: 'inbox.test', exists: true }],
];
const WORDS: [string, object][] = [
	['deliverable.example.com', { exists: true, accepts_mail: true, told_at_rcpt: true }],
	['invalid-domain.example.com', { exists: false }],
	['no-mx-records.example.com', { exists: true, accepts_mail: false }],
	['dns-error.example.com', { exists: null, accepts_mail: null }],
	['catch-all.example.com', { catch_all: true, told_at_rcpt: false }],
	['accepts-everything.example.com', { told_at_rcpt: false }],
	['disposable.example.com', { disposable: true }],
	['possible-typo.example.com', { did_you_mean: 'gmail.com' }],
	['proofpoint.example.com', { gateway: 'proofpoint' }],
];

test.each([
	['what lists and the DNS tell', () => makeAccount(service, 5), TOLD, 1],
	['its first word, with hyphens, for a test key', () => newTestKey(), WORDS, 0],
] as const)('a domain is described by %s', async (_, who, domains, creditsUsed) => {
	const { apiKey } = await who();
	const asked = domains.map(([domain]) => domain);
	const { results, meta } = await described(apiKey, asked);
	expect(results).toMatchObject(domains.map(([, report]) => report));
	expect(meta).toMatchObject({ creditsUsed });
});

test('a domain that accepted everybody when it was asked says so, with the time', async () => {
	const { apiKey } = await makeAccount(service, 3);
	await verified(apiKey, 'jane.doe@google-catch-all.test');
	const [report] = (await described(apiKey, ['google-catch-all.test'])).results;
	expect(report).toMatchObject({ catch_all: true, told_at_rcpt: false, smtp_provider: 'google' });
	expect(Date.parse(report?.catch_all_checked_at ?? '')).toBeGreaterThan(Date.now() - 600_000);
});

test('a thousand domains come back in the order sent, also twice, for a hundred credits, which they need first', async () => {
	const { apiKey } = await makeAccount(service, 100);
	const domains = Array.from({ length: 1_000 }, (_, n) => (n % 3 === 0 ? 'inbox.test' : `none-${n}.test`));
	const { results, meta } = await described(apiKey, domains);
	expect(results.map(({ domain }) => domain)).toEqual(domains);
	expect(meta).toMatchObject({ creditsUsed: 100, creditsRemaining: 0 });
	const answer = await ask(apiKey, domains.slice(0, 11));
	expectFailure(answer, 402, 'insufficient_credits');
	expect(answer.body).toMatchObject({ required: 2, available: 0 });
	const { apiKey: testKey } = await newTestKey();
	expectFailure(await ask(testKey, ['402.example.com']), 402, 'insufficient_credits');
});
