import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
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

test('a key for browsers of an account from before is revoked, and its secret keys are as they were', async () => {
	const { stub } = await openAccount(7);
	await runInDurableObject(stub, (_: Account, state) => {
		const page =
			'{"publicKey":"ms_pub_1","origins":["https://shop.example"],"dailyLimit":9,"turnstile":null}';
		state.storage.sql
			.exec(`INSERT INTO api_keys (id, secret_hash, version, label, created_at, ending, scopes, browser)
			SELECT 'key_page', secret_hash, version, 'Form', created_at, ending, scopes, '${page}' FROM api_keys`);
		state.storage.sql.exec('UPDATE schema_version SET version = 1');
	});
	await evictDurableObject(stub);
	expect((await stub.keys()).map(({ label, revoked }) => [label, revoked])).toEqual([
		['First key', false],
		['Form', true],
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
