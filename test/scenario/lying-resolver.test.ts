import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../sandbox/world.ts';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';
import { startLyingResolver } from '../support/lying-resolver.ts';
import type { Lie, LyingResolver } from '../support/lying-resolver.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { allRows, create, ended } from './access.ts';
import type { Access, Job } from './access.ts';
import { expectNothingOff } from './books.ts';
import { makeFirms } from './firms.ts';
import { randomFrom } from './random.ts';

// The resolvers lie, stall or are slow: nobody is called undeliverable for it, nobody pays for it, and a list is done
// as soon as most answers are true.

const FIRMS = 120;
const { scenes, emails: EMAILS } = makeFirms(FIRMS);
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
let service: TestService;

beforeAll(async () => {
	sandbox = await startSandbox({ extraScenes: scenes });
	dns = await startLyingResolver(sandbox.dohUrl);
	service = await startTestService({
		sandbox: null,
		vars: {
			// Two, as in production; both lie.
			DOH_URL: `${dns.url},${dns.url}?second`,
			SMTP_EGRESS: sandbox.socksUrl,
			HELO_NAME: 'probe.mailsonar.test',
			MAIL_FROM: 'verify@probe.mailsonar.test',
			ALLOW_PRIVATE_MX: SANDBOX_RANGE,
			RETRY_DELAYS_SECONDS: '2,4,8',
		},
	});
});
afterAll(async () => {
	await service?.remove();
	await Promise.all([dns?.close(), sandbox?.close()]);
});

interface Row {
	readonly details: { readonly sub_status: string };
}

describe('a single call', () => {
	test.each(ALWAYS)('of resolvers whose answers are all %s blames nobody and costs nothing', async (lie) => {
		const { apiKey, accountId } = await makeAccount(service, 1);
		// A name that nobody asked about before.
		const email = `ada.adams@firm-${String(100 + ALWAYS.indexOf(lie)).padStart(3, '0')}.test`;
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
	const emails = EMAILS.slice(0, 100);
	const { apiKey } = await makeAccount(service, emails.length);
	const access: Access = { url: service.url, apiKey };
	const { id } = await create(access, '/v1/verify-batch', { emails });
	await expect.poll(dns.lies).toBeGreaterThan(10);
	const job = await ended<Job>(access, `/v1/jobs/${id}`, `seed ${seed}`);
	const rows = await allRows<Row>(access, `/v1/jobs/${id}`, emails.length);
	const told = rows.map(({ details }) => details.sub_status);
	console.log(
		`${dns.lies()} lies, ${told.filter((word) => word !== 'accepted_email').length} addresses without a verdict`,
	);
	// A name that is lied about each time has no answer, and is not charged.
	expect(told.filter((word) => !['accepted_email', 'dns_error'].includes(word))).toEqual([]);
	expect([job.creditsUsed, job.creditsReserved]).toEqual([
		told.filter((word) => word === 'accepted_email').length,
		0,
	]);
	expect(job.creditsUsed).toBeGreaterThan(80);
	await expectNothingOff(service.url);
});
