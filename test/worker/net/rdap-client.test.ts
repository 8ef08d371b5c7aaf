import { describe, expect, inject, test } from 'vitest';
import { readRdapAnswer, readRdapBootstrap } from '../../../src/core/catchall/domain/rdap.ts';
import { CheckedWeb } from '../../../src/net/public-web.ts';
import { RdapClient } from '../../../src/net/rdap-client.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';
import { records, webFetcher } from './web.ts';

const BASE = 'https://rdap.test/';
const bootstrapUrl = inject('workerBindings')['RDAP_BOOTSTRAP_URL']!;
const SETTINGS = { bootstrapUrl, spacingMs: 1_000 };
const UNAVAILABLE = { kind: 'unavailable' };

const webBy = (fetcher: ConstructorParameters<typeof CheckedWeb>[2]): CheckedWeb => {
	return new CheckedWeb({ userAgent: 'Mailsonar', ownHost: 'api.ours.test' }, records, fetcher);
};

/** A client of the servers that strangers run. */
function makeClient(time: Clock = fakeClock()) {
	const { fetcher, visited } = webFetcher();
	const client = new RdapClient(SETTINGS, webBy(fetcher), time);
	return { client, visited };
}

/** A client of the sandbox's registry. */
function makeSandboxClient(time: Clock = fakeClock()) {
	const asked: string[] = [];
	const web = webBy((url, init) => {
		asked.push(url);
		return fetch(url, init);
	});
	const client = new RdapClient(SETTINGS, web, time);
	const base = bootstrapUrl.replace('dns.json', '');
	return { client, asked, ask: (domain: string) => client.ask(base, domain, 3_000) };
}

describe('a registry', () => {
	test('is found in the bootstrap file, and tells when a domain was registered', async () => {
		const { client } = makeSandboxClient();
		const servers = readRdapBootstrap(await client.bootstrap(3_000));
		const reply = await client.ask(servers!['test']!, 'well-kept.test', 3_000);
		const found = reply.kind === 'object' ? readRdapAnswer(reply.body, 'well-kept.test', Date.now()) : null;
		expect(found).toMatchObject({ holds: [] });
		expect(Math.round((Date.now() - found!.since!) / 86_400_000)).toBe(5500);
	});

	test('that does not know a domain says so', async () => {
		expect(await makeSandboxClient().ask('rdap-unknown.test')).toEqual({ kind: 'not_found' });
	});

	test.each(['rdap-loop.test', 'rdap-garbage.test'])(
		'that answers nothing usable is unavailable: %s',
		async (domain) => {
			const { ask, asked } = makeSandboxClient();
			expect(await ask(domain)).toEqual(UNAVAILABLE);
			// The circle leads to plain http on loopback: a redirect there is not followed once.
			expect(asked).toHaveLength(1);
		},
	);

	test.each(['huge.test', 'error.test', 'to-http.test', 'to-private.test', 'to-port.test'])(
		'is unavailable: %s',
		async (domain) => {
			const { client, visited } = makeClient();
			expect(await client.ask(BASE, domain, 3_000)).toEqual(UNAVAILABLE);
			expect(visited).toEqual([`${BASE}domain/${domain}`]);
		},
	);

	test('is followed to where it has moved, three times at most', async () => {
		const moved = makeClient();
		expect(await moved.client.ask(BASE, 'moved.test', 3_000)).toEqual({
			kind: 'object',
			body: { objectClassName: 'domain', ldhName: 'moved.test' },
		});
		const time = fakeClock();
		const begun = time.now();
		const loop = makeClient(time);
		expect(await loop.client.ask(BASE, 'loop.test', 5_000)).toEqual(UNAVAILABLE);
		expect(loop.visited).toHaveLength(4);
		// A server that leads back to itself is asked no faster for it.
		expect(time.now() - begun).toBe(3_000);
	});

	test('that is silent is unavailable once its time is up', async () => {
		expect(await makeClient().client.ask(BASE, 'silent.test', 300)).toEqual(UNAVAILABLE);
	});
});

describe('a registry that wants to be left alone', () => {
	test('is, until the seconds it named are over', async () => {
		const time = fakeClock();
		const { ask, asked } = makeSandboxClient(time);
		expect(await ask('rdap-busy.test')).toEqual(UNAVAILABLE);
		time.advance(119_000);
		expect(await ask('inbox.test')).toEqual(UNAVAILABLE);
		expect(asked).toHaveLength(1);
		time.advance(1_000);
		expect(await ask('inbox.test')).toMatchObject({ kind: 'object' });
	});

	test.each([
		// The server names a minute after the clock's beginning as a date.
		['away.test', 59_000, 60_000],
		['away-somehow.test', 59_000, 60_000],
		['away-for-ever.test', 24 * 3_600_000 - 1_000, 24 * 3_600_000],
	])('by a date, without a word, or for years (a day): %s', async (domain, before, after) => {
		const time = fakeClock();
		const { client, visited } = makeClient(time);
		await client.ask(BASE, domain, 3_000);
		time.advance(before);
		expect(await client.ask(BASE, 'moved.test', 3_000)).toEqual(UNAVAILABLE);
		expect(visited).toHaveLength(1);
		time.advance(after - before);
		expect(await client.ask(BASE, 'moved.test', 3_000)).toMatchObject({ kind: 'object' });
	});
});

describe('questions to one registry', () => {
	test('come a second apart', async () => {
		const time = fakeClock();
		const { client, visited } = makeClient(time);
		const begun = time.now();
		for (const domain of ['a.test', 'b.test', 'c.test']) await client.ask(BASE, domain, 3_000);
		expect(time.now() - begun).toBe(2_000);
		expect(visited).toHaveLength(3);
		// Another registry has a turn of its own.
		await client.ask('https://rdap.other.test/', 'moved.test', 3_000);
		expect(time.now() - begun).toBe(2_000);
	});

	test('about one domain that come together are one', async () => {
		const { client, visited } = makeClient();
		const replies = await Promise.all([1, 2, 3].map(() => client.ask(BASE, 'moved.test', 3_000)));
		expect(new Set(replies).size).toBe(1);
		expect(visited).toHaveLength(2);
	});

	test('that would wait for long are not asked', async () => {
		const world = virtualClock();
		const asked: number[] = [];
		const web = webBy(() => {
			asked.push(world.now());
			return Promise.resolve(Response.json({}));
		});
		const client = new RdapClient(SETTINGS, web, world);
		const begun = world.now();
		const asking = Array.from({ length: 29 }, (_, n) => client.ask(BASE, `d${n}.test`, 5_000));
		const replies = await world.run(Promise.all(asking));
		expect(asked.map((at) => at - begun)).toEqual([0, 1_000, 2_000, 3_000]);
		expect(replies.filter(({ kind }) => kind === 'unavailable')).toHaveLength(25);
	});
});

describe('a bootstrap file', () => {
	test.each([
		'https://acme.test/',
		'https://error.acme.test/',
		'https://acme.test/none',
		'https://closes.acme.test/',
	])('that can’t be had is none: %s', async (url) => {
		const { fetcher } = webFetcher();
		const settings = { ...SETTINGS, bootstrapUrl: url };
		const client = new RdapClient(settings, webBy(fetcher), fakeClock());
		expect(await client.bootstrap(3_000)).toBeNull();
	});
});
