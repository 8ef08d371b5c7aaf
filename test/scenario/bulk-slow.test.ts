import { afterAll, beforeAll, expect, test } from 'vitest';
import { shopAddresses } from '../sandbox/shops.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';

// Spec §3, rule 3: a small batch usually finishes within 30 seconds, whatever a few of its domains do. The test waits
// twice as long, so that a busy machine is no failure; what it takes is printed.

const PATIENCE_MS = 60_000;
const POLL_MS = 500;
const NEVER_ANSWER = ['silent', 'drips', 'black-hole', 'dns-timeout', 'endless'].map(
	(name) => `ada@${name}.test`,
);
const GREYLIST = ['greylist', 'rate-limit', 'shuts-down'].map((name) => `ada@${name}.test`);

interface Job {
	readonly jobId: string;
	readonly status: string;
	readonly processedEmails: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
	readonly creditsReserved: number;
}

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
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
	const job = await follow(apiKey, jobId, begun + PATIENCE_MS);
	console.log(`A job of 49 with 8 slow domains: ${Date.now() - begun} ms`);
	expect(job).toMatchObject({ status: 'completed', processedEmails: 49, creditsReserved: 0 });
	expect([job.creditsUsed, job.creditsRefunded]).toEqual([41, 8]);
	const unknown = await call(service.url, apiKey, 'GET', `/v1/jobs/${jobId}/results?status=unknown`);
	const { results } = (unknown.body as { data: { results: { email: string }[] } }).data;
	expect(results.map(({ email }) => email)).toEqual([...NEVER_ANSWER, ...GREYLIST]);
});

/** The job when it has ended, or as it stands when its time is up. */
async function follow(apiKey: string, jobId: string, until: number): Promise<Job> {
	for (;;) {
		const { body } = await call(service.url, apiKey, 'GET', `/v1/jobs/${jobId}`);
		const job = (body as { data: Job }).data;
		if (job.status !== 'processing' || Date.now() >= until) return job;
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
}
