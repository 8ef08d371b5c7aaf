import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Account } from '../../src/durable-objects/account/account.ts';
import type { PartMessage } from '../../src/operations/jobs/port.ts';
import type { JobWorld } from './job-world.ts';

// The state that a version leaves when the next one is deployed: an account's tables, the bucket and the queue.

type Cell = string | number | null;

export interface Recording {
	/** When it was recorded, epoch ms. */
	readonly now: number;
	readonly accountId: string;
	readonly alarmAt: number;
	readonly tables: readonly {
		readonly sql: string;
		readonly name: string;
		readonly rows: readonly (readonly Cell[])[];
	}[];
	/** Indexes and views. */
	readonly further: readonly string[];
	readonly blobs: readonly {
		readonly key: string;
		readonly text: string;
		readonly metadata: Record<string, string>;
	}[];
	readonly messages: readonly PartMessage[];
	/** The test's knowledge of it. */
	readonly known: Readonly<Record<string, string>>;
}

/** Records all that is stored of a world's account. Its bucket holds nothing else. */
export async function record(world: JobWorld, known: Recording['known']): Promise<Recording> {
	const { accountId, clock, stub } = world;
	const object = await runInDurableObject(stub, async (_: Account, { storage }) => {
		const all = storage.sql
			.exec(
				"SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
			)
			.toArray() as unknown as readonly { type: string; name: string; sql: string }[];
		const tables = all
			.filter(({ type }) => type === 'table')
			.map(({ name, sql }) => ({
				name,
				sql,
				rows: [...storage.sql.exec(`SELECT * FROM ${name}`).raw()] as unknown as readonly (readonly Cell[])[],
			}));
		const further = all.filter(({ type }) => type !== 'table').map(({ sql }) => sql);
		return { tables, further, alarmAt: (await storage.getAlarm()) ?? clock.now };
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
	return JSON.parse(renamed) as Recording;
}

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
		const { sql } = storage;
		const old = sql
			.exec<{ type: string; name: string }>(
				"SELECT type, name FROM sqlite_master WHERE type IN ('view', 'table') AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY type DESC",
			)
			.toArray();
		for (const { type, name } of old) sql.exec(`DROP ${type} ${name}`);
		for (const { name, sql: create, rows } of moved.tables) {
			sql.exec(create);
			for (const row of rows)
				sql.exec(`INSERT INTO ${name} VALUES (${row.map(() => '?').join(', ')})`, ...row);
		}
		for (const create of moved.further) sql.exec(create);
		await storage.setAlarm(moved.alarmAt);
	});
	await evictDurableObject(stub);
	await world.replaceOutside();
	for (const { key, text, metadata } of moved.blobs)
		await env.BLOBS.put(key, text, { customMetadata: metadata });
	return moved;
}
