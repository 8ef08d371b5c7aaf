import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobOf } from '../contract/jobs-api.ts';
import { accept, refuseUnknown } from '../sandbox/behaviour.ts';
import type { Scene } from '../sandbox/scenes/scene.ts';
import { shopAddresses } from '../sandbox/shops.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { create, runList, verify } from './access.ts';
import type { Access } from './access.ts';

// Lists and calls beside what is slow: an operator that bears so much a minute, hosts that never say a word. Spec §3, rule 3:
// a small batch usually finishes within 30 seconds. What each takes is printed.

const PER_MINUTE = 300;
// A fifth of a minute's budget in ten seconds.
const PER_TEN_SECONDS = PER_MINUTE / 5;
const LISTED = 220;
const SMALL = 49;

const silent = Array.from({ length: 300 }, (_, n) => `silent-${n}.test`);
const giant = {
	domain: 'giant.test',
	does: 'As Google does it.',
	mail: [
		{
			preference: 10,
			host: 'gmail-smtp-in.l.google.com',
			plays: {
				rcpt: (asked: Parameters<typeof accept>[0]) =>
					asked.mailbox.startsWith('ada.') ? accept(asked) : refuseUnknown(asked),
			},
		},
	],
	samples: [],
};
const atGiant = (count: number, from = 0): string[] =>
	Array.from({ length: count }, (_, n) => `ada.n${from + n}@giant.test`);
const shops = (count: number): string[] => shopAddresses(count).map(({ address }) => address);

let service: TestService;
let sandbox: Sandbox;

beforeAll(async () => {
	const does = 'Takes the connection and never says a word.';
	const silentScenes = silent.map((domain): Scene => ({ domain, does, mail: 'silent', samples: [] }));
	service = await startTestService({
		sandbox: { extraScenes: [giant, ...silentScenes] },
		vars: {
			PROBER_BUDGETS: JSON.stringify({
				google: { recipientsPerMinute: PER_MINUTE, connectionsPerMinute: 60 },
			}),
			PROBER_WARM: 'all',
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

const recipients = (): number =>
	sandbox.transcripts('giant.test').flatMap(({ lines }) => lines.filter((line) => line.startsWith('< RCPT')))
		.length;

test('a list at an operator that bears 300 recipients a minute keeps that pace, and no other list or caller waiting', async () => {
	const counts: number[] = [];
	const watch = setInterval(() => counts.push(recipients()), 1_000);
	try {
		const { job, told } = await runList(service, atGiant(LISTED), async (access, id) => {
			await expect.poll(recipients).toBeGreaterThan(20);
			const single = callOf('ada.alone@giant.test');
			const short = await runList(service, atGiant(40, 1_000));
			expect(short.told).toEqual(new Set(['accepted_email']));
			expect(await single).toBe('deliverable');
			expect((await jobOf(access.apiKey, id, access.url)).status).toBe('processing');
		});
		expect(told).toEqual(new Set(['accepted_email']));
		expect([job.creditsUsed, job.creditsReserved]).toEqual([LISTED, 0]);
	} finally {
		clearInterval(watch);
	}
	const inTenSeconds = counts.slice(10).map((count, n) => count - (counts[n] ?? 0));
	// What a sample sees may be a second older than what it is compared with.
	expect(Math.max(...inTenSeconds)).toBeLessThanOrEqual(PER_TEN_SECONDS * 1.2);
});

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
