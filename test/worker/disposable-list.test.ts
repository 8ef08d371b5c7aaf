import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, inject, test, vi } from 'vitest';
import { isDisposable } from '../../src/core/lists/domain-kinds.ts';
import worker from '../../src/index.ts';
import { fetchText } from '../../src/net/public-web.ts';
import { refreshDisposableList } from '../../src/operations/lists/disposable-list.ts';
import { DisposableLookup, R2DisposableList } from '../../src/storage/disposable-list.ts';

// The list's way from a public server over HTTP into R2 and into use.

const HOUR_MS = 3_600_000;
const listUrl = inject('listUrl');
const store = new R2DisposableList(env.BLOBS);
const clockAt = (time: { now: number }) => ({ now: () => time.now, sleep: () => Promise.resolve() });

test('without a refreshed list the bundled one holds', async () => {
	const lookup = new DisposableLookup(store, clockAt({ now: 0 }));
	expect(await lookup.has('mailinator.com')).toBe(true);
	expect(await lookup.has('fresh-42.test')).toBe(false);
});

test('the nightly cron takes the configured list into use, with its source and date', async () => {
	const ctx = createExecutionContext();
	const begun = Date.now();
	await worker.scheduled(createScheduledController({ cron: '0 3 * * *', scheduledTime: new Date() }), env);
	await waitOnExecutionContext(ctx);
	const list = await store.load();
	expect(list).toMatchObject({ source: listUrl });
	expect(list?.domains).toHaveLength(4_100);
	expect(list?.fetchedAt).toBeGreaterThanOrEqual(begun);
});

test('an isolate looks for a new list every six hours, and subdomains count by the new list too', async () => {
	await env.BLOBS.delete('lists/disposable.txt');
	const time = { now: 0 };
	const lookup = new DisposableLookup(store, clockAt(time));
	expect(await lookup.has('fresh-42.test')).toBe(false);
	await refreshDisposableList({ clock: clockAt(time), store, fetchText }, { sources: [listUrl] });
	time.now = 6 * HOUR_MS - 1;
	expect(await lookup.has('fresh-42.test')).toBe(false);
	time.now = 6 * HOUR_MS;
	expect(await lookup.has('fresh-42.test')).toBe(true);
	expect(await lookup.has('any.name.fresh-42.test')).toBe(true);
	// The new list replaces the bundled one.
	expect(isDisposable('mailinator.com')).toBe(true);
	expect(await lookup.has('mailinator.com')).toBe(false);
});

test.each([
	['a page that is not there', '/missing', 'it could not be fetched'],
	['a web page', '/page', 'lines are no domains'],
	['a list that shrank', '/short', 'too few'],
])('%s leaves the list in use as it is', async (_, path, problem) => {
	const before = await store.load();
	const url = new URL(path, listUrl).href;
	const refreshed = await refreshDisposableList(
		{ clock: clockAt({ now: 1 }), store, fetchText },
		{ sources: [url] },
	);
	expect(refreshed).toMatchObject({ kind: 'refused', problem: expect.stringContaining(problem) });
	expect(await store.load()).toEqual(before);
});

test('a bucket that fails does not stop verification: the list that was in use goes on', async () => {
	const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
	let isOut = true;
	const list = { domains: ['fresh-42.test'], source: 's', fetchedAt: 0 };
	const load = () => (isOut ? Promise.reject(new Error('R2 is down')) : Promise.resolve(list));
	const time = { now: 0 };
	const lookup = new DisposableLookup({ save: () => Promise.resolve(), load }, clockAt(time));
	expect(await lookup.has('mailinator.com')).toBe(true);
	expect(warned).toHaveBeenCalledWith(expect.stringContaining('disposable_list_not_read'));
	isOut = false;
	expect(await lookup.has('fresh-42.test')).toBe(true);
	isOut = true;
	time.now = 6 * HOUR_MS;
	expect(await lookup.has('fresh-42.test')).toBe(true);
	// The failure does not hold for another six hours.
	list.domains = ['fresh-43.test'];
	isOut = false;
	time.now += 30_000;
	expect(await lookup.has('fresh-43.test')).toBe(true);
});
