import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../sandbox/world.ts';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';
import { startLyingResolver } from '../support/lying-resolver.ts';
import type { Lie, LyingResolver } from '../support/lying-resolver.ts';
import { startMoodyEgress } from '../support/moody-egress.ts';
import type { MoodyEgress } from '../support/moody-egress.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { runList } from './access.ts';
import { makeFirms } from './firms.ts';
import { randomFrom } from './random.ts';

// Our resolvers lie, stall or are slow, or our way out fails. Nobody is called undeliverable for it and nobody pays for it;
// a list is done as soon as most answers are true, and hardly any mail server is asked twice.

const { scenes, emails: EMAILS } = makeFirms(460);
// A name that was looked up before is remembered: each test of the resolvers has firms of its own.
const EGRESS = EMAILS.slice(0, 300);
const LIED_ABOUT = EMAILS.slice(300, 400);
const SILENCED = EMAILS.slice(400, 450);
const SINGLE = EMAILS.slice(450);
const ALWAYS: readonly Lie[] = [
	'wrong_id',
	'wrong_question',
	'truncated',
	'alias_loop',
	'ten_thousand_records',
	'silent',
];
const NOW_AND_THEN: readonly Lie[] = [
	'wrong_question',
	'truncated',
	'alias_loop',
	'ten_thousand_records',
	'slow',
	'http_500',
];

// FAULT_SEED=… repeats a run's lies.
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

let sandbox: Sandbox;
let dns: LyingResolver;
let egress: MoodyEgress;
let service: TestService;

function startService(dohUrl: string): Promise<TestService> {
	return startTestService({
		sandbox: null,
		vars: {
			DOH_URL: dohUrl,
			SMTP_EGRESS: egress.url,
			PROBER_CONTROL: sandbox.control,
			HELO_NAME: 'probe.mailsonar.test',
			MAIL_FROM: 'verify@probe.mailsonar.test',
			ALLOW_PRIVATE_MX: SANDBOX_RANGE,
			RETRY_DELAYS_SECONDS: '4,8,16',
		},
	});
}

beforeAll(async () => {
	sandbox = await startSandbox({ extraScenes: scenes });
	dns = await startLyingResolver(sandbox.dohUrl);
	egress = await startMoodyEgress(sandbox.socksUrl);
	// Two resolvers, as in production; both lie.
	service = await startService(`${dns.url},${dns.url}?second`);
});
afterAll(async () => {
	await service?.remove();
	await Promise.all([egress?.close(), dns?.close(), sandbox?.close()]);
});
afterEach(() => {
	dns.become(() => 'works');
	egress.become(() => 'works');
	sandbox.reset();
});

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a single call', () => {
	test.each(ALWAYS)('of resolvers whose answers are all %s blames nobody and costs nothing', async (lie) => {
		const { apiKey, accountId } = await makeAccount(service, 1);
		const email = SINGLE[ALWAYS.indexOf(lie)];
		dns.become(() => lie);
		const { status, body, text } = await call(service.url, apiKey, 'POST', '/v1/verify', { email });
		expect([200, 502, 503], text).toContain(status);
		if (status === 200) expect(body).toMatchObject({ data: { status: 'unknown' }, meta: { creditsUsed: 0 } });
		dns.become(() => 'works');
		const again = await call(service.url, apiKey, 'POST', '/v1/verify', { email });
		expect(again.body, accountId).toMatchObject({
			data: { status: 'deliverable' },
			meta: { creditsUsed: 1, creditsRemaining: 0 },
		});
	});
});

test('a job of a hundred firms is done, with true answers, while one answer in eight is a lie', async () => {
	console.log(`FAULT_SEED=${seed}`);
	const random = randomFrom(seed);
	dns.become(() =>
		random() < 1 / 8 ? (NOW_AND_THEN[Math.floor(random() * NOW_AND_THEN.length)] ?? 'slow') : 'works',
	);
	const { job, rows } = await runList(service, LIED_ABOUT, async () => {
		await expect.poll(dns.lies).toBeGreaterThan(10);
	});
	const told = rows.map(({ details }) => details.sub_status);
	const accepted = told.filter((word) => word === 'accepted_email').length;
	console.log(`${dns.lies()} lies, ${told.length - accepted} addresses without a verdict`);
	// A name that is lied about each time has no answer, and is not charged.
	expect(told.filter((word) => !['accepted_email', 'dns_error'].includes(word))).toEqual([]);
	expect([job.creditsUsed, job.creditsReserved]).toEqual([accepted, 0]);
	expect(accepted).toBeGreaterThan(80);
});

test('a job blames no domain for its only resolver, which says nothing for a while', async () => {
	const other = await startService(dns.url);
	try {
		dns.become(() => 'silent');
		const { told } = await runList(other, SILENCED, async () => {
			await later(8_000);
			dns.become(() => 'works');
		});
		expect(told).toEqual(new Set(['accepted_email']));
	} finally {
		await other.remove();
	}
});

describe('a job of 300 firms', () => {
	/** How often each mail server was talked to, at most. */
	const talksMost = (): number =>
		Math.max(...scenes.slice(0, 300).map(({ domain }) => sandbox.transcripts(domain).length));

	test('is done with hardly a connection more where one in fifty is cut', async () => {
		const before = egress.connections();
		egress.become((nth) => (nth % 50 === 0 ? 'cut' : 'works'));
		const { job, told } = await runList(service, EGRESS);
		expect(told).toEqual(new Set(['accepted_email']));
		expect([job.creditsUsed, job.creditsReserved]).toEqual([EGRESS.length, 0]);
		expect(talksMost()).toBe(1);
		expect(egress.connections() - before).toBeLessThan(EGRESS.length * 1.1);
	});

	test('blames nobody for a while in which the proxy leads nowhere', async () => {
		egress.become(() => 'general_failure');
		const { job, told } = await runList(service, EGRESS, async () => {
			await later(8_000);
			egress.become(() => 'works');
		});
		expect(told).toEqual(new Set(['accepted_email']));
		expect(job.creditsUsed).toBe(EGRESS.length);
		// None where a connection was still open.
		expect(talksMost()).toBeLessThanOrEqual(1);
	});

	test('tells of the dead among the living, and of failing name servers when they failed each time', async () => {
		const living = EGRESS.slice(0, 60);
		const dead = ['ada@refused.test', 'ada@unreachable.test', 'ada@servfail.test'];
		const { job, rows } = await runList(service, [...living, ...dead]);
		expect(rows.slice(60).map(({ details }) => details.sub_status)).toEqual([
			'no_connect',
			'no_connect',
			'dns_error',
		]);
		expect(job.creditsUsed).toBe(60);
	});
});
