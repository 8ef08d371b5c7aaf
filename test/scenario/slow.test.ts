import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobOf } from '../contract/jobs-api.ts';
import type { Scene } from '../sandbox/scenes/scene.ts';
import { shopAddresses } from '../sandbox/shops.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { create, runList, verify } from './access.ts';
import type { Access } from './access.ts';

// Lists and calls beside hosts that are slow or never say a word. Spec §3, rule 3: a small batch usually finishes within 30
// seconds. What each takes is printed.

const SMALL = 49;

const silent = Array.from({ length: 300 }, (_, n) => `silent-${n}.test`);
const shops = (count: number): string[] => shopAddresses(count).map(({ address }) => address);

let service: TestService;
let sandbox: Sandbox;

beforeAll(async () => {
	const does = 'Takes the connection and never says a word.';
	const silentScenes = silent.map((domain): Scene => ({ domain, does, mail: 'silent', samples: [] }));
	service = await startTestService({
		sandbox: { extraScenes: silentScenes },
		vars: {
			JOB_HORIZON_SECONDS: '120',
			// Of the few who were asked, and heard that the operator limits us.
			RETRY_DELAYS_SECONDS: '5',
		},
	});
	if (service.sandbox === null) throw new Error('this service has a sandbox');
	({ sandbox } = service);
});
afterAll(() => service?.remove());

async function accessWith(credits: number): Promise<Access> {
	const { apiKey } = await makeAccount(service, credits);
	return { url: service.url, apiKey };
}

/** A call of an account of its own; prints how long it waits. */
async function callOf(email: string): Promise<string> {
	const access = await accessWith(1);
	const begun = performance.now();
	const { status } = await verify(access, email);
	console.log(`a call about ${email}: ${Math.round(performance.now() - begun)} ms`);
	return status;
}

test('49 addresses of which 5 domains never answer and 3 defer for minutes come to an end, those 8 refunded', async () => {
	const slow = 'silent drips black-hole dns-timeout endless greylist rate-limit shuts-down'.split(' ');
	const emails = [...shops(41), ...slow.map((name) => `ada@${name}.test`)];
	const begun = performance.now();
	const { job, rows } = await runList(service, emails);
	console.log(`A job of 49 with 8 slow domains: ${Math.round(performance.now() - begun)} ms`);
	expect(job).toMatchObject({ status: 'completed', processedEmails: SMALL, creditsReserved: 0 });
	expect([job.creditsUsed, job.creditsRefunded]).toEqual([41, 8]);
	expect(rows.map(({ status }) => status === 'unknown')).toEqual(emails.map((_, n) => n >= 41));
});

test('300 silent hosts of one account keep nobody else waiting', async () => {
	const attacker = await accessWith(2 * silent.length);
	// Half of them as small lists, which share a queue with everybody's.
	const small = [0, 1, 2].map((n) => silent.slice(n * SMALL, (n + 1) * SMALL));
	const jobs = await Promise.all(
		[...small, silent.slice(3 * SMALL)].map((list) =>
			create(attacker, '/v1/verify-batch', { emails: list.map((domain) => `ada@${domain}`) }),
		),
	);
	const asked = (): number => silent.filter((domain) => sandbox.transcripts(domain).length > 0).length;
	await expect.poll(asked).toBeGreaterThan(10);
	const begun = performance.now();
	const [alone, { job }, ...states] = await Promise.all([
		callOf('ada@inbox.test'),
		runList(service, shops(SMALL)),
		...jobs.map((id) => jobOf(attacker.apiKey, id, attacker.url)),
	]);
	// Those who came first are not through.
	expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['processing']));
	console.log(`49 addresses beside the silent hosts: ${Math.round(performance.now() - begun)} ms`);
	expect(alone).toBe('deliverable');
	expect([job.creditsUsed, job.creditsReserved]).toEqual([SMALL, 0]);
});
