import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LocalProber } from '../../tools/local-prober.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { allRows, create, ended } from './access.ts';
import type { Access, Job } from './access.ts';
import { expectNothingOff } from './books.ts';
import { makeFirms } from './firms.ts';
import { questionsOf, startSandboxProber } from './sandbox-prober.ts';

// Two probers, of which one dies, or both: what was asked of the dead is asked of the other, nobody is blamed, nothing
// is charged twice.

const FIRMS = 400;
const TOKEN = 'prober-token-of-a-scenario-with-two';
const { scenes, emails: EMAILS } = makeFirms(FIRMS);
// Where a part asks six domains at a time, so many may be under way when a prober dies.
const UNDER_WAY_MAX = 80;

let sandbox: Sandbox;
let service: TestService;
let folder: string;
let probers: LocalProber[] = [];

async function startProber(which: 0 | 1): Promise<void> {
	const stateFolder = join(folder, String(which));
	probers[which] = await startSandboxProber({ sandbox, stateFolder, token: TOKEN, earlier: probers[which] });
}

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'mailsonar-probers-'));
	sandbox = await startSandbox({ extraScenes: scenes, replyDelayMs: 20 });
	await Promise.all([startProber(0), startProber(1)]);
	service = await startTestService({
		sandbox: null,
		vars: {
			DOH_URL: sandbox.dohUrl,
			ALLOW_PRIVATE_MX: SANDBOX_RANGE,
			PROBERS: probers.map((prober) => prober.probers).join(' '),
			RETRY_DELAYS_SECONDS: '4,8,16',
		},
	});
});
afterAll(async () => {
	await service?.remove();
	await Promise.all(probers.map((prober) => prober.stop()));
	await sandbox?.close();
	rmSync(folder, { recursive: true, force: true });
});
afterEach(() => sandbox.reset());

interface Row {
	readonly details: { readonly sub_status: string };
}

const asked = (): number => sandbox.transcripts().flatMap(({ lines }) => lines.filter(isTarget)).length;
const isTarget = (line: string): boolean => line.startsWith('< RCPT TO:<ada.adams@');
const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function run(emails: readonly string[], meanwhile: () => Promise<void>) {
	const { apiKey } = await makeAccount(service, emails.length);
	const access: Access = { url: service.url, apiKey };
	const { id } = await create(access, '/v1/verify-batch', { emails });
	await meanwhile();
	const job = await ended<Job>(access, `/v1/jobs/${id}`);
	const rows = await allRows<Row>(access, `/v1/jobs/${id}`, emails.length);
	await expectNothingOff(service.url);
	return { job, told: new Set(rows.map(({ details }) => details.sub_status)) };
}

describe('a job of 400 firms', () => {
	test('is asked of both probers, each of its own domains', async () => {
		const { told } = await run(EMAILS.slice(0, 60), () => Promise.resolve());
		expect(told).toEqual(new Set(['accepted_email']));
		const questions = await Promise.all(probers.map(questionsOf));
		expect(Math.min(...questions)).toBeGreaterThan(10);
		expect(asked()).toBe(60);
	});

	test('whose first prober dies amid it is done by the other, and hardly anybody is asked twice', async () => {
		const { job, told } = await run(EMAILS, async () => {
			await expect.poll(asked).toBeGreaterThan(30);
			await probers[0]?.kill();
		});
		expect(told).toEqual(new Set(['accepted_email']));
		expect([job.creditsUsed, job.creditsReserved]).toEqual([FIRMS, 0]);
		expect(asked()).toBeLessThanOrEqual(FIRMS + UNDER_WAY_MAX);
		await startProber(0);
	});

	test('waits while both are dead, and blames nobody', async () => {
		await Promise.all(probers.map((prober) => prober.kill()));
		const { job, told } = await run(EMAILS.slice(0, 100), async () => {
			await later(6_000);
			await Promise.all([startProber(0), startProber(1)]);
		});
		expect(told).toEqual(new Set(['accepted_email']));
		expect(job.creditsUsed).toBe(100);
		expect(asked()).toBe(100);
	});
});

test('an address is a 503 while both are dead, and costs nothing', async () => {
	await Promise.all(probers.map((prober) => prober.kill()));
	const { apiKey } = await makeAccount(service, 1);
	const verify = () => call(service.url, apiKey, 'POST', '/v1/verify', { email: EMAILS[0] });
	const refused = await verify();
	expect(refused.status).toBe(503);
	expect(refused.headers.get('retry-after')).toMatch(/^[1-9]/);
	await Promise.all([startProber(0), startProber(1)]);
	const answer = (await verify()).body as { readonly meta: { readonly creditsRemaining: number } };
	expect(answer.meta.creditsRemaining).toBe(0);
});
