import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { ACCOUNT_MIGRATIONS } from '../../src/durable-objects/account/schema.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { KEY, MINUTE_MS, jobOf, openAccount } from '../support/account-jobs.ts';

const DAY_MS = 86_400_000;
const VERSIONS = ACCOUNT_MIGRATIONS.slice(1).map((_, index) => index + 1);

/** An account as the first so many migrations left it: ten credits, one of them set aside by an open line. */
async function accountOfVersion(
	version: number,
	now: number,
	name = `acc_version_${version}`,
	more: (sql: SqlStorage) => void = () => {},
): Promise<DurableObjectStub<Account>> {
	const stub = env.ACCOUNT.getByName(name);
	await runInDurableObject(stub, (_: Account, { storage: { sql } }) => {
		for (const migration of ACCOUNT_MIGRATIONS.slice(0, version)) sql.exec(migration);
		sql.exec('CREATE TABLE schema_version (id INTEGER PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID');
		sql.exec('INSERT INTO schema_version VALUES (1, ?)', version);
		sql.exec(
			`INSERT INTO account (id, granted, consumed, reserved, refunded, transactions, last_transaction_at,
				settled_before, limits, windows, today) VALUES (1, 10, 0, 1, 0, 1, ?, 0, '{}', '{}', ?)`,
			now,
			JSON.stringify({ day: new Date(now).toISOString().slice(0, 10), keys: {} }),
		);
		sql.exec(
			'INSERT INTO api_keys (id, secret_hash, label, created_at) VALUES (?, ?, ?, ?)',
			KEY.id,
			KEY.secretHash,
			KEY.label,
			now,
		);
		const line = 'INSERT INTO ledger (at, id, kind, key_id, credits, closed_at) VALUES (?, ?, ?, ?, ?, ?)';
		sql.exec(line, now - 2, 'bought', 'grant', null, 10, now - 2);
		sql.exec(line, now - 1, 'begun before', 'verification', KEY.id, 1, null);
		more(sql);
	});
	await evictDurableObject(stub);
	return stub;
}

test.each(VERSIONS)(
	'an account that migration %i left behind keeps its ledger, and what was open in it ends as ever',
	async (version) => {
		const now = Date.now();
		const stub = await accountOfVersion(version, now);
		const ledger = () => stub.listLedger({ before: null, pageSize: 10 });
		const before = await ledger();
		expect(before).toMatchObject({ total: 2, reconciled: true, totals: { granted: 10, reserved: 1 } });
		expect(before.entries.map(({ id, reserved }) => [id, reserved])).toEqual([
			['begun before', 1],
			['bought', 0],
		]);
		const admitted = await stub.admit({
			keyId: KEY.id,
			secretHash: KEY.secretHash,
			category: 'default',
			windowMs: 900_000,
			now,
			reservation: { id: 'begun after', credits: 1 },
		});
		expect((await stub.show()).keys).toMatchObject([
			{ scopes: ['verify', 'lists', 'read'], expiresAt: null },
		]);
		expect(admitted).toMatchObject({
			kind: 'admitted',
			balance: { availableCredits: 8, reservedCredits: 2 },
		});
		for (const [id, at] of [
			['begun before', now - 1],
			['begun after', now],
		] as const) {
			const settled = await stub.settle({ reservation: { id, at }, outcome: 'risky', now: now + 1 });
			expect(settled.charged).toBe(1);
		}
		expect(await stub.openJob(jobOf(now, [4]))).toMatchObject({ kind: 'opened' });
		expect(await ledger()).toMatchObject({
			reconciled: true,
			totals: { granted: 10, charged: 2, reserved: 4 },
		});
	},
);

// The last version whose records knew neither keys with spaces nor the task of a job.
const BEFORE_SPACES = 5;

