import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { OptOuts } from '../../src/storage/opt-outs.ts';
import { fakeClock } from '../support/unit/fake-clock.ts';

// Domains that asked us not to ask: in D1, and in the memory of each isolate.

const store = new OptOuts(env.DB, fakeClock());

beforeEach(async () => {
	for (const { domain } of await store.list()) await store.remove(domain);
});

test('cover the names below them, and none beside', async () => {
	await store.add({ domain: 'a.test', since: 1 });
	const asked = ['a.test', 'mx1.a.test', 'x.y.z.a.test', 'nota.test', 'a.test.example', 'test'];
	const covered = await Promise.all(asked.map((name) => store.covers(name)));
	expect(asked.filter((_, n) => covered[n])).toEqual(asked.slice(0, 3));
});

test('are kept once, with the time of their first wish, and go when they are taken back', async () => {
	await store.add({ domain: 'b.test', since: 1 });
	await store.add({ domain: 'a.test', since: 2 });
	await store.add({ domain: 'b.test', since: 3 });
	expect(await store.list()).toEqual([
		{ domain: 'a.test', since: 2 },
		{ domain: 'b.test', since: 1 },
	]);
	expect(await store.covers('b.test')).toBe(true);
	await store.remove('b.test');
	await store.remove('b.test');
	expect(await store.covers('b.test')).toBe(false);
	expect(await store.list()).toEqual([{ domain: 'a.test', since: 2 }]);
});

test('hold within a minute where others made them, and at once where they were made', async () => {
	const time = fakeClock();
	const here = new OptOuts(env.DB, time);
	const elsewhere = new OptOuts(env.DB, time);
	expect(await here.covers('mx.a.test')).toBe(false);
	await elsewhere.add({ domain: 'a.test', since: 1 });
	expect([await elsewhere.covers('mx.a.test'), await here.covers('mx.a.test')]).toEqual([true, false]);
	time.advance(60_000);
	expect(await here.covers('mx.a.test')).toBe(true);
});

test('are known to all who ask while the first of them reads the list', async () => {
	await store.add({ domain: 'a.test', since: 1 });
	const fresh = new OptOuts(env.DB, fakeClock());
	const both = await Promise.all([fresh.covers('a.test'), fresh.covers('b.test')]);
	expect(both).toEqual([true, false]);
});

test('hold at once also while another request reads the list as it was before', async () => {
	const time = fakeClock();
	const reads: (() => void)[] = [];
	let isSlow = false;
	const here = new OptOuts(env.DB, time);
	vi.spyOn(here, 'list').mockImplementation(async () => {
		const read = await store.list();
		if (isSlow) await new Promise<void>((resolve) => reads.push(resolve));
		return read;
	});
	expect(await here.covers('a.test')).toBe(false);
	time.advance(60_000);
	isSlow = true;
	const before = here.covers('a.test');
	await vi.waitFor(() => expect(reads).toHaveLength(1));
	isSlow = false;
	await here.add({ domain: 'a.test', since: 1 });
	expect(await here.covers('a.test')).toBe(true);
	reads[0]?.();
	await before;
	expect(await here.covers('a.test')).toBe(true);
});

test('hold while the database is out; nobody is asked before they could be read once', async () => {
	const time = fakeClock();
	await store.add({ domain: 'a.test', since: 1 });
	const known = new OptOuts(env.DB, time);
	expect(await known.covers('a.test')).toBe(true);
	const out = () => Promise.reject(new Error('out'));
	vi.spyOn(known, 'list').mockImplementation(out);
	time.advance(60_000);
	expect([await known.covers('a.test'), await known.covers('b.test')]).toEqual([true, false]);
	const fresh = new OptOuts(env.DB, time);
	vi.spyOn(fresh, 'list').mockImplementation(out);
	await expect(fresh.covers('b.test')).rejects.toMatchObject({ code: 'upstream_unavailable' });
});
