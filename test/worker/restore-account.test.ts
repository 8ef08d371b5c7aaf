import type { AccountPort } from '../../src/operations/accounts/object-port.ts';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { compose } from '../../src/compose.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { createAccount, setSuspended } from '../../src/operations/accounts/accounts.ts';
import { grantCredits } from '../../src/operations/accounts/credits.ts';
import { restoreAccount } from '../../src/operations/accounts/restore-account.ts';
import type { RestoreServices, RestoreTarget } from '../../src/operations/accounts/restore-account.ts';
import { withMethods } from '../support/wrap.ts';
import type { Method } from '../support/wrap.ts';

// Point-in-time recovery of an account, on the real database and object. Workerd here has no recovery, so what the
// platform would do is played: a bookmark is a copy of all rows, put in place when the object ends.

const DAY_MS = 86_400_000;
const services = compose(env);

// The ends of objects and each death are logged.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

type Rows = Readonly<Record<string, readonly Readonly<Record<string, SqlStorageValue>>[]>>;

function copyOf(sql: SqlStorage): Rows {
	const tables = sql.exec<{ name: string }>(
		"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'",
	);
	const names = tables.toArray().map(({ name }) => name);
	return Object.fromEntries(names.map((name) => [name, sql.exec(`SELECT * FROM ${name}`).toArray()]));
}

function putBack(sql: SqlStorage, rows: Rows): void {
	for (const [table, of] of Object.entries(rows)) {
		sql.exec(`DELETE FROM ${table}`);
		for (const row of of) {
			const columns = Object.keys(row);
			const places = columns.map(() => '?').join(', ');
			sql.exec(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...Object.values(row));
		}
	}
}

/** An account of ten credits, the platform's recovery of it, and all that is asked of both, in order. */
async function openRestorable() {
	const { accountId } = await createAccount(services, { email: 'ada@inbox.test', credits: 10 });
	const stub = env.ACCOUNT.getByName(accountId);
	const calls: string[] = [];
	const bookmarks = new Map<string, Rows>();
	const platform = { marked: '', next: null as string | null };
	const storing = (work: (sql: SqlStorage) => void) =>
		runInDurableObject(stub, (_: Account, { storage: { sql } }) => {
			work(sql);
		});
	const keep = (sql: SqlStorage): string => {
		const bookmark = `b-${bookmarks.size}`;
		bookmarks.set(bookmark, copyOf(sql));
		return bookmark;
	};
	const install = () =>
		runInDurableObject(stub, (account: Account, { storage: { sql } }) => {
			account.recovery = {
				bookmarkOf: () => Promise.resolve(platform.marked),
				bookmarkNow: () => Promise.resolve(keep(sql)),
				restoreAtNextStart: (bookmark) => {
					platform.next = bookmark;
					return Promise.resolve(keep(sql));
				},
				abort: () => {
					calls.push('abort');
					throw new Error('aborted');
				},
			};
		});
	/** The object starts again, as the platform has it start. */
	const startAgain = async (): Promise<void> => {
		const rows = bookmarks.get(platform.next ?? '');
		platform.next = null;
		if (rows !== undefined) await storing((sql) => putBack(sql, rows));
		await evictDurableObject(stub);
		await install();
	};
	const accounts = (id: string): AccountPort => {
		const real = services.accounts(id);
		return withMethods(real, {
			restart: async (request) => {
				try {
					await real.restart(request);
				} catch (error) {
					await startAgain();
					throw error;
				}
			},
		});
	};
	await install();
	/** The moment to which `at` leads. */
	const mark = () =>
		storing((sql) => {
			platform.marked = keep(sql);
		});
	// Long after the account was opened, and within what can be restored.
	const now = Date.now() + 20 * DAY_MS;
	const clock = { ...services.clock, now: () => now };
	const restorable: RestoreServices = { ...services, clock, accounts, hasRecovery: true };
	const at = now - DAY_MS;
	const balance = async () => (await stub.show()).balance.balance;
	const trail = async () => {
		const sql =
			"SELECT action, detail FROM audit_log WHERE account_id = ? AND action LIKE 'account.restore%'";
		const { results } = await env.DB.prepare(sql).bind(accountId).all<{ action: string; detail: string }>();
		return results.map(({ action, detail }) => ({
			action,
			detail: JSON.parse(detail) as Record<string, string>,
		}));
	};
	return { accountId, stub, calls, restorable, at, now, balance, trail, mark, startAgain };
}

type Restorable = Awaited<ReturnType<typeof openRestorable>>;