test('jobs and answers of before are still told: counts, the last task, and what is repeated byte for byte', async () => {
	const now = Date.now();
	const stub = await accountOfVersion(BEFORE_SPACES, now, 'acc_with_jobs');
	const response = '{"success":true,"data":{"jobId":"job_old"},"meta":{"requestId":"req_old"}}';
	await runInDurableObject(stub, (_: Account, { storage: { sql } }) => {
		const job = `INSERT INTO jobs (job_id, status, key_id, name, submitted, accepted, duplicates, invalid, parts, timing,
			created_at, ended_at, kind, source_job_id) VALUES (?, 'completed', ?, NULL, ?, 0, ?, ?, 0, ?, ?, ?, ?, ?)`;
		const timing = JSON.stringify({ retryDelaysMs: [], redriveAfterMs: 1, resultsTtlMs: 1 });
		sql.exec(job, 'job_old', KEY.id, 5, 3, 2, timing, now - 3, now - 3, 'verification', null);
		sql.exec(job, 'cat_first', KEY.id, 0, 0, 0, timing, now - 2, now - 2, 'catchall', 'job_old');
		sql.exec(job, 'cat_last', KEY.id, 0, 0, 0, timing, now - 1, now - 1, 'catchall', 'job_old');
		const answer = 'INSERT INTO idempotency (key, fingerprint, job_id, response) VALUES (?, ?, ?, ?)';
		sql.exec(answer, 'july', 'of the list', 'job_old', response);
		sql.exec(answer, 'catchall july', 'of the task', 'cat_last', response);
	});
	await evictDurableObject(stub);
	expect(await stub.findJob('job_old')).toMatchObject({
		duplicates: 3,
		invalid: 2,
		catchAllTaskId: 'cat_last',
	});
	for (const [kind, fingerprint, jobId] of [
		['verification', 'of the list', 'job_old'],
		['catchall', 'of the task', 'cat_last'],
	] as const) {
		const idempotency = { key: 'july', fingerprint };
		expect(await stub.findAnswer({ kind, idempotency, now })).toEqual({ kind: 'replay', jobId, response });
	}
});

// The last version that summed the ledger for each page, and whose alarm looked at all jobs.
const BEFORE_SUMS = 7;

test('a ledger of before has its sums, marks and files, and its jobs are driven on and purged', async () => {
	const now = Date.now();
	const lines = 2_500;
	const stub = await accountOfVersion(BEFORE_SUMS, now, 'acc_before_sums', (sql) => {
		sql.exec(
			`WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${lines})
				INSERT INTO ledger (at, id, kind, key_id, credits, charged, outcome, closed_at)
				SELECT ? + i, 'v' || i, 'verification', ?, 1, 1, 'risky', ? + i FROM n`,
			now - 40 * DAY_MS,
			KEY.id,
			now - 40 * DAY_MS,
		);
		// Half of a job is done; another one is over, and its blobs are due to be deleted.
		sql.exec(
			`UPDATE account SET granted = ${lines + 20}, consumed = ${lines + 2}, reserved = 3, refunded = 1`,
		);
		sql.exec("UPDATE ledger SET credits = ? WHERE id = 'bought'", lines + 20);
		sql.exec(
			`INSERT INTO ledger (at, id, kind, key_id, credits) VALUES (?, 'job_runs', 'job', ?, 5)`,
			now - 5,
			KEY.id,
		);
		const job = `INSERT INTO jobs (job_id, status, key_id, submitted, accepted, duplicates, invalid, parts, timing,
			created_at, ended_at, purge_at) VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?)`;
		const timing = JSON.stringify({ retryDelaysMs: [1], redriveAfterMs: 30_000, resultsTtlMs: 1 });
		sql.exec(job, 'job_runs', 'processing', KEY.id, 5, 5, 2, timing, now - 5, null, null);
		sql.exec(job, 'job_over', 'completed', KEY.id, 0, 0, 0, timing, now - 9, now - 9, now + MINUTE_MS);
		const part = `INSERT INTO parts (job_id, n, count, attempts, due_at, claims, send_at, sends, deliverable,
			undeliverable, risky, unknown, catch_all, deferred) VALUES ('job_runs', ?, ?, 1, ?, 0, ?, 1, 0, 0, ?, ?, 0, ?)`;
		sql.exec(part, 0, 3, now, now + 30_000, 2, 1, 0);
		sql.exec(part, 1, 2, now, now + 30_000, 0, 0, 2);
	});
	const sent: string[] = [];
	const purged: string[] = [];
	const clock = { now };
	await runInDurableObject(stub, (account: Account) => {
		account.outside = {
			...account.outside,
			now: () => clock.now,
			sendParts: (_, messages) => {
				sent.push(...messages.map(({ jobId, part }) => `${jobId} ${part}`));
				return Promise.resolve();
			},
			deleteBlobs: (jobId) => {
				purged.push(jobId);
				return Promise.resolve();
			},
		};
	});
	const ledger = () => stub.listLedger({ before: null, pageSize: 5_000 });
	const check = async () => {
		const { entries, ...page } = await ledger();
		expect(page).toMatchObject({
			total: lines + 3,
			reconciled: true,
			totals: { granted: lines + 20, charged: lines + 2, reserved: 3 },
		});
		let sum = 0;
		for (const { change, balanceAfter } of entries.toReversed()) expect(balanceAfter).toBe((sum += change));
		expect(sum).toBe(18);
		return page;
	};
	await check();
	const marks = () =>
		runInDurableObject(stub, (_: Account, { storage: { sql } }) => [
			...sql.exec('SELECT lines, change FROM ledger_marks').raw(),
		]);
	const ring = async (at: number) => {
		clock.now = at;
		expect(await runDurableObjectAlarm(stub)).toBe(true);
	};
	await ring(now + 30_000);
	expect(sent).toEqual(['job_runs 1']);
	expect(await marks()).toEqual([
		[1_000, -1_000],
		[2_000, -2_000],
	]);
	await ring(now + MINUTE_MS);
	expect(purged).toEqual(['job_over']);
	// What is over for a month and a day stands in a file.
	const { months } = await check();
	expect(months).toMatchObject([{ lines, pieces: 1, change: -lines }]);
});

