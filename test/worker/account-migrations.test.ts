import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { ACCOUNT_MIGRATIONS } from '../../src/durable-objects/account/schema.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { openAccount } from '../support/account-jobs.ts';

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
