import { describe, expect, test } from 'vitest';
import { NOT_TOLD } from '../../../src/core/catchall/domain/rdap.ts';
import { registryReader } from '../../../src/net/rdap-client.ts';
import type { Clock } from '../../../src/lib/time.ts';
import { domainObject } from '../../sandbox/rdap-server.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';
import { webOfStrangers } from '../../support/unit/web-sites.ts';

const BASE = 'https://rdap.test/';
const BOOTSTRAP = 'https://registries.test/dns.json';
const MOVED = { since: null, holds: [] };

/** The visited URLs are those of registries. `play`: what all of them answer instead. */
function makeClient(time: Clock = fakeClock(), bootstrapUrl = BOOTSTRAP, play?: () => Response) {
	const { web, visited } = webOfStrangers();
	const answers = webOfStrangers(play);
	const registrationOf = registryReader(
		{ bootstrapUrl, spacingMs: 1_000 },
		(url, limits) => (url === bootstrapUrl ? web : answers.web)(url, limits),
		time,
	);
	const ask = (domain: string, limitMs = 3_000) => registrationOf(domain, limitMs);
	return { ask, visited: answers.visited, bootstraps: visited };
}

describe('a registry', () => {
	test('is found in the bootstrap file, and tells when a domain was registered', async () => {
		const found = await makeClient().ask('old.test');
		expect(found).toMatchObject({ holds: [] });
		const { since } = found as { readonly since: number };
		expect(Math.round((Date.now() - since) / 86_400_000)).toBe(5500);
	});

	test('that does not know a domain says so', async () => {
		expect(await makeClient().ask('unknown.test')).toBeNull();
	});

	test('is not asked where no server is known for the ending', async () => {
		const { ask, visited } = makeClient();
		expect([await ask('acme.de'), visited]).toEqual([null, []]);
	});

	test.each(
		(
			'garbage huge error to-http to-private to-port to-password to-address to-address-six to-us ' +
			'to-beside-us'
		).split(' '),
	)('is unavailable: %s', async (name) => {
		const { ask, visited } = makeClient();
		expect(await ask(`${name}.test`)).toBe(NOT_TOLD);
		expect(visited).toEqual([`${BASE}domain/${name}.test`]);
	});

	test('is followed to where it has moved, three times at most', async () => {
		expect(await makeClient().ask('moved.test')).toEqual(MOVED);
		const time = fakeClock();
		const begun = time.now();
		const loop = makeClient(time);
		expect(await loop.ask('loop.test', 5_000)).toBe(NOT_TOLD);
		expect(loop.visited).toHaveLength(4);
		// A server that leads back to itself is asked no faster for it.
		expect(time.now() - begun).toBe(3_000);
	});

	test('that is silent is unavailable once its time is up', async () => {
		expect(await makeClient().ask('silent.test', 300)).toBe(NOT_TOLD);
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
	expect(await ask(domain)).toBe(NOT_TOLD);
	time.advance(pauseMs - 1_000);
	expect(await ask('moved.test')).toBe(NOT_TOLD);
	expect(visited).toHaveLength(1);
	time.advance(1_000);
	expect(await ask('moved.test')).toEqual(MOVED);
});

describe('questions to one registry', () => {
	test('come a second apart', async () => {
		const time = fakeClock();
		const { ask, visited } = makeClient(time);
		const begun = time.now();
		for (const domain of ['a.test', 'b.test', 'c.test']) await ask(domain);
		expect(time.now() - begun).toBe(2_000);
		expect(visited).toHaveLength(3);
	});

	test('about one domain that come together are one', async () => {
		const { ask, visited } = makeClient();
		const told = await Promise.all([1, 2, 3].map(() => ask('moved.test')));
		expect(new Set(told).size).toBe(1);
		expect(visited).toHaveLength(2);
	});

	test('that would wait for long are not asked', async () => {
		const world = virtualClock();
		const asked: number[] = [];
		const { ask } = makeClient(world, BOOTSTRAP, () => {
			asked.push(world.now());
			return Response.json({});
		});
		await world.run(ask('first.test'));
		const begun = world.now();
		const asking = Array.from({ length: 29 }, (_, n) => ask(`d${n}.test`, 5_000));
		const told = await world.run(Promise.all(asking));
		expect(asked.map((at) => at - begun)).toEqual([0, 1_000, 2_000, 3_000]);
		expect(told.filter((one) => one === NOT_TOLD)).toHaveLength(26);
	});
});

const DAY_SECONDS = 86_400;
const NOW = fakeClock().now();
const about = (domain: string, days: number, status: readonly string[] = []) =>
	Response.json(domainObject(domain, { registeredDaysAgo: days, status }, NOW));

describe('a registration', () => {
	test.each<[string, () => Response, number]>([
		['a week', () => about('acme.test', 366), 7 * DAY_SECONDS],
		['on hold: a day', () => about('acme.test', 400, ['client hold']), DAY_SECONDS],
		['not registered: a day', () => new Response('', { status: 404 }), DAY_SECONDS],
	])('is remembered, %s', async (_, play, kept) => {
		const time = fakeClock();
		const { ask, visited } = makeClient(time, BOOTSTRAP, play);
		const found = await ask('acme.test');
		time.advance((kept - 10) * 1000);
		expect(await ask('acme.test')).toEqual(found);
		expect(visited).toHaveLength(1);
		time.advance(20_000);
		await ask('acme.test');
		expect(visited).toHaveLength(2);
	});

	test.each<[string, () => Response, unknown]>([
		['unavailable', () => new Response('', { status: 500 }), NOT_TOLD],
		['nonsense', () => Response.json(['nonsense']), null],
		['about another domain', () => about('other.test', 400), null],
	])('that is %s is not remembered', async (_, play, found) => {
		const { ask, visited } = makeClient(fakeClock(), BOOTSTRAP, play);
		expect([await ask('acme.test'), await ask('acme.test')]).toEqual([found, found]);
		expect(visited).toHaveLength(2);
	});
});

test.each([
	'https://acme.test/',
	'https://error.acme.test/',
	'https://acme.test/none',
	'https://closes.acme.test/',
])('is not told while the file of servers can’t be had, fetched again after a minute: %s', async (url) => {
	const time = fakeClock();
	const { ask, visited, bootstraps } = makeClient(time, url);
	expect([await ask('old.test'), await ask('moved.test'), visited]).toEqual([NOT_TOLD, NOT_TOLD, []]);
	expect(bootstraps).toHaveLength(1);
	time.advance(60_000);
	await ask('a.test');
	expect(bootstraps).toHaveLength(2);
});
