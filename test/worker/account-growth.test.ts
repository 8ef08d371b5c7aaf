import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { usageByDay } from '../../src/core/credits/usage.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import {
	KEY,
	TTL_MS,
	admitCall,
	asking,
	jobOf,
	openAccount,
	settlementOf,
	sqlIn,
	tallyOf,
} from '../support/account-jobs.ts';

// What an account has done before costs nothing when it is looked at.

type Stub = Awaited<ReturnType<typeof openAccount>>['stub'];

async function rowsReadBy(stub: Stub, work: () => Promise<unknown>): Promise<number> {
	const read = () => runInDurableObject(stub, (account: Account) => account.rowsRead);
	const before = await read();
	await work();
	return (await read()) - before;
}

/** An account with a finished list. */
async function withList(sizes: readonly number[]) {
	const opened = await openAccount(100);
	const { stub, start } = opened;
	await stub.openJob(jobOf(start, sizes));
	for (const [part, size] of sizes.entries())
		await stub.settlePart(settlementOf(part, 1, tallyOf({ deliverable: 1, unknown: size - 1 }), start));
	const ended = await stub.completeJob({ jobId: 'job_1', now: start });
	return { ...opened, ended };
}

/** An account with a list of five parts, whose blobs are deleted. */
async function withOldList() {
	const opened = await withList([2, 2, 2, 2, 2]);
	await opened.ring(opened.start + TTL_MS);
	return opened;
}

