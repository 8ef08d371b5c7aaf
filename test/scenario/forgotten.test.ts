import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { ensureDevVars, operatorToken } from '../../tools/dev-vars.ts';
import { callOperator } from '../../tools/operator-client.ts';
import { completed, finished } from '../contract/jobs-api.ts';
import { newPerson } from '../contract/people.ts';
import { tracesIn, tracesOf } from '../support/persisted.ts';
import { call } from '../support/service.ts';
import { create } from './access.ts';
import type { Access } from './access.ts';
import { ProcessGroup, readWelcome } from './process-group.ts';
import { eventually } from '../support/patience.ts';

// An address that was asked about is kept for 48 hours. Then it is nowhere: not in a file, not in a page of a database
// that nobody uses any more, not in a log. Of three days the test lives through the ends alone.

const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-forgotten-'));
const DAYS_MS = 3 * 86_400_000;
const token = operatorToken(ensureDevVars());
const logs: string[] = [];
let group: ProcessGroup | null = null;

afterAll(async () => {
	await group?.kill();
	rmSync(stateFolder, { recursive: true, force: true });
});

async function start(resultsTtlSeconds: number): Promise<Access> {
	const vars = [
		`RESULTS_TTL_SECONDS:${resultsTtlSeconds}`,
		'RETRY_DELAYS_SECONDS:1',
		'LEDGER_RETENTION_DAYS:1',
	];
	group = new ProcessGroup(process.execPath, [
		'tools/start.ts',
		...['--port', '0', '--persist-to', stateFolder, '--log-level', 'log'],
		...vars.flatMap((named) => ['--var', named]),
	]);
	return readWelcome(group);
}

/** As Ctrl-C ends it, so that the databases are closed as they should be. */
async function stop(): Promise<void> {
	group?.signalAll('SIGINT');
	await group?.gone();
	logs.push(group?.output ?? '');
	group = null;
}

const WAYS = [
	...(['single', 'keyed', 'catchAll', 'malformed', 'explained', 'typed', 'typedCatchAll'] as const),
	...(['listed', 'rejected', 'scored', 'started', 'staged', 'reported'] as const),
];
/** A local part that stands nowhere else, for each way that an address comes in by. */
const WORDS = Object.fromEntries(
	WAYS.map((way) => [way, way.toLowerCase() + randomBytes(9).toString('hex')]),
) as Record<(typeof WAYS)[number], string>;
const words = Object.values(WORDS);

async function useEverything(access: Access): Promise<void> {
	const { url, apiKey } = access;
	const verify = (email: string, key?: string) =>
		call(url, apiKey, 'POST', '/v1/verify', { email }, key === undefined ? {} : { 'idempotency-key': key });
	const answers = [
		await verify(`${WORDS.single}@inbox.test`),
		await verify(`${WORDS.keyed}@inbox.test`, 'call-1'),
		await verify(`${WORDS.catchAll}@catch-all.test`, 'call-2'),
		await verify(`${WORDS.malformed}@@inbox.test`),
	];
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
	await callOperator({ url, token }, 'POST', '/explain', { email: `${WORDS.explained}@inbox.test` });
	await callOperator({ url, token }, 'POST', '/refused-domains', { domain: 'asked-for-peace.test' });
	const webhook = {
		url: 'https://hooks.example.com/mailsonar',
		events: ['job.completed', 'catchall.completed'],
	};
	expect((await call(url, apiKey, 'POST', '/v1/webhooks', webhook)).status).toBe(201);

	const emails = [
		`${WORDS.listed}@shop-001.test`,
		`${WORDS.scored}@catch-all.test`,
		`${WORDS.rejected}@`,
		...Array.from({ length: 60 }, (_, n) => `${WORDS.listed}${n}@shop-00${(n % 9) + 1}.test`),
	];
	const jobId = await create(access, '/v1/verify-batch', { emails }, { 'idempotency-key': 'list' });
	await completed(apiKey, jobId, url);
	const taskId = await create(access, '/v1/catchall', { jobId }, { 'idempotency-key': 'task' });
	await finished(apiKey, taskId, url);
	await call(url, apiKey, 'GET', `/v1/jobs/${jobId}/download?format=csv`);
	const outcome = { email: `${WORDS.reported}@inbox.test`, outcome: 'hard_bounce' };
	expect((await call(url, apiKey, 'POST', '/v1/feedback', { outcomes: [outcome] })).status).toBe(200);

	const { visitor } = await newPerson(undefined, url);
	const type = async (email: string) => {
		const { location } = await visitor.submit('/dashboard/verify', { email });
		const shown = async () => (await visitor.get(location ?? '')).text;
		await eventually(async () => expect(await shown()).toContain(`Result for ${email}`));
	};
	await type(`${WORDS.typed}@inbox.test`);
	await type(`${WORDS.typedCatchAll}@catch-all.test`);
	expect((await visitor.get('/dashboard/verify')).text).toContain(WORDS.typed);
	const upload = (local: string) =>
		visitor.upload(
			'/dashboard/lists',
			'file',
			new File([`E-mail\r\n${local}@shop-001.test\r\n${local}2@shop-002.test\r\n`], 'people.csv'),
		);
	expect((await upload(WORDS.staged)).status).toBe(303);
	const { location } = await upload(WORDS.started);
	const shown = { column: '0', header: 'yes' };
	const job = await visitor.submit(location ?? '', shown);
	await eventually(async () =>
		expect((await visitor.get(job.location ?? '')).text).toContain('safe to send'),
	);
}

