import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { livedIn, rewrite } from '../support/damage.ts';
import type { LivedIn } from '../support/damage.ts';

// `Account.check`, which `ops account show` prints, and which the tests with deaths end with.

const changed =
	(query: string, of: 'done' | 'running' = 'running') =>
	({ stub, [of]: jobId }: LivedIn) =>
		rewrite(stub, query, jobId);

describe('the check of an account', () => {
	test('finds nothing off in one with a past, nor after its old lines are deleted', async () => {
		const world = await livedIn();
		expect(await world.stub.check()).toEqual([]);
		await world.finish(world.running);
		world.clock.now += 3 * 366 * 86_400_000;
		await world.advance();
		await world.advance();
		expect((await world.stub.listLedger({ before: null, pageSize: 9 })).entries).toEqual([]);
		expect(await world.stub.check()).toEqual([]);
	});

	test('knows no books of an account that was never opened', async () => {
		expect(await env.ACCOUNT.getByName('acc_unopened').check()).toBeNull();
	});

	test.each<[string, (world: LivedIn) => Promise<void>, RegExp]>([
		[
			'a line was lost',
			({ stub }) => rewrite(stub, "DELETE FROM ledger WHERE kind = 'verification'"),
			/^Balance: the account says \d+, its parts add up to \d+$/,
		],
		['a grant was lost', ({ stub }) => rewrite(stub, 'DELETE FROM grants'), /^Received: /],
		[
			'an address of a running job went away',
			changed('UPDATE parts SET deferred = deferred - 1 WHERE jobId = ? AND deferred > 0'),
			/^Reserved: .*|does not count each address once$/,
		],
		[
			'an address of a part is counted twice',
			changed('UPDATE parts SET unknown = unknown + 1 WHERE jobId = ? AND n = 0', 'done'),
			/does not count each address once$/,
		],
		[
			'a part was lost',
			changed('DELETE FROM parts WHERE jobId = ? AND n = 0', 'done'),
			/has other parts than addresses$/,
		],
		[
			'a job was charged for another answer',
			changed('UPDATE jobs SET kept = kept + 1 WHERE jobId = ?', 'done'),
			/was charged for other answers than it has$/,
		],
		[
			'a line of a job that ended is open',
			changed('UPDATE ledger SET closedAt = NULL WHERE id = ?', 'done'),
			/has ended, and its line in the ledger is open$/,
		],
		[
			'the alarm was lost',
			async ({ stub }) => {
				await runInDurableObject(stub, (_: Account, { storage }) => storage.deleteAlarm());
				await evictDurableObject(stub);
			},
			/^A job is due, and no alarm is set for it$/,
		],
	])('says that %s', async (_, damage, says) => {
		const world = await livedIn();
		await damage(world);
		const found = (await world.stub.check()) ?? [];
		expect(found.length).toBeGreaterThan(0);
		expect(
			found.some((sentence) => says.test(sentence)),
			found.join('; '),
		).toBe(true);
	});
});
