import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, mailboxes } from '../sandbox/behaviour.ts';
import type { Scene } from '../sandbox/scenes/scene.ts';
import { shopAddresses } from '../sandbox/shops.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { ended } from './access.ts';
import type { Job } from './access.ts';

// Spec §3, rule 3: a small batch usually finishes within 30 seconds, whatever a few of its domains do. What it takes is
// printed.

const NEVER_ANSWER = ['silent', 'drips', 'black-hole', 'dns-timeout', 'endless'].map(
	(name) => `ada@${name}.test`,
);
const GREYLIST = ['greylist', 'rate-limit', 'shuts-down'].map((name) => `ada@${name}.test`);

interface Result {
	readonly email: string;
	readonly status: string;
	readonly details: { readonly sub_status: string; readonly general: { readonly reason: string } };
}

// Its row says that it may take 45 s for an answer. It asks the server behind it first.
const gateway: Scene = {
	domain: 'slow-gateway.test',
	does: 'Behind SpamExperts, which takes 17 s for an answer to RCPT.',
	mail: [
		{ preference: 10, host: 'mx1.antispamcloud.com', plays: { rcpt: mailboxes(accept), calloutMs: 17_000 } },
	],
	samples: [],
};

let service: TestService;

beforeAll(async () => {
	service = await startTestService({ sandbox: { extraScenes: [gateway] }, vars: { PROBER_WARM: 'all' } });
});
afterAll(() => service?.remove());

test('49 addresses of which 5 domains never answer and 3 defer for minutes come to an end, those 8 refunded', async () => {
	const { apiKey } = await makeAccount(service, 49);
	const shops = shopAddresses(41).map(({ address }) => address);
	const emails = [...shops, ...NEVER_ANSWER, ...GREYLIST];
	const created = await call(service.url, apiKey, 'POST', '/v1/verify-batch', { emails });
	expect(created.status).toBe(202);
	const { jobId } = (created.body as { data: Job }).data;
	const begun = Date.now();
	const job = await ended<Job>({ url: service.url, apiKey }, `/v1/jobs/${jobId}`);
	console.log(`A job of 49 with 8 slow domains: ${Date.now() - begun} ms`);
	expect(job).toMatchObject({ status: 'completed', processedEmails: 49, creditsReserved: 0 });
	expect([job.creditsUsed, job.creditsRefunded]).toEqual([41, 8]);
	const unknown = await call(service.url, apiKey, 'GET', `/v1/jobs/${jobId}/results?status=unknown`);
	const { results } = (unknown.body as { data: { results: { email: string }[] } }).data;
	expect(results.map(({ email }) => email)).toEqual([...NEVER_ANSWER, ...GREYLIST]);
});

test('a gateway that takes 17 s for an answer: a caller reads why there is none, and a list has it', async () => {
	const { apiKey } = await makeAccount(service, 60);
	const asked = 'ada@slow-gateway.test';
	const emails = [...shopAddresses(49).map(({ address }) => address), asked];
	const created = await call(service.url, apiKey, 'POST', '/v1/verify-batch', { emails });
	const { jobId } = (created.body as { data: Job }).data;
	const single = await call(service.url, (await makeAccount(service, 1)).apiKey, 'POST', '/v1/verify', {
		email: 'grace@slow-gateway.test',
	});
	const { details, status } = (single.body as { data: Result }).data;
	expect([status, details.sub_status]).toEqual(['unknown', 'timeout']);
	expect(details.general.reason).toContain('it is known to take up to 45 s');
	await ended<Job>({ url: service.url, apiKey }, `/v1/jobs/${jobId}`);
	const { body } = await call(service.url, apiKey, 'GET', `/v1/jobs/${jobId}/results?limit=50`);
	const { results } = (body as { data: { results: Result[] } }).data;
	expect(results.find(({ email }) => email === asked)?.status).toBe('deliverable');
});
