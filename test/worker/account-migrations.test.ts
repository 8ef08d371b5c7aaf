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

test('a call that the version before left open is ended and costs nothing', async () => {
	const { stub, start, balance } = await openAccount(7);
	await runInDurableObject(stub, (_: Account, { storage: { sql } }) => {
		sql.exec(
			"INSERT INTO ledger (at, id, kind, key_id, credits) VALUES (?, 'open', 'verification', 'k', 1)",
			start,
		);
		sql.exec(`UPDATE account SET reserved = 1, settled_before = ${start},
			ledger = json_set(ledger, '$.reserved', 1, '$.lines', 2, '$.newestDay.lines', 2)`);
		sql.exec('UPDATE schema_version SET version = 3');
	});
	await evictDurableObject(stub);
	expect(await balance()).toMatchObject({ availableCredits: 7, reservedCredits: 0 });
	const { entries, reconciled } = await stub.listLedger({ before: null, pageSize: 1 });
	expect(entries).toMatchObject([{ id: 'open', outcome: 'failed', charged: 0, closedAt: start }]);
	expect(reconciled).toBe(true);
});