/** What an operator asks for. */
async function restore(
	{ accountId, restorable }: Pick<Restorable, 'accountId' | 'restorable'>,
	to: RestoreTarget,
	confirmed = true,
) {
	return restoreAccount(restorable, { accountId }, { to, confirmed });
}

/** The services with each step told to `step`, which may die before or after it. */
function inSteps(
	{ restorable }: Restorable,
	step: (name: string, work: () => Promise<unknown>) => Promise<unknown>,
): RestoreServices {
	const wrap = <T extends object>(target: T, names: readonly (keyof T & string)[]): T => {
		const wrapped = names.map((name) => {
			const method = (target[name] as Method).bind(target);
			return [name, (...args: never[]) => step(name, () => method(...args))];
		});
		return withMethods(target, Object.fromEntries(wrapped) as Partial<T>);
	};
	const { directory } = restorable;
	const whole = {
		...restorable.directory,
		findAccount: (id: string) => directory.findAccount(id),
		audit: (entry: Parameters<typeof directory.audit>[0]) => directory.audit(entry),
		setSuspended: (id: string, at: number | null) => directory.setSuspended(id, at),
	};
	return {
		...restorable,
		directory: wrap(whole, ['audit', 'setSuspended']),
		accounts: (id) =>
			wrap(restorable.accounts(id), [
				'findBookmarks',
				'prepareRestore',
				'restart',
				'ring',
				'grant',
				'suspend',
			]),
	};
}

/** Ten credits at the moment marked; since then suspended, 90 granted by an operator, 500 bought. */
async function openChanged() {
	const world = await openRestorable();
	const { accountId, now } = world;
	await world.mark();
	await grantCredits(services, { accountId }, { id: 'mistake', credits: 90 });
	const id = `pur_${accountId}`;
	const price = { amount: 1_500, currency: 'EUR' };
	const begun = { id, accountId, credits: 500, price, createdAt: now, changedAt: now };
	const ends = { sessionId: id, paymentId: id, receiptUrl: null };
	await services.purchases.insert({ ...begun, ...ends, state: 'paid' });
	await world.stub.grant({ id: `purchase ${id}`, credits: 500, now });
	await setSuspended(services, { accountId }, { suspended: true });
	return { ...world, purchaseId: id };
}

async function listedAsSuspended(accountId: string): Promise<boolean> {
	return (await services.auditedListing.findStanding(accountId))?.suspendedAt !== null;
}

test('without confirmation it is told what would be done, and nothing is', async () => {
	const world = await openChanged();
	const { plan, restored } = await restore(world, { at: world.at }, false);
	expect(plan).toMatchObject({ balance: { balance: 600 }, backMs: DAY_MS });
	expect(restored).toBeNull();
	await world.startAgain();
	expect(await world.balance()).toBe(600);
	expect(await world.trail()).toEqual([]);
});

test('confirmed, it is noted, prepared, noted with the way back, and only then is the object ended', async () => {
	const world = await openChanged();
	const steps: string[] = [];
	const restorable = inSteps(world, (name, work) => {
		steps.push(name);
		return work();
	});
	const { restored } = await restore({ ...world, restorable }, { at: world.at });
	// The call that ends the object breaks; the second one meets another session.
	const restarts = ['restart', 'restart'];
	expect(steps).toEqual([
		'findBookmarks',
		'audit',
		'prepareRestore',
		'audit',
		...restarts,
		'ring',
		'grant',
		'suspend',
		'setSuspended',
	]);
	expect(world.calls).toEqual(['abort']);
	expect(restored).toMatchObject({
		balance: { balance: 510 },
		suspendedAt: null,
		purchases: { granted: [world.purchaseId], toReview: [] },
	});
	expect(await listedAsSuspended(world.accountId)).toBe(false);
	const [before, prepared] = await world.trail();
	expect(before).toMatchObject({
		action: 'account.restore',
		detail: { current: expect.any(String) as string },
	});
	expect(prepared).toMatchObject({
		action: 'account.restore_prepared',
		detail: { undo: restored?.undo },
	});
});

test('the bookmark that it tells undoes it', async () => {
	const world = await openChanged();
	const { restored } = await restore(world, { at: world.at });
	const undone = await restore(world, { bookmark: restored?.undo ?? '' });
	expect(undone.plan.backMs).toBeNull();
	expect(undone.restored).toMatchObject({
		balance: { balance: 600 },
		suspendedAt: expect.any(Number) as number,
		purchases: { granted: [], toReview: [] },
	});
	expect(await listedAsSuspended(world.accountId)).toBe(true);
});