/** Lets three days go by for what is stored. In place: no copy of a row is made. */
function letDaysPass(): void {
	const objects = join(stateFolder, 'v3/do/mailsonar-local-Account');
	inDatabases(objects, 'idempotency', (database) =>
		database.exec(
			`UPDATE idempotency SET expiresAt = expiresAt - ${DAYS_MS};
			UPDATE jobs SET purgeAt = purgeAt - ${DAYS_MS}`,
		),
	);
	inDatabases(join(stateFolder, 'v3/r2/miniflare-R2BucketObject'), '_mf_objects', (database) =>
		database.exec(`UPDATE _mf_objects SET uploaded = uploaded - ${DAYS_MS}`),
	);
}

function inDatabases(folder: string, table: string, work: (database: DatabaseSync) => void): void {
	let found = 0;
	for (const name of readdirSync(folder).filter((file) => file.endsWith('.sqlite'))) {
		const database = new DatabaseSync(join(folder, name));
		database.exec('PRAGMA secure_delete = ON');
		const has = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) !== undefined;
		if (has) work(database);
		if (has) found += 1;
		database.close();
	}
	expect(found, table).toBeGreaterThan(0);
}

test('three days later no address is anywhere: databases with their free pages, blobs, logs', async () => {
	const access = await start(172_800);
	await useEverything(access);
	await stop();
	// Until then it is in the bucket, or sealed: deleted rows of a database are not gone before something else is written
	// over them.
	const kept = tracesOf(stateFolder, words);
	expect(kept.filter(({ file }) => !/^v3\/r2\/[^/]+\/blobs\//.test(file))).toEqual([]);
	expect(new Set(kept.map((trace) => trace.word))).toEqual(
		new Set([WORDS.listed, WORDS.rejected, WORDS.scored, WORDS.staged, WORDS.started]),
	);

	letDaysPass();
	const again = await start(1);
	// A day's cron, and a small job in each account, whose end wakes what is due.
	const { url, apiKey } = again;
	await fetch(new URL('/cdn-cgi/handler/scheduled?cron=30+3+*+*+*', url));
	const id = await create(again, '/v1/verify-batch', { emails: ['ada@inbox.test'] });
	await completed(apiKey, id, url);
	// The bucket's own rule deletes an upload that nobody started. A local bucket has no rules (deploy/lifecycle.json).
	const forgotten = words.filter((one) => one !== WORDS.staged);
	await eventually(async () => {
		const left = tracesOf(stateFolder, forgotten).filter(({ file }) => file.includes('/blobs/'));
		expect(left).toEqual([]);
	}, 500);
	await stop();
	expect(tracesOf(stateFolder, forgotten)).toEqual([]);
	expect(tracesOf(stateFolder, words).filter(({ file }) => !file.includes('/blobs/'))).toEqual([]);
	const said = logs.join('\n');
	expect(said).toContain('Starting Mailsonar');
	expect(tracesIn(Buffer.from(said), words)).toEqual([]);
});