/** Reservations as code from before decision 0017 kept them: in a column of the account's row, set aside already. */
function waitInRow(stub: DurableObjectStub<Account>, entries: readonly (readonly [number, string])[]) {
	return runInDurableObject(stub, async (_: Account, { storage }) => {
		const open = entries.map(([at, id]) => [at, id, KEY.id, 1]);
		const query = 'UPDATE account SET reserved = reserved + ?, open = ?';
		storage.sql.exec(query, open.length, JSON.stringify(open));
		await storage.setAlarm(Math.min(...entries.map(([at]) => at)) + 5 * MINUTE_MS);
	});
}

const OPEN_COLUMN = 'SELECT open FROM account';

test('reservations that waited in the row end as ever: settled, refunded, or set free by the alarm', async () => {
	const { stub, start, balance, ring, replaceOutside } = await openAccount(10);
	await waitInRow(stub, [
		[start + 1, 'settled'],
		[start + 2, 'refunded'],
		[start + 3, 'died'],
	]);
	await evictDurableObject(stub);
	await replaceOutside();
	expect(await balance()).toMatchObject({ availableCredits: 7, reservedCredits: 3 });
	const { entries, reconciled, totals } = await stub.listLedger({ before: null, pageSize: 10 });
	expect(entries.map(({ id, kind, keyId, reserved }) => [id, kind, keyId, reserved])).toEqual([
		['died', 'verification', KEY.id, 1],
		['refunded', 'verification', KEY.id, 1],
		['settled', 'verification', KEY.id, 1],
		['initial grant', 'grant', null, 0],
	]);
	expect({ reconciled, totals }).toMatchObject({ reconciled: true, totals: { reserved: 3 } });
	const settle = (id: string, at: number, outcome: 'risky' | 'unknown') =>
		stub.settle({ reservation: { id, at }, outcome, now: start + 9 });
	expect(await settle('settled', start + 1, 'risky')).toMatchObject({ charged: 1 });
	expect(await settle('refunded', start + 2, 'unknown')).toMatchObject({ charged: 0 });
	await evictDurableObject(stub);
	await replaceOutside();
	await ring(start + 3 + 5 * MINUTE_MS);
	expect(await balance()).toMatchObject({
		availableCredits: 9,
		reservedCredits: 0,
		totalConsumed: 1,
		totalRefunded: 1,
	});
});

test('code from before may come back and go again: it finds nothing that waits, and what it leaves is found', async () => {
	const { stub, start, balance } = await openAccount(10);
	for (const round of [1, 2, 3]) {
		await waitInRow(stub, [[start + round, `by code from before ${round}`]]);
		await evictDurableObject(stub);
		await stub.admit({
			keyId: KEY.id,
			secretHash: KEY.secretHash,
			category: 'default',
			windowMs: 900_000,
			now: start + round,
			reservation: { id: `by ours ${round}`, credits: 1 },
		});
		const left = await runInDurableObject(stub, (_: Account, { storage: { sql } }) => [
			sql.exec(OPEN_COLUMN).one(),
			// What that code reads the ledger through.
			sql.exec('SELECT COUNT(*) AS lines FROM lines WHERE closed_at IS NULL').one(),
		]);
		expect(left).toEqual([{ open: '[]' }, { lines: 2 * round }]);
		expect(await balance()).toMatchObject({ reservedCredits: 2 * round });
		expect(await stub.listLedger({ before: null, pageSize: 1 })).toMatchObject({ reconciled: true });
	}
});

test('an account that later code left behind keeps its version, so that nothing is done to it twice', async () => {
	const { stub, balance } = await openAccount(7);
	const later = ACCOUNT_MIGRATIONS.length + 1;
	const version = () =>
		runInDurableObject(stub, (_: Account, state) =>
			state.storage.sql.exec('SELECT version FROM schema_version').one(),
		);
	await runInDurableObject(
		stub,
		(_: Account, state) => void state.storage.sql.exec('UPDATE schema_version SET version = ?', later),
	);
	await evictDurableObject(stub);
	expect(await balance()).toMatchObject({ availableCredits: 7 });
	expect(await version()).toEqual({ version: later });
});
