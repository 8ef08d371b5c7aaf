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

// Bulk jobs whose service dies again and again: its queue is lost each time, its consumers leave leases behind.

const CRASHES = 10;
const JOBS = 3;
// Enough for some seconds of work, so that a kill finds most jobs unfinished.
const ADDRESSES = 2_500;
const CREDITS = 30_000;
const KILL_AFTER_MS = { min: 50, max: 700 };
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

/** Every job is submitted again after every crash, which is more than an account may usually do. */
async function openAccount(service: { url: string; token: string }): Promise<TestAccount> {
	const request = { email: 'crash@example.com', credits: CREDITS };
	const account = await callOperator<TestAccount>(service, 'POST', '/accounts', request);
	await callOperator(service, 'PATCH', `/accounts/${account.accountId}/limits`, { batch: 1_000 });
	return account;
}

async function read<T>(url: string, apiKey: string, path: string): Promise<T> {
	const { status, body, text } = await call(url, apiKey, 'GET', path);
	if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
	return (body as { data: T }).data;
}

/** What a caller knows of a job. */
interface Submitted {
	readonly jobId: string;
	/** The 202, to the letter. */
	readonly text: string;
	processed: number;
}

const sample = shopAddresses(ADDRESSES);
const emails = sample.map(({ address }) => address);

/** Submits the nth job, for the first time or again. */
async function submit(url: string, apiKey: string, nth: number): Promise<Submitted> {
	const headers = { 'idempotency-key': `crash-${nth}` };
	const request = { emails, name: `job ${nth}` };
	const { status, body, text } = await call(url, apiKey, 'POST', '/v1/verify-batch', request, headers);
	expect(status, text).toBe(202);
	return { jobId: (body as { data: Job }).data.jobId, text, processed: 0 };
}

test(`jobs whose service is killed ${CRASHES} times end with every address once and every credit`, async () => {
	console.log(`CRASH_SEED=${seed}`);
	const random = randomFrom(seed);
	const token = ensureDevVars()['OPERATOR_TOKEN'] ?? '';
	const jobs: Submitted[] = [];
	let account: TestAccount | null = null;
	let interrupted = 0;
	for (let crash = 0; crash < CRASHES; crash += 1) {
		const url = await start();
		account ??= await openAccount({ url, token });
		interrupted += await lookAfter({ url, apiKey: account.apiKey }, jobs);
		// A new one where all have ended, so that no kill finds the service idle.
		const running = await unfinished(url, account.apiKey, jobs);
		if (jobs.length < JOBS || running === 0) jobs.push(await submit(url, account.apiKey, jobs.length));
		await pause(KILL_AFTER_MS.min + random() * (KILL_AFTER_MS.max - KILL_AFTER_MS.min));
		await group?.kill();
	}
	const url = await start();
	const apiKey = account?.apiKey ?? '';
	interrupted += await lookAfter({ url, apiKey }, jobs);
	const back = Date.now();
	let unknown = 0;
	for (const { jobId } of jobs) unknown += await expectWhole({ url, apiKey }, jobId);
	console.log(
		`${jobs.length} jobs, ${CRASHES} kills: ${interrupted} times a job was found unfinished; all done ${Date.now() - back} ms after the last kill`,
	);
	expect(interrupted).toBeGreaterThanOrEqual(CRASHES);
	const consumed = jobs.length * ADDRESSES - unknown;
	expect(await readCredits(url, apiKey)).toMatchObject({
		totalPurchased: CREDITS,
		totalConsumed: consumed,
		totalRefunded: unknown,
		reservedCredits: 0,
		availableCredits: CREDITS - consumed,
	});
}, 400_000);

/** After a crash: every job is there, none has gone back, and its key still gives the first answer. Counts the unfinished. */
async function lookAfter(
	{ url, apiKey }: { url: string; apiKey: string },
	jobs: readonly Submitted[],
): Promise<number> {
	let found = 0;
	for (const [nth, job] of jobs.entries()) {
		expect((await submit(url, apiKey, nth)).text).toBe(job.text);
		const state = await read<Job>(url, apiKey, `/v1/jobs/${job.jobId}`);
		expect(state.processedEmails, `job ${nth}`).toBeGreaterThanOrEqual(job.processed);
		expect(state.creditsReserved + state.creditsUsed + state.creditsRefunded).toBe(ADDRESSES);
		job.processed = state.processedEmails;
		if (state.status === 'processing') found += 1;
	}
	return found;
}

async function unfinished(url: string, apiKey: string, jobs: readonly Submitted[]): Promise<number> {
	const states = await Promise.all(jobs.map(({ jobId }) => read<Job>(url, apiKey, `/v1/jobs/${jobId}`)));
	return states.filter(({ status }) => status === 'processing').length;
}

/** Waits for the job's end and reads all of it; gives how many addresses are unknown. */
async function expectWhole({ url, apiKey }: { url: string; apiKey: string }, jobId: string): Promise<number> {
	const job = await vi.waitFor(
		async () => {
			const state = await read<Job>(url, apiKey, `/v1/jobs/${jobId}`);
			expect(state.status, `${state.processedEmails} of ${ADDRESSES}, seed ${seed}`).toBe('completed');
			return state;
		},
		{ timeout: COMPLETED_WITHIN_MS, interval: 500 },
	);
	const pages = await Promise.all(
		Array.from({ length: ADDRESSES / 500 }, (_, at) => at + 1).map((page) =>
			read<{ results: Row[] }>(url, apiKey, `/v1/jobs/${jobId}/results?limit=500&page=${page}`),
		),
	);
	const rows = pages.flatMap(({ results }) => results);
	expect(rows.map(({ email }) => email)).toEqual(emails);
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
	return unknown;
}
