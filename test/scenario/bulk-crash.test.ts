import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { ensureDevVars } from '../../tools/dev-vars.ts';
import { callOperator } from '../../tools/operator-client.ts';
import { shopAddresses } from '../sandbox/shops.ts';
import { call } from '../support/service.ts';
import type { TestAccount } from '../support/service.ts';
import { readCredits } from './credits.ts';
import { ProcessGroup, readWelcome } from './process-group.ts';
import { randomFrom } from './random.ts';

// A bulk job whose service dies again and again: its queue is lost each time, its consumers leave leases behind.

const CRASHES = 4;
const ADDRESSES = 600;
const CREDITS = 1_000;
const KILL_AFTER_MS = { min: 50, max: 2_500 };
// A lease that a dead consumer left behind lasts 15 s.
const COMPLETED_WITHIN_MS = 90_000;

interface Job {
	readonly jobId: string;
	readonly status: string;
	readonly processedEmails: number;
	readonly creditsReserved: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
	readonly statusCounts: Readonly<Record<string, number>>;
}

interface Row {
	readonly email: string;
	readonly status: string;
}

// CRASH_SEED=… repeats a run's moments, if not the machine's.
const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-bulk-crash-'));
let group: ProcessGroup | null = null;

afterAll(async () => {
	await group?.kill();
	rmSync(stateFolder, { recursive: true, force: true });
});

async function start(): Promise<string> {
	const args = ['--port', '0', '--persist-to', stateFolder, '--var', 'REDRIVE_AFTER_SECONDS:2'];
	group = new ProcessGroup(process.execPath, ['tools/start.ts', ...args]);
	return (await readWelcome(group)).url;
}

async function read<T>(url: string, apiKey: string, path: string): Promise<T> {
	const { status, body, text } = await call(url, apiKey, 'GET', path);
	if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
	return (body as { data: T }).data;
}

test(`a job whose service is killed ${CRASHES} times ends with every address once and every credit`, async () => {
	console.log(`CRASH_SEED=${seed}`);
	const random = randomFrom(seed);
	const sample = shopAddresses(ADDRESSES);
	const request = { emails: sample.map(({ address }) => address), name: 'crash' };
	const token = ensureDevVars()['OPERATOR_TOKEN'] ?? '';
	let account: TestAccount | null = null;
	let first = '';
	let processed = 0;
	let interrupted = 0;
	let url = '';
	let jobId = '';
	for (let crash = 0; crash <= CRASHES; crash += 1) {
		url = await start();
		account ??= await callOperator<TestAccount>({ url, token }, 'POST', '/accounts', {
			email: 'crash@example.com',
			credits: CREDITS,
		});
		// The same request again, as a caller sends it that does not know what became of the first one.
		const answer = await call(url, account.apiKey, 'POST', '/v1/verify-batch', request, {
			'idempotency-key': 'crash',
		});
		expect(answer.status, answer.text).toBe(202);
		if (crash === 0) first = answer.text;
		expect(answer.text, `after ${crash} crashes`).toBe(first);
		({ jobId } = (answer.body as { data: Job }).data);
		const job = await read<Job>(url, account.apiKey, `/v1/jobs/${jobId}`);
		expect(job.processedEmails, `after ${crash} crashes`).toBeGreaterThanOrEqual(processed);
		processed = job.processedEmails;
		expect(job.creditsReserved + job.creditsUsed + job.creditsRefunded).toBe(ADDRESSES);
		if (job.status === 'processing' && crash > 0) interrupted += 1;
		if (crash === CRASHES) break;
		await pause(KILL_AFTER_MS.min + random() * (KILL_AFTER_MS.max - KILL_AFTER_MS.min));
		await group?.kill();
	}
	if (account === null) throw new Error('there was no account');
	const { apiKey } = account;
	const back = Date.now();
	const job = await vi.waitFor(
		async () => {
			const state = await read<Job>(url, apiKey, `/v1/jobs/${jobId}`);
			expect(state.status, `${state.processedEmails} of ${ADDRESSES}, seed ${seed}`).toBe('completed');
			return state;
		},
		{ timeout: COMPLETED_WITHIN_MS, interval: 250 },
	);
	console.log(
		`${interrupted} of ${CRASHES} kills hit the job; completed ${Date.now() - back} ms after the last`,
	);
	const pages = await Promise.all(
		[1, 2].map((page) =>
			read<{ results: Row[] }>(url, apiKey, `/v1/jobs/${jobId}/results?limit=500&page=${page}`),
		),
	);
	const rows = pages.flatMap(({ results }) => results);
	expect(rows.map(({ email }) => email)).toEqual(request.emails);
	// While it dies, the Worker may outlive its mail world by a moment, and then finds nobody at home.
	const wrong = rows.filter(
		({ status }, index) => status !== sample[index]?.expect.status && status !== 'unknown',
	);
	expect(wrong).toEqual([]);
	const unknown = rows.filter(({ status }) => status === 'unknown').length;
	expect(job).toMatchObject({
		processedEmails: ADDRESSES,
		creditsReserved: 0,
		creditsUsed: ADDRESSES - unknown,
		creditsRefunded: unknown,
		statusCounts: { unknown },
	});
	expect(await readCredits(url, apiKey)).toMatchObject({
		totalPurchased: CREDITS,
		totalConsumed: ADDRESSES - unknown,
		totalRefunded: unknown,
		reservedCredits: 0,
		availableCredits: CREDITS - ADDRESSES + unknown,
	});
}, 240_000);
