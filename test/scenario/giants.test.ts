import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accept, refuseUnknown } from '../sandbox/behaviour.ts';
import type { Scene } from '../sandbox/scenes/scene.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { allRows, create, ended, read } from './access.ts';
import type { Access, Job } from './access.ts';

// Half of a list is at one operator, which bears so much a minute from one source address and no more; or refuses all.

const PER_MINUTE = 300;
// A fifth of a minute's budget in ten seconds.
const PER_TEN_SECONDS = PER_MINUTE / 5;
const LISTED = 220;
const REFUSED = 200;

const giant: Scene = {
	domain: 'giant.test',
	does: 'Everybody has a mailbox here.',
	mail: [
		{
			preference: 1,
			host: 'gmail-smtp-in.l.google.com',
			plays: { rcpt: (asked) => (asked.mailbox.startsWith('ada.') ? accept(asked) : refuseUnknown(asked)) },
		},
	],
	samples: [],
};
const angry: Scene = {
	domain: 'angry.test',
	does: 'Has had enough of us.',
	mail: [{ preference: 10, host: 'mx01.mail.icloud.com', plays: 'rate-limit-greeting' }],
	samples: [],
};
const at = (domain: string, count: number, from = 0): string[] =>
	Array.from({ length: count }, (_, n) => `ada.n${from + n}@${domain}`);

let service: TestService;
let sandbox: Sandbox;

beforeAll(async () => {
	service = await startTestService({
		sandbox: { extraScenes: [giant, angry] },
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

interface Row {
	readonly status: string;
	readonly details: { readonly sub_status: string };
}

async function start(emails: readonly string[]) {
	const { apiKey } = await makeAccount(service, emails.length);
	const access: Access = { url: service.url, apiKey };
	const { id } = await create(access, '/v1/verify-batch', { emails });
	const path = `/v1/jobs/${id}`;
	const end = async () => {
		const job = await ended<Job>(access, path);
		const rows = await allRows<Row>(access, path, emails.length);
		return { job, told: new Set(rows.map(({ details }) => details.sub_status)) };
	};
	return { access, path, end };
}

const recipients = (): number =>
	sandbox.transcripts('giant.test').flatMap(({ lines }) => lines.filter((line) => line.startsWith('< RCPT')))
		.length;

describe.concurrent('a list at an operator that bears three hundred recipients a minute', () => {
	test('is answered to the last address, at that pace; a short list and a caller beside it do not wait for it', async () => {
		const counts: number[] = [];
		const watch = setInterval(() => counts.push(recipients()), 1_000);
		try {
			const long = await start(at('giant.test', LISTED));
			await expect.poll(recipients).toBeGreaterThan(20);
			const short = await start(at('giant.test', 40, 1_000));
			const { access } = short;
			const called = performance.now();
			const single = await call(access.url, (await makeAccount(service, 1)).apiKey, 'POST', '/v1/verify', {
				email: 'ada.alone@giant.test',
			});
			expect((single.body as { data: Row }).data.status).toBe('deliverable');
			console.log(`a caller beside two lists: ${Math.round(performance.now() - called)} ms`);
			expect((await short.end()).told).toEqual(new Set(['accepted_email']));
			expect((await read<Job>(long.access, long.path)).status).toBe('processing');
			const { job, told } = await long.end();
			expect(told).toEqual(new Set(['accepted_email']));
			expect([job.creditsUsed, job.creditsReserved]).toEqual([LISTED, 0]);
		} finally {
			clearInterval(watch);
		}
		const inTenSeconds = counts.slice(10).map((count, n) => count - (counts[n] ?? 0));
		// What a sample sees may be a second older than what it is compared with.
		expect(Math.max(...inTenSeconds)).toBeLessThanOrEqual(PER_TEN_SECONDS * 1.2);
	});
});

test.concurrent('a list at an operator that refuses every connection costs a handful of them, and nothing', async () => {
	const { end } = await start(at('angry.test', REFUSED));
	const { job, told } = await end();
	// Whoever was asked hears what the operator said; the others, that we did not ask.
	expect([...told].filter((said) => said !== 'rate_limited')).toEqual(['no_capacity']);
	expect([job.creditsUsed, job.creditsRefunded]).toEqual([0, REFUSED]);
	const { length } = sandbox.transcripts('angry.test');
	console.log(`${length} connections for ${REFUSED} addresses at an operator that refuses all`);
	expect(length).toBeLessThanOrEqual(20);
});
