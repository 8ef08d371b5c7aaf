import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { ACCOUNT_MIGRATIONS, migrate } from '../../src/durable-objects/account/schema.ts';
import { Sql } from '../../src/durable-objects/sql.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { dayOf } from '../../src/core/credits/usage.ts';
import {
	KEY,
	MINUTE_MS,
	TIMING,
	TTL_MS,
	admitCall,
	openAccount,
	settlementOf,
	tallyOf,
} from '../support/account-jobs.ts';
import { DAY_MS } from '../support/ledger-lines.ts';

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

test('a release that adds to the tables changes an account once, and keeps what it holds', async () => {
	const { stub, balance } = await openAccount(7);
	await runInDurableObject(stub, (_: Account, state) => {
		const sql = new Sql(state.storage.sql);
		const later = [...ACCOUNT_MIGRATIONS, 'ALTER TABLE account ADD COLUMN added INTEGER NOT NULL DEFAULT 3'];
		// The second would fail: the column is there.
		for (let starts = 0; starts < 2; starts += 1) migrate(sql, later);
		expect(sql.rows('SELECT granted, added FROM account')).toEqual([{ granted: 7, added: 3 }]);
	});
	expect(await balance()).toMatchObject({ availableCredits: 7 });
});

/** Opens an account whose tables, with these rows, are of the first release. */
async function openFromBefore(...rows: readonly string[]) {
	const stub = env.ACCOUNT.getByName(`acc_before_${crypto.randomUUID()}`);
	await runInDurableObject(stub, async (_: Account, { storage }) => {
		migrate(new Sql(storage.sql), ACCOUNT_MIGRATIONS.slice(0, 1));
		for (const row of rows) storage.sql.exec(row);
		await storage.setAlarm(Date.now() + MINUTE_MS);
	});
	await evictDurableObject(stub);
	await stub.open({ now: Date.now(), initialCredits: 7, key: KEY, owner: null });
	return stub;
}

test('a key for browsers of an account from before is revoked, and its secret keys are as they were', async () => {
	const page = '{"publicKey":"ms_pub_1","origins":["https://shop.example"],"dailyLimit":9,"turnstile":null}';
	const stub =
		await openFromBefore(`INSERT INTO api_keys (id, secret_hash, version, label, created_at, ending, scopes, browser)
			VALUES ('key_page', '${KEY.secretHash}', 1, 'Form', 9, 'x7Kq', 'verify', '${page}')`);
	expect((await stub.keys()).map(({ label, revoked }) => [label, revoked])).toEqual([
		['Form', true],
		['First key', false],
	]);
	const asks = {
		secretHash: KEY.secretHash,
		scopes: 'any key',
		category: 'default',
		windowMs: 1_000,
	} as const;
	const admit = async (keyId: string) => stub.admit({ ...asks, keyId, now: Date.now(), reservation: null });
	expect(await admit(KEY.id)).toMatchObject({ kind: 'admitted' });
	expect(await admit('key_page')).toMatchObject({ kind: 'unauthenticated', because: 'revoked' });
});

test('an Idempotency-Key of a list from before is remembered, and what else an earlier release kept is gone', async () => {
	const now = Date.now();
	const stub = await openFromBefore(
		"INSERT INTO idempotency VALUES ('july', 'f1', 'job_1', '{\"first\":true}', NULL)",
		`INSERT INTO idempotency VALUES ('june', 'f1', 'job_0', '{}', ${now - 1})`,
		...['keyed_calls', 'verifications', 'free_answers', 'scored', 'outcome_counts'].map(
			(name) => `CREATE TABLE ${name} (id INTEGER PRIMARY KEY)`,
		),
	);
	const find = (key: string, fingerprint: string) =>
		stub.findAnswer({ kind: 'verification', idempotency: { key, fingerprint }, now });
	expect(await find('july', 'f1')).toEqual({ kind: 'replay', jobId: 'job_1', response: '{"first":true}' });
	expect(await find('july', 'f2')).toEqual({ kind: 'mismatch' });
	expect(await find('june', 'f1')).toBeNull();
	const tables = await runInDurableObject(stub, (_: Account, { storage }) =>
		storage.sql
			.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
			.toArray()
			.map(({ name }) => name),
	);
	expect(tables.filter((name) => !name.startsWith('_cf_'))).toEqual([
		'account',
		'api_keys',
		'credits_low',
		'feedback_day',
		'grants',
		'idempotency',
		'jobs',
		'ledger',
		'ledger_days',
		'outcomes',
		'parts',
		'schema_version',
		'standing',
		'usage_days',
		'webhook_deliveries',
		'webhooks',
	]);
});

