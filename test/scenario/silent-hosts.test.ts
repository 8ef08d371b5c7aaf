import { afterAll, beforeAll, expect, test } from 'vitest';
import { callOperator } from '../../tools/operator-client.ts';
import { scene } from '../sandbox/scenes/scene.ts';
import { unknown } from '../sandbox/expectation.ts';
import { shopAddresses } from '../sandbox/shops.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { create, ended, read } from './access.ts';
import type { Access, Job } from './access.ts';

// One account's lists are hosts that take a connection and never say a word. Another account's 49 addresses beside them
// come to their end as if they were alone, and the domain of a slow operator and of one that opted out are looked at, too.

const SILENT = 300;
const SMALL = 49;

const domains = Array.from({ length: SILENT }, (_, n) => `silent-${n}.test`);
const silentScenes = domains.map((domain) =>
	scene(domain, 'Takes the connection and never says a word.', 'silent', unknown('timeout')),
);

let service: TestService;
let sandbox: Sandbox;

beforeAll(async () => {
	service = await startTestService({
		sandbox: { extraScenes: silentScenes },
		vars: { PROBER_WARM: 'all' },
	});
	if (service.sandbox === null) throw new Error('this service has a sandbox');
	({ sandbox } = service);
});
afterAll(() => service?.remove());

async function accessWith(credits: number): Promise<Access> {
	const { apiKey } = await makeAccount(service, credits);
	return { url: service.url, apiKey };
}

test('300 silent hosts of one account keep nobody else waiting', async () => {
	const attacker = await accessWith(2 * SILENT);
	// Half of them as small lists, which share a queue with everybody's.
	const small = [0, 1, 2].map((n) => domains.slice(n * SMALL, (n + 1) * SMALL));
	const lists = [...small, domains.slice(3 * SMALL)];
	const jobs = await Promise.all(
		lists.map((list) =>
			create(attacker, '/v1/verify-batch', { emails: list.map((domain) => `ada@${domain}`) }),
		),
	);
	const asked = (): number => domains.filter((domain) => sandbox.transcripts(domain).length > 0).length;
	await expect.poll(asked).toBeGreaterThan(10);

	const begun = performance.now();
	const other = await accessWith(SMALL);
	const emails = shopAddresses(SMALL).map(({ address }) => address);
	const { id } = await create(other, '/v1/verify-batch', { emails });
	const alone = await accessWith(1);
	const single = await call(alone.url, alone.apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' });
	expect((single.body as { data: { status: string } }).data.status).toBe('deliverable');
	const job = await ended<Job>(other, `/v1/jobs/${id}`);
	console.log(`49 addresses beside ${SILENT} silent hosts: ${Math.round(performance.now() - begun)} ms`);
	expect([job.creditsUsed, job.creditsReserved]).toEqual([SMALL, 0]);
	// They were not through before: it was their turn to wait.
	const states = await Promise.all(jobs.map(({ id: jobId }) => read<Job>(attacker, `/v1/jobs/${jobId}`)));
	expect(states.filter(({ status }) => status === 'processing').length).toBeGreaterThan(0);
});

test('a domain that opted out hears nothing of us, whoever asks', async () => {
	await callOperator(service, 'POST', '/refused-domains', { domain: 'inbox.test' });
	const before = sandbox.transcripts('inbox.test').length;
	const access = await accessWith(10);
	const { id } = await create(access, '/v1/verify-batch', { emails: ['ada@inbox.test', 'bob@inbox.test'] });
	await call(access.url, access.apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' });
	await ended<Job>(access, `/v1/jobs/${id}`);
	expect(sandbox.transcripts('inbox.test')).toHaveLength(before);
});
