import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Account } from '../../src/durable-objects/account/account.ts';
import type { JobWorld } from './job-world.ts';

// The state that a version leaves when the next one is deployed: an account's tables, the bucket and the queue.

/** Tables come before indexes and views. */
const SCHEMA = `SELECT type, name, sql FROM sqlite_master
	WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY type = 'table' DESC`;

/** Records all that is stored of a world's account, and what the test knows of it. Its bucket holds nothing else. */
export async function record(world: JobWorld, known: Readonly<Record<string, string>>) {
	const { accountId, clock, stub } = world;
	const object = await runInDurableObject(stub, async (_: Account, { storage }) => {
		const rowsOf = (table: string) => [...storage.sql.exec(`SELECT * FROM ${table}`).raw()];
		const schema = storage.sql.exec<Record<'type' | 'name' | 'sql', string>>(SCHEMA).toArray();
		return {
			schema: schema.map(({ type, ...rest }) => ({
				...rest,
				rows: type === 'table' ? rowsOf(rest.name) : [],
			})),
			alarmAt: (await storage.getAlarm()) ?? clock.now,
		};
	});
	const blobs = [];
	for (const { key } of (await env.BLOBS.list({ prefix: 'jobs/' })).objects) {
		const found = await env.BLOBS.get(key);
		blobs.push({ key, text: (await found?.text()) ?? '', metadata: found?.customMetadata ?? {} });
	}
	const messages = world.queued().map(({ jobId, part }) => ({ accountId, jobId, part }));
	const recorded = { now: clock.now, accountId, ...object, blobs, messages, known };
	// No other world makes these ids.
	const renamed = JSON.stringify(recorded).replaceAll(/\b(job|cat)_\d+_(\d+)/g, '$1_recorded$2');
	return JSON.parse(renamed) as typeof recorded;
}

export type Recording = Awaited<ReturnType<typeof record>>;

/** Puts a recording, moved to the world's account and to now, where this version will find it. */
export async function load(world: JobWorld, recorded: Recording): Promise<Recording> {
	const { accountId, clock, stub } = world;
	const byMs = clock.now - recorded.now;
	// Every time in it is a number of thirteen digits.
	const moved = JSON.parse(
		JSON.stringify(recorded)
			.replaceAll(/(?<!\d)1[78]\d{11}(?!\d)/g, (time) => String(Number(time) + byMs))
			.replaceAll(recorded.accountId, accountId),
	) as Recording;
	await runInDurableObject(stub, async (_: Account, { storage }) => {
		await storage.deleteAll();
		for (const { name, sql, rows } of moved.schema) {
			storage.sql.exec(sql);
			for (const row of rows)
				storage.sql.exec(`INSERT INTO ${name} VALUES (${row.map(() => '?').join(', ')})`, ...row);
		}
		await storage.setAlarm(moved.alarmAt);
	});
	await evictDurableObject(stub);
	await world.replaceOutside();
	for (const { key, text, metadata } of moved.blobs)
		await env.BLOBS.put(key, text, { customMetadata: metadata });
	return moved;
}