test('the books of an account from before go on to the credit: its balance, ledger, lists and usage', async () => {
	const now = Date.now();
	const at = (days: number) => now + days * DAY_MS;
	const day = (days: number) => dayOf(at(days));
	const usage = (requests: number, credits: number) =>
		JSON.stringify({
			requests,
			credits,
			outcomes: { deliverable: credits, undeliverable: 0, risky: 0, unknown: 1 },
			lastUsedAt: now - credits,
		});
	// The lines of the first day are deleted: a grant of 40, and a call.
	const ledger = JSON.stringify({
		lines: 5,
		granted: 40,
		charged: 5,
		reserved: 4,
		newestDay: { day: day(0), lines: 1, change: 0 },
		keptFrom: now - (now % DAY_MS) - 2 * DAY_MS,
	});
	const today = `{"day":"${day(0)}","keys":{"${KEY.id}":${usage(1, 1)}}}`;
	const timing = JSON.stringify({ ...TIMING, price: 1 });
	const job = `INSERT INTO jobs (job_id, kind, status, key_id, submitted, accepted, duplicates, invalid, parts, timing,
		created_at, ended_at, purge_at, wake_at, kept) VALUES`;
	const part = `INSERT INTO parts (job_id, n, count, attempts, due_at, claims, send_at, sends, deliverable, undeliverable,
		risky, unknown, catch_all, deferred, put_off, settled_at) VALUES`;
	const stub = await openFromBefore(
		`INSERT INTO api_keys (id, secret_hash, version, label, created_at, ending, scopes)
			VALUES ('${KEY.id}', '${KEY.secretHash}', 1, 'First key', 9, 'x7Kq', 'verify')`,
		`INSERT INTO account VALUES (1, 40, 5, 4, 1, 4, ${now}, NULL, '{}', '{}', '${today}', '${ledger}')`,
		`INSERT INTO grants VALUES ('initial grant', 40)`,
		`INSERT INTO ledger_days (day, lines, change) VALUES ('${day(-3)}', 2, 39), ('${day(-2)}', 2, -3)`,
		`INSERT INTO usage_days VALUES ('${day(-3)}', '${KEY.id}', '${usage(2, 1)}'),
			('${day(-2)}', '${KEY.id}', '${usage(2, 3)}')`,
		`INSERT INTO ledger VALUES (${at(-2)}, 'vfy_1', 'verification', '${KEY.id}', 1, 1, 'deliverable', ${at(-2)}),
			(${at(-2)}, 'job_0', 'job', '${KEY.id}', 3, 2, 'completed', ${at(-2)}),
			(${now}, 'job_1', 'job', '${KEY.id}', 5, NULL, NULL, NULL)`,
		`${job} ('job_0', 'verification', 'completed', '${KEY.id}', 3, 3, 0, 0, 1, '${timing}', ${at(-2)}, ${at(-2)},
			${now}, ${now}, 2)`,
		`${job} ('job_1', 'verification', 'processing', '${KEY.id}', 5, 5, 0, 0, 1, '${timing}', ${now}, NULL, NULL,
			${now + TTL_MS}, NULL)`,
		`${part} ('job_0', 0, 3, 1, 0, 1, 0, 1, 2, 0, 0, 1, 0, 0, 0, ${at(-2)})`,
		`${part} ('job_1', 0, 5, 1, ${now + TTL_MS}, 1, ${now + TTL_MS}, 1, 1, 0, 0, 0, 0, 4, 4, ${now})`,
	);
	expect(await stub.check()).toEqual([]);
	const old = await stub.findJob('job_0');
	expect(old).toMatchObject({ processed: 3, creditsUsed: 2, creditsRefunded: 1, updatedAt: at(-2) });
	// Its blobs go, and with them its parts.
	await runInDurableObject(stub, (account: Account) => account.alarm());
	expect(await stub.findJob('job_0')).toEqual(old);
	await stub.settlePart(settlementOf(0, 2, tallyOf({ deliverable: 4, unknown: 1 }), now));
	const ended = await stub.completeJob({ jobId: 'job_1', now });
	expect(ended).toMatchObject({ creditsUsed: 4, creditsRefunded: 1 });
	const call = await admitCall(stub, 'vfy_2', at(1));
	expect(await call.settle('deliverable')).toMatchObject({ charged: 1 });
	const { balance, keys } = await stub.show();
	expect(balance).toMatchObject({ balance: 31, reservedCredits: 0, totalConsumed: 9 });
	expect(keys).toMatchObject([{ usage: { requests: 6, credits: 9, outcomes: { unknown: 4 } } }]);
	const { months } = await stub.listLedger({ before: null, pageSize: 10 });
	expect(months[0]?.balance).toBe(31);
	expect(months.reduce((sum, { change }) => sum + change, 0)).toBe(31 - 39);
	const days = (await stub.usageSince('')).map((each) => each.day);
	expect(days).toEqual([day(-3), day(-2), day(0), day(1)]);
	expect(await stub.check()).toEqual([]);
});
