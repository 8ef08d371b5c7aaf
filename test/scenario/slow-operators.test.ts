import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, mailboxes, refuseUnknown } from '../sandbox/behaviour.ts';
import type { Behaviour } from '../sandbox/behaviour.ts';
import type { BehaviourName } from '../sandbox/behaviours.ts';
import type { Scene } from '../sandbox/scenes/scene.ts';
import { shopAddresses } from '../sandbox/shops.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { read, runList } from './access.ts';
import type { Job } from './access.ts';

// Lists and calls beside what is slow: an operator that bears so much a minute, one that refuses all, a gateway that takes its
// time. Spec §3, rule 3: a small batch usually finishes within 30 seconds. What each takes is printed.

const PER_MINUTE = 300;
// A fifth of a minute's budget in ten seconds.
const PER_TEN_SECONDS = PER_MINUTE / 5;
const LISTED = 220;
const REFUSED = 200;

const hosted = (domain: string, host: string, plays: BehaviourName | Behaviour): Scene => ({
	domain,
	does: `As ${host} does it.`,
	mail: [{ preference: 10, host, plays }],
	samples: [],
});
const everybody: Behaviour = {
	rcpt: (asked) => (asked.mailbox.startsWith('ada.') ? accept(asked) : refuseUnknown(asked)),
};
const extraScenes = [
	hosted('giant.test', 'gmail-smtp-in.l.google.com', everybody),
	hosted('angry.test', 'mx01.mail.icloud.com', 'rate-limit-greeting'),
	// Its row says that it may take 45 s for an answer: it asks the server behind it first.
	hosted('slow-gateway.test', 'mx1.antispamcloud.com', { rcpt: mailboxes(accept), calloutMs: 17_000 }),
];
const at = (domain: string, count: number, from = 0): string[] =>
	Array.from({ length: count }, (_, n) => `ada.n${from + n}@${domain}`);
const shops = (count: number): string[] => shopAddresses(count).map(({ address }) => address);

let service: TestService;
let sandbox: Sandbox;

beforeAll(async () => {
	service = await startTestService({
		sandbox: { extraScenes },
		vars: {
			PROBER_BUDGETS: JSON.stringify({
				google: { recipientsPerMinute: PER_MINUTE, connectionsPerMinute: 60 },
			}),
			PROBER_WARM: 'all',
			JOB_HORIZON_SECONDS: '60',
			// Of the few who were asked, and heard that the operator limits us.
			RETRY_DELAYS_SECONDS: '5',
		},
	});
	if (service.sandbox === null) throw new Error('this service has a sandbox');
	({ sandbox } = service);
});
afterAll(() => service?.remove());

interface Verdict {
	readonly status: string;
	readonly details: { readonly sub_status: string; readonly general: { readonly reason: string } };
}

/** A call of an account of its own. */
async function verify(email: string): Promise<Verdict> {
	const { apiKey } = await makeAccount(service, 1);
	const { body } = await call(service.url, apiKey, 'POST', '/v1/verify', { email });
	return (body as { data: Verdict }).data;
}

const recipients = (): number =>
	sandbox.transcripts('giant.test').flatMap(({ lines }) => lines.filter((line) => line.startsWith('< RCPT')))
		.length;

test('a list at an operator that bears 300 recipients a minute keeps that pace, and no other list or caller waiting', async () => {
	const counts: number[] = [];
	const watch = setInterval(() => counts.push(recipients()), 1_000);
	try {
		const { job, told } = await runList(service, at('giant.test', LISTED), async (access, id) => {
			await expect.poll(recipients).toBeGreaterThan(20);
			const called = performance.now();
			const single = verify('ada.alone@giant.test').then((verdict) => {
				console.log(`a caller beside two lists: ${Math.round(performance.now() - called)} ms`);
				return verdict;
			});
			const short = await runList(service, at('giant.test', 40, 1_000));
			expect(short.told).toEqual(new Set(['accepted_email']));
			expect((await single).status).toBe('deliverable');
			expect((await read<Job>(access, `/v1/jobs/${id}`)).status).toBe('processing');
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

test('a list at an operator that refuses every connection costs a handful of them, and nothing', async () => {
	const { job, told } = await runList(service, at('angry.test', REFUSED));
	// Who was asked hears what the operator said; the others, that we did not ask.
	expect([...told].filter((said) => said !== 'rate_limited')).toEqual(['no_capacity']);
	expect([job.creditsUsed, job.creditsRefunded]).toEqual([0, REFUSED]);
	const { length } = sandbox.transcripts('angry.test');
	console.log(`${length} connections for ${REFUSED} addresses at an operator that refuses all`);
	expect(length).toBeLessThanOrEqual(20);
});

test('49 addresses of which 5 domains never answer and 3 defer for minutes come to an end, those 8 refunded', async () => {
	const slow = 'silent drips black-hole dns-timeout endless greylist rate-limit shuts-down'.split(' ');
	const emails = [...shops(41), ...slow.map((name) => `ada@${name}.test`)];
	const begun = performance.now();
	const { job, rows } = await runList(service, emails);
	console.log(`A job of 49 with 8 slow domains: ${Math.round(performance.now() - begun)} ms`);
	expect(job).toMatchObject({ status: 'completed', processedEmails: 49, creditsReserved: 0 });
	expect([job.creditsUsed, job.creditsRefunded]).toEqual([41, 8]);
	expect(rows.map(({ status }) => status === 'unknown')).toEqual(emails.map((_, n) => n >= 41));
});

test('a gateway that takes 17 s for an answer: a caller reads why there is none, and a list has it', async () => {
	const { rows } = await runList(service, [...shops(49), 'ada@slow-gateway.test'], async () => {
		const { status, details } = await verify('grace@slow-gateway.test');
		expect([status, details.sub_status]).toEqual(['unknown', 'timeout']);
		expect(details.general.reason).toContain('it is known to take up to 45 s');
	});
	expect(rows.at(-1)?.status).toBe('deliverable');
});
