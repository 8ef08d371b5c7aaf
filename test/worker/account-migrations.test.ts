import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { ACCOUNT_MIGRATIONS, migrate } from '../../src/durable-objects/account/schema.ts';
import { Sql } from '../../src/durable-objects/sql.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { KEY, openAccount } from '../support/account-jobs.ts';

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
	await runInDurableObject(stub, (_: Account, { storage }) => {
		migrate(new Sql(storage.sql), ACCOUNT_MIGRATIONS.slice(0, 1));
		for (const row of rows) storage.sql.exec(row);
	});
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