test('what was due then is due when it is back: the alarm rings at once', async () => {
	const world = await openChanged();
	const alarms: (number | null)[] = [];
	const later = Date.now() + 10 * DAY_MS;
	const restorable = inSteps(world, async (name, work) => {
		if (name !== 'ring') return work();
		const alarm = (at: number | null) =>
			runInDurableObject(world.stub, async (account: Account, { storage }) => {
				// Far ahead, so that it does not ring while it is looked at.
				account.outside = { ...account.outside, now: () => later };
				if (at !== null) await storage.setAlarm(at);
				alarms.push(await storage.getAlarm());
			});
		await alarm(later + DAY_MS);
		await work();
		return alarm(null);
	});
	await restore({ ...world, restorable }, { at: world.at });
	expect(alarms).toEqual([later + DAY_MS, later]);
});

describe('wherever it dies, it can be asked for again, and the way back is known', () => {
	const deaths = Array.from({ length: 10 }, (_, index) => index + 1).flatMap((diesAt) =>
		(['before', 'after'] as const).map((when) => ({ diesAt, when })),
	);
	test.each(deaths)('$when step $diesAt', async ({ diesAt, when }) => {
		const world = await openChanged();
		let steps = 0;
		const restorable = inSteps(world, async (_, work) => {
			steps += 1;
			const mine = steps;
			if (mine > diesAt || (mine === diesAt && when === 'before')) throw new Error('died');
			const answer = await work();
			if (mine === diesAt) throw new Error('died');
			return answer;
		});
		// An object that ends breaks its call by itself, so a death there shows at the next step.
		await expect(restore({ ...world, restorable }, { at: world.at })).rejects.toThrow('died');
		const first = (await world.trail())[0]?.detail['current'];
		// Meanwhile the object may start again by itself.
		await world.startAgain();
		const { restored } = await restore(world, { at: world.at });
		expect(restored?.balance.balance).toBe(510);
		expect(await listedAsSuspended(world.accountId)).toBe(false);
		const [wayBack] = await world.trail();
		if (first !== undefined) expect(wayBack?.detail['current']).toBe(first);
		const undone = await restore(world, { bookmark: wayBack?.detail['current'] ?? '' });
		expect(undone.restored?.balance.balance).toBe(600);
	});
});

describe('is refused, and nothing is noted:', () => {
	test.each([
		['a time in the future', 1, 'The time is in the future'],
		['one of more than 30 days ago', -30 * DAY_MS - 1, 'The time is more than 30 days ago'],
		['one before the account was opened', -21 * DAY_MS, 'The account did not exist then'],
	])('%s', async (_, offset, message) => {
		const world = await openRestorable();
		await expect(restore(world, { at: world.now + offset })).rejects.toMatchObject({
			code: 'invalid_parameter',
			message,
		});
		expect(await world.trail()).toEqual([]);
	});

	test.each([
		['an account that nobody has', 'acc_nobody', 'account_not_found'],
		['one without an id of ours', '../x', 'account_not_found'],
	])('%s', async (_, accountId, code) => {
		const { restorable, at } = await openRestorable();
		await expect(restore({ accountId, restorable }, { at })).rejects.toMatchObject({ code });
	});

	test('one that its owner deleted', async () => {
		const world = await openRestorable();
		await env.DB.prepare('UPDATE accounts SET closed_at = 1 WHERE id = ?').bind(world.accountId).run();
		await expect(restore(world, { at: world.at })).rejects.toMatchObject({ code: 'account_closed' });
		expect(await world.trail()).toEqual([]);
	});

	test('any where objects have no recovery; it is told all the same what would be done', async () => {
		const world = await openRestorable();
		const local = { ...world, restorable: { ...world.restorable, hasRecovery: false } };
		expect((await restore(local, { at: world.at }, false)).plan.backMs).toBe(DAY_MS);
		await expect(restore(local, { at: world.at })).rejects.toMatchObject({ code: 'upstream_unavailable' });
		expect(await world.trail()).toEqual([]);
	});
});

test('now and 30 days ago to the millisecond are times to go back to', async () => {
	const world = await openRestorable();
	const { createdAt } = (await services.directory.findAccount(world.accountId)) ?? { createdAt: 0 };
	expect((await restore(world, { at: world.now }, false)).plan.backMs).toBe(0);
	const then = createdAt + 1;
	const clock = { ...services.clock, now: () => then + 30 * DAY_MS };
	const restorable = { ...world.restorable, clock };
	expect((await restore({ ...world, restorable }, { at: then }, false)).plan.backMs).toBe(30 * DAY_MS);
	await expect(restore({ ...world, restorable }, { at: then - 1 }, false)).rejects.toThrow('30 days');
});
