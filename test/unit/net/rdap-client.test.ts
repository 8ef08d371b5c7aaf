import { describe, expect, test } from 'vitest';
import { readRdapAnswer, readRdapBootstrap } from '../../../src/core/catchall/domain/rdap.ts';
import { RdapClient } from '../../../src/net/rdap-client.ts';
import type { Clock } from '../../../src/lib/time.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';
import { webOfStrangers } from '../../support/unit/web-sites.ts';

const BASE = 'https://rdap.test/';
const UNAVAILABLE = { kind: 'unavailable' };
const MOVED = { kind: 'object', body: { objectClassName: 'domain', ldhName: 'moved.test' } };

function makeClient(
	time: Clock = fakeClock(),
	bootstrapUrl = 'https://registries.test/dns.json',
	play?: Parameters<typeof webOfStrangers>[0],
) {
	const { web, visited } = webOfStrangers(play);
	const client = new RdapClient({ bootstrapUrl, spacingMs: 1_000 }, web, time);
	return { client, visited, ask: (domain: string, limitMs = 3_000) => client.ask(BASE, domain, limitMs) };
}

describe('a registry', () => {
	test('is found in the bootstrap file, and tells when a domain was registered', async () => {
		const { client } = makeClient();
		const servers = readRdapBootstrap(await client.bootstrap(3_000));
		const reply = await client.ask(servers!['test']!, 'old.test', 3_000);
		const found = reply.kind === 'object' ? readRdapAnswer(reply.body, 'old.test', Date.now()) : null;
		expect(found).toMatchObject({ holds: [] });
		expect(Math.round((Date.now() - found!.since!) / 86_400_000)).toBe(5500);
	});

	test('that does not know a domain says so', async () => {
		expect(await makeClient().ask('unknown.test')).toEqual({ kind: 'not_found' });
	});

	test.each(
		(
			'garbage huge error to-http to-private to-port to-password to-address to-address-six to-us ' +
			'to-beside-us'
		).split(' '),
	)('is unavailable: %s', async (name) => {
		const { ask, visited } = makeClient();
		expect(await ask(`${name}.test`)).toEqual(UNAVAILABLE);
		expect(visited).toEqual([`${BASE}domain/${name}.test`]);
	});

	test('is followed to where it has moved, three times at most', async () => {
		expect(await makeClient().ask('moved.test')).toEqual(MOVED);
		const time = fakeClock();
		const begun = time.now();
		const loop = makeClient(time);
		expect(await loop.ask('loop.test', 5_000)).toEqual(UNAVAILABLE);
		expect(loop.visited).toHaveLength(4);
		// A server that leads back to itself is asked no faster for it.
		expect(time.now() - begun).toBe(3_000);
	});

	test('that is silent is unavailable once its time is up', async () => {
		expect(await makeClient().ask('silent.test', 300)).toEqual(UNAVAILABLE);
	});
});

test.each([
	['for the seconds it named', 'busy.test', 120_000],
	// The server names a minute after the clock's beginning as a date.
	['until a date', 'away.test', 60_000],
	['without a word, for a minute', 'away-somehow.test', 60_000],
	['for years, for a day', 'away-for-ever.test', 24 * 3_600_000],
])('a registry that wants to be left alone is: %s', async (_, domain, pauseMs) => {
	const time = fakeClock();
	const { ask, visited } = makeClient(time);
	expect(await ask(domain)).toEqual(UNAVAILABLE);
	time.advance(pauseMs - 1_000);
	expect(await ask('moved.test')).toEqual(UNAVAILABLE);
	expect(visited).toHaveLength(1);
	time.advance(1_000);
	expect(await ask('moved.test')).toEqual(MOVED);
});

describe('questions to one registry', () => {
	test('come a second apart', async () => {
		const time = fakeClock();
		const { client, ask, visited } = makeClient(time);
		const begun = time.now();
		for (const domain of ['a.test', 'b.test', 'c.test']) await ask(domain);
		expect(time.now() - begun).toBe(2_000);
		expect(visited).toHaveLength(3);
		// Another registry has a turn of its own.
		await client.ask('https://rdap.other.test/', 'moved.test', 3_000);
		expect(time.now() - begun).toBe(2_000);
	});

	test('about one domain that come together are one', async () => {
		const { ask, visited } = makeClient();
		const replies = await Promise.all([1, 2, 3].map(() => ask('moved.test')));
		expect(new Set(replies).size).toBe(1);
		expect(visited).toHaveLength(2);
	});

	test('that would wait for long are not asked', async () => {
		const world = virtualClock();
		const asked: number[] = [];
		const { ask } = makeClient(world, undefined, () => {
			asked.push(world.now());
			return Response.json({});
		});
		const begun = world.now();
		const asking = Array.from({ length: 29 }, (_, n) => ask(`d${n}.test`, 5_000));
		const replies = await world.run(Promise.all(asking));
		expect(asked.map((at) => at - begun)).toEqual([0, 1_000, 2_000, 3_000]);
		expect(replies.filter(({ kind }) => kind === 'unavailable')).toHaveLength(25);
	});
});

test.each([
	'https://acme.test/',
	'https://error.acme.test/',
	'https://acme.test/none',
	'https://closes.acme.test/',
])('a bootstrap file that can’t be had is none: %s', async (url) => {
	expect(await makeClient(fakeClock(), url).client.bootstrap(3_000)).toBeNull();
});
