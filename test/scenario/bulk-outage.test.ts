import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Relay } from '../contract/relay.ts';
import { startRelay } from '../contract/relay.ts';
import type { Scene } from '../sandbox/scenes/scene.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';
import { startMoodyEgress } from '../support/moody-egress.ts';
import type { MoodyEgress } from '../support/moody-egress.ts';
import { makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { allRows, create, ended } from './access.ts';
import type { Access, Job } from './access.ts';
import { expectNothingOff } from './books.ts';

// Whole jobs, while our own way out or our resolver fails: no mail server is blamed for it, hardly any is asked twice,
// and nothing is charged twice.

// As many firms as there are, each with a mail server of its own, and one address at each.
const FIRMS = 300;
const scenes = (name: string, count: number): readonly Scene[] =>
	Array.from({ length: count }, (_, n) => ({
		domain: `${name}-${String(n).padStart(3, '0')}.test`,
		does: 'A firm with a mail server of its own.',
		mail: 'shops',
		samples: [],
	}));
const firms = scenes('firm', FIRMS);
const silenced = scenes('silenced', 100);
const EMAILS = firms.map(({ domain }) => `ada.adams@${domain}`);

let sandbox: Sandbox;
let egress: MoodyEgress;
let dns: Relay;
let service: TestService;

beforeAll(async () => {
	sandbox = await startSandbox({ extraScenes: [...firms, ...silenced] });
	egress = await startMoodyEgress(sandbox.socksUrl);
	const dohUrl = new URL(sandbox.dohUrl);
	dns = await startRelay(Number(dohUrl.port));
	service = await startTestService({
		sandbox: null,
		vars: {
			DOH_URL: `http://127.0.0.1:${dns.port}${dohUrl.pathname}`,
			SMTP_EGRESS: egress.url,
			PROBER_CONTROL: sandbox.control,
			HELO_NAME: 'probe.mailsonar.test',
			MAIL_FROM: 'verify@probe.mailsonar.test',
			ALLOW_PRIVATE_MX: SANDBOX_RANGE,
			RETRY_DELAYS_SECONDS: '4,8,16',
		},
	});
});
afterAll(async () => {
	await service?.remove();
	await Promise.all([egress?.close(), dns?.close(), sandbox?.close()]);
});
afterEach(async () => {
	egress.become(() => 'works');
	await dns.become('works');
	sandbox.reset();
});

interface Row {
	readonly details: { readonly sub_status: string };
}

/** The job as it ended, and what its rows were told. */
async function run(emails: readonly string[], meanwhile: () => Promise<void> = () => Promise.resolve()) {
	const { apiKey } = await makeAccount(service, emails.length);
	const access: Access = { url: service.url, apiKey };
	const { id } = await create(access, '/v1/verify-batch', { emails });
	await meanwhile();
	const job = await ended<Job>(access, `/v1/jobs/${id}`);
	const rows = await allRows<Row>(access, `/v1/jobs/${id}`, emails.length);
	await expectNothingOff(service.url);
	return { job, told: new Set(rows.map(({ details }) => details.sub_status)), rows };
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** How often each mail server was talked to. */
const talks = (): number[] => firms.map(({ domain }) => sandbox.transcripts(domain).length);

describe('a job of 300 firms', () => {
	test('is done with hardly a connection more where one in fifty is cut', async () => {
		egress.become((nth) => (nth % 50 === 0 ? 'cut' : 'works'));
		const { job, told } = await run(EMAILS);
		expect(told).toEqual(new Set(['accepted_email']));
		expect([job.creditsUsed, job.creditsReserved]).toEqual([FIRMS, 0]);
		expect(Math.max(...talks())).toBe(1);
		console.log(`${egress.connections()} connections for ${FIRMS} firms, one in fifty cut`);
		expect(egress.connections()).toBeLessThan(FIRMS * 1.1);
	});

	test('blames nobody for a while in which the proxy leads nowhere', async () => {
		egress.become(() => 'general_failure');
		const { job, told } = await run(EMAILS, async () => {
			await later(8_000);
			egress.become(() => 'works');
		});
		expect(told).toEqual(new Set(['accepted_email']));
		expect(job.creditsUsed).toBe(FIRMS);
		// None where a connection was still open.
		expect(Math.max(...talks())).toBeLessThanOrEqual(1);
	});

	test('blames no domain for a resolver that says nothing for a while', async () => {
		// Names of their own: what was looked up before is remembered.
		const emails = silenced.map(({ domain }) => `ada.adams@${domain}`);
		await dns.become('silent');
		const { told } = await run(emails, async () => {
			await later(8_000);
			await dns.become('works');
		});
		expect(told).toEqual(new Set(['accepted_email']));
	});

	test('tells of the dead among the living, and of failing name servers when they failed each time', async () => {
		const living = EMAILS.slice(0, 60);
		const emails = [...living, 'ada@refused.test', 'ada@unreachable.test', 'ada@servfail.test'];
		const { job, rows } = await run(emails);
		expect(rows.slice(60).map(({ details }) => details.sub_status)).toEqual([
			'no_connect',
			'no_connect',
			'dns_error',
		]);
		expect(job.creditsUsed).toBe(60);
	});
});