const upTo = (count: number): string =>
	`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

/** Adds so many lists like that one with their parts, and as many forms that were sent, which are known until then. */
async function addLists(stub: Stub, count: number, until: number): Promise<void> {
	for (const table of ['jobs', 'parts']) {
		const columns = await sqlIn<{ name: string }>(stub, `SELECT name FROM pragma_table_info('${table}')`);
		const copied = columns.map(({ name }) => (name === 'jobId' ? "'job_' || (i + 10)" : name)).join(', ');
		await sqlIn(stub, `${upTo(count)} INSERT INTO ${table} SELECT ${copied} FROM ${table}, n`);
	}
	await sqlIn(
		stub,
		`${upTo(count)} INSERT INTO idempotency (key, fingerprint, ref, at, answer, expiresAt)
			SELECT 'form ' || i, 'f', 'ver_' || i, ?1, '{}', ?1 FROM n`,
		until,
	);
}

test('an alarm beside 10,000 finished lists reads what is due alone, and deletes their blobs a hundred lists at a time until all are gone', async () => {
	const { stub, start, ring, nextAlarm } = await withList([1]);
	const endsAt = start + TTL_MS;
	await addLists(stub, 10_000, endsAt);
	await stub.openJob(jobOf(start, [1, 1], { jobId: 'job_2' }));
	let sent: readonly unknown[] = [];
	expect(await rowsReadBy(stub, async () => (sent = await ring(start + 30_000)))).toBeLessThan(100);
	expect(sent).toHaveLength(2);
	expect(await nextAlarm()).toBe(start + 90_000);
	const left = () =>
		sqlIn(
			stub,
			'SELECT (SELECT COUNT(*) FROM jobs WHERE purged = 0) AS lists, (SELECT COUNT(*) FROM idempotency) AS keys',
		);
	await stub.failJob({ jobId: 'job_2', now: start, error: 'gone' });
	// Four rows a forgotten key, a thousand of them an alarm.
	expect(await rowsReadBy(stub, () => ring(endsAt))).toBeLessThan(5_000);
	expect(await left()).toEqual([{ lists: 9_902, keys: 9_000 }]);
	expect(await nextAlarm()).toBeLessThanOrEqual(endsAt + 1);
	await ring(endsAt + 1);
	expect(await left()).toEqual([{ lists: 9_802, keys: 8_000 }]);
});

test('the parts of a list go with its blobs, its figures stay, and a late message changes nothing', async () => {
	const { stub, start, ended } = await withOldList();
	expect(await sqlIn(stub, 'SELECT * FROM parts')).toEqual([]);
	expect(await stub.findJob('job_1')).toEqual(ended);
	expect(ended).toMatchObject({ processed: 10, creditsUsed: 5, creditsRefunded: 5 });
	const late = settlementOf(4, 2, tallyOf({ deliverable: 2 }), start + TTL_MS);
	expect(await stub.settlePart(late)).toEqual({ ready: false, held: false });
	expect(await stub.check()).toEqual([]);
});

test('two thousand finished lists and a thousand days of usage make no reading longer', async () => {
	const { stub, start } = await withOldList();
	const page = { page: 1, pageSize: 10 };
	const readings = {
		show: () => stub.show(),
		usage: () => stub.usageSince(new Date(start - 30 * DAY_MS).toISOString().slice(0, 10)),
		lines: () => stub.listLedger({ before: null, pageSize: 10 }),
		lists: () => stub.listJobs({ ...page, kind: 'verification' }),
		done: () => stub.listJobs({ ...page, kind: 'verification', status: 'completed' }),
		named: () => stub.listJobs({ ...page, kind: 'verification', search: 'july' }),
		forms: () => stub.listForms({ now: start, page: 0, pageSize: 10 }),
	};
	const before = new Map<string, number>();
	for (const [name, read] of Object.entries(readings)) before.set(name, await rowsReadBy(stub, read));
	await addLists(stub, 2_000, start + DAY_MS);
	await sqlIn(
		stub,
		`${upTo(1_000)} INSERT INTO usage SELECT date(?1, '-' || (100 + i) || ' days'), ?2, '{"requests":1}' FROM n`,
		new Date(start).toISOString().slice(0, 10),
		KEY.id,
	);
	await sqlIn(
		stub,
		`${upTo(2_000)} INSERT INTO ledger SELECT ?1 + i, 'job_' || (i + 10), 'job', ?2, 10, 5, 'completed', ?1 + i FROM n`,
		start,
		KEY.id,
	);
	// Ten lists instead of one, by one row and two look-ups of later tasks each; how many there are is counted along the
	// index, and no page sorts them all.
	const more = { show: 2, usage: 2, lines: 110, lists: 2_100, done: 2_100, named: 2_100, forms: 2_100 };
	for (const [name, read] of Object.entries(readings)) {
		const rows = (await rowsReadBy(stub, read)) - (before.get(name) ?? 0);
		expect(rows, name).toBeLessThanOrEqual(more[name as keyof typeof more]);
	}
	// A page of results costs its account the job and the look-ups of later checks.
	expect(await rowsReadBy(stub, () => stub.findJob('job_11'))).toBeLessThanOrEqual(10);
});

test('usage of each key is added up, and days older than the ledger is kept are deleted', async () => {
	const { stub, start, ring } = await openAccount(10);
	const at = (days: number) => start - (start % DAY_MS) + days * DAY_MS + 1;
	// Each is admitted before midnight, and counts on the day of its end.
	for (const day of [1, 2, 500])
		await (await admitCall(stub, `call_${day}`, at(day) - 10_000)).settle('deliverable', at(day));
	const days = async () => (await stub.usageSince('')).map(({ day }) => day);
	expect(await days()).toHaveLength(3);
	expect(await stub.usageSince(new Date(at(2)).toISOString().slice(0, 10))).toHaveLength(2);
	await ring(at(501));
	expect(await days()).toEqual([new Date(at(500)).toISOString().slice(0, 10)]);
	const outcomes = { deliverable: 3, undeliverable: 0, risky: 0, unknown: 0 };
	const usage = { requests: 3, credits: 3, outcomes, lastUsedAt: at(500) };
	expect((await stub.show()).keys).toMatchObject([{ usage }]);
	expect(usageByDay(await stub.usageSince(''), 1, at(500))).toMatchObject([{ credits: 1 }]);
});

test('an account that only polls keeps no more days than one that verifies', async () => {
	const { stub, start } = await openAccount(0);
	for (let day = 0; day < 410; day += 1) await stub.admit(asking(start + day * DAY_MS));
	const kept = await sqlIn(stub, "SELECT COUNT(*) AS usage FROM usage WHERE day > ''");
	expect(kept).toEqual([{ usage: 401 }]);
	expect((await stub.show()).keys).toMatchObject([{ usage: { requests: 410 } }]);
});
