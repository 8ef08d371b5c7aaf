import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { compose } from '../../src/compose.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { createAccount, grantCredits, setSuspended } from '../../src/operations/accounts/accounts.ts';
import { attachAccount, restoreAccount } from '../../src/operations/accounts/recover.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { paidPurchase } from '../support/shop.ts';

// An account that comes back: to another time, and into a database that lost it. Workerd here has no point-in-time
// recovery, so the platform is played: a bookmark is a copy of two tables, put in place when the object ends.

const services = compose(env);
const TABLES = ['account', 'grants', 'ledger'];

type Rows = readonly (readonly [table: string, rows: readonly SqlStorageValue[][]])[];

/** An account of ten credits, a mark, and 90 credits by mistake and 500 bought since; it was suspended. */
async function openChanged() {
	const { accountId } = await createAccount(services, { email: 'ada@inbox.test', credits: 10 });
	const stub = env.ACCOUNT.getByName(accountId);
	const inside = <T>(work: (state: DurableObjectState) => T): Promise<T> =>
		runInDurableObject(stub, (_: Account, state) => work(state));
	const copy = ({ storage: { sql } }: DurableObjectState): Rows =>
		TABLES.map((table) => [table, [...sql.exec(`SELECT * FROM ${table}`).raw()]]);
	const bookmarks = new Map<string, Rows>([['marked', await inside(copy)]]);
	let next: Rows = [];
	const platform = () =>
		inside((state) => {
			const { storage } = state;
			vi.spyOn(storage, 'getBookmarkForTime').mockResolvedValue('marked');
			vi.spyOn(storage, 'onNextSessionRestoreBookmark').mockImplementation(async (bookmark) => {
				next = bookmarks.get(bookmark) ?? [];
				bookmarks.set('undo', copy(state));
				return 'undo';
			});
			vi.spyOn(state, 'abort').mockImplementation(() => {
				throw new Error('aborted');
			});
		});
	const startAgain = async (): Promise<void> => {
		await inside(({ storage: { sql } }) => {
			for (const [table, rows] of next) {
				sql.exec(`DELETE FROM ${table}`);
				for (const row of rows)
					sql.exec(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`, ...row);
			}
		});
		await evictDurableObject(stub);
		await platform();
	};
	await platform();
	const now = Date.now() + 20 * DAY_MS;
	const clock = { ...services.clock, now: () => now };
	await grantCredits(services, accountId, { id: 'mistake', credits: 90 });
	const { id } = await services.purchases.insert(paidPurchase(accountId, now));
	await stub.grant({ id: `purchase ${id}`, credits: 500, now });
	await setSuspended(services, accountId, true);
	const accounts: typeof services.accounts = (of) => {
		const real = services.accounts(of);
		return new Proxy(real, {
			get: (target, name: keyof typeof real) =>
				name === 'restart'
					? () => target.restart().catch((error: unknown) => startAgain().then(() => Promise.reject(error)))
					: Reflect.get(target, name),
		});
	};
	const restorable = { ...services, clock, accounts, hasRecovery: true };
	return { accountId, stub, restorable, now, at: now - DAY_MS };
}

const listedSuspension = async (accountId: string) =>
	(await env.DB.prepare('SELECT suspended_at AS at FROM accounts WHERE id = ?').bind(accountId).first())?.[
		'at'
	];

describe('account restore', () => {
	test('changes nothing without confirmation; confirmed, the account is as it was then, with what was paid since, and the bookmark undoes it', async () => {
		vi.spyOn(console, 'error').mockImplementation(() => {});
		const { accountId, restorable, at, stub } = await openChanged();
		const restore = (to: { at: number } | { bookmark: string }, confirmed: boolean) =>
			restoreAccount(restorable, accountId, { to, confirmed });
		expect(await restore({ at }, false)).toMatchObject({
			before: { balance: { balance: 600 } },
			backMs: DAY_MS,
			restored: null,
		});
		expect((await stub.show()).balance.balance).toBe(600);
		const { restored } = await restore({ at }, true);
		expect(restored).toMatchObject({ balance: { balance: 510 }, suspendedAt: null, undo: 'undo' });
		expect(await listedSuspension(accountId)).toBeNull();
		expect(await runInDurableObject(stub, (_: Account, { storage }) => storage.getAlarm())).not.toBeNull();
		const undone = await restore({ bookmark: 'undo' }, true);
		expect(undone).toMatchObject({ backMs: null, restored: { balance: { balance: 600 } } });
		expect(await listedSuspension(accountId)).toEqual(expect.any(Number));
		const trail = await services.directory.readTrail({ accountId, before: null, most: 9 });
		expect(trail.filter(({ action }) => action === 'account.restore').map(({ detail }) => detail)).toEqual([
			{ bookmark: 'undo' },
			{ at },
		]);
	});

	test.each([
		['a time in the future', 1, 'The time is in the future'],
		['one of more than 30 days ago', -30 * DAY_MS - 1, 'The time is more than 30 days ago'],
		['one before the account was opened', -21 * DAY_MS, 'The account did not exist then'],
	])('refuses %s', async (_, offset, message) => {
		const { accountId, restorable, now } = await openChanged();
		const to = { at: now + offset };
		await expect(restoreAccount(restorable, accountId, { to, confirmed: true })).rejects.toMatchObject({
			code: 'invalid_parameter',
			message,
		});
	});

	test('refuses an account that its owner deleted, whichever store says so', async () => {
		const { accountId, restorable, at, stub } = await openChanged();
		const restore = () => restoreAccount(restorable, accountId, { to: { at }, confirmed: true });
		await env.DB.prepare('UPDATE accounts SET closed_at = 1 WHERE id = ?').bind(accountId).run();
		await expect(restore()).rejects.toMatchObject({ code: 'account_closed' });
		await env.DB.prepare('UPDATE accounts SET closed_at = NULL WHERE id = ?').bind(accountId).run();
		await stub.close({ now: Date.now() });
		await expect(restore()).rejects.toMatchObject({ code: 'account_closed' });
	});
});

describe('account attach', () => {
	const lose = (accountId: string) =>
		env.DB.prepare('DELETE FROM accounts WHERE id = ?').bind(accountId).run();
	const attach = (accountId: string) => attachAccount(services, accountId, 'ada@firm.test');

	test('lists an account that the database lost, as it stands; a repetition changes nothing', async () => {
		const { accountId } = await createAccount(services, { email: 'old@firm.test', credits: 1 });
		await setSuspended(services, accountId, true);
		await lose(accountId);
		await expect(setSuspended(services, accountId, false)).rejects.toMatchObject({
			code: 'account_not_found',
		});
		for (let n = 0; n < 2; n += 1) expect(await attach(accountId)).toMatchObject({ closedAt: null });
		expect(await services.directory.findAccount(accountId)).toMatchObject({ email: 'ada@firm.test' });
		expect(await listedSuspension(accountId)).toEqual(expect.any(Number));
	});

	test('of one that its owner deleted keeps no address; one that was never opened is none', async () => {
		const { accountId } = await createAccount(services, { email: 'old@firm.test', credits: 1 });
		await services.accounts(accountId).close({ now: 5 });
		await lose(accountId);
		expect(await attach(accountId)).toMatchObject({ closedAt: 5 });
		expect(await services.directory.findAccount(accountId)).toMatchObject({ email: '', closedAt: 5 });
		for (const id of ['acc_nobody', accountId.replace(/^acc_/, 'test_')])
			await expect(attach(id)).rejects.toMatchObject({ code: 'account_not_found' });
	});
});
