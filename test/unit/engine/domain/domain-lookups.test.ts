import { describe, expect, test } from 'vitest';
import { NOT_TOLD } from '../../../../src/core/catchall/domain.ts';
import type { DomainFacts } from '../../../../src/core/catchall/domain.ts';
import type { RdapReply, WebAnswer } from '../../../../src/engine/ports.ts';
import { lookAtWebsite, lookUpRegistration } from '../../../../src/engine/domain.ts';
import { makeWorld, page } from '../../../support/unit/domain-world.ts';
import type { FakeWorld, World } from '../../../support/unit/domain-world.ts';
import { virtualClock } from '../../../support/unit/virtual-clock.ts';

const DAY_SECONDS = 86_400;
const NOW = virtualClock().now();
const day = (days: number): string => new Date(NOW + days * DAY_SECONDS * 1000).toISOString();

const register = (world: FakeWorld, domain = 'acme.com'): ReturnType<typeof lookUpRegistration> =>
	world.ports.clock.run(lookUpRegistration(world.ports, domain, 5_000));

const reply = (events: Readonly<Record<string, number>>, status: readonly string[] = []): RdapReply => ({
	kind: 'object',
	body: {
		objectClassName: 'domain',
		ldhName: 'acme.com',
		status,
		events: Object.entries(events).map(([eventAction, days]) => ({ eventAction, eventDate: day(days) })),
	},
});

describe('a registration', () => {
	const SERVERS = { services: [[['com'], ['https://rdap.test/']]] };

	test.each<[string, RdapReply, number]>([
		['a week', reply({ registration: -366 }), 7 * DAY_SECONDS],
		['on hold: a day', reply({ registration: -400 }, ['client hold']), DAY_SECONDS],
		['not registered: a day', { kind: 'not_found' }, DAY_SECONDS],
	])('is remembered, %s', async (_, rdap, kept) => {
		const world = makeWorld({ bootstrap: SERVERS, rdap });
		const found = await register(world);
		expect(world.kept.get('rdap/4/acme.com')).toBe(kept);
		const questions = () => world.asked.filter((line) => line.startsWith('RDAP https')).length;
		await world.ports.clock.run(world.ports.clock.sleep((kept - 10) * 1000));
		expect(await register(world)).toEqual(found);
		expect(questions()).toBe(1);
		await world.ports.clock.run(world.ports.clock.sleep(20_000));
		await register(world);
		expect(questions()).toBe(2);
	});

	test.each<[string, RdapReply, DomainFacts['registration']]>([
		['unavailable', { kind: 'unavailable' }, NOT_TOLD],
		['nonsense', { kind: 'object', body: ['nonsense'] }, null],
		[
			'about another domain',
			{ kind: 'object', body: { objectClassName: 'domain', ldhName: 'other.com' } },
			null,
		],
	])('that is %s is not remembered', async (_, rdap, found) => {
		const world = makeWorld({ bootstrap: SERVERS, rdap });
		expect([await register(world), await register(world)]).toEqual([found, found]);
		expect(world.kept.has('rdap/4/acme.com')).toBe(false);
		expect(world.asked.filter((line) => line.startsWith('RDAP https'))).toHaveLength(2);
	});

	test('is not told while the file of servers can’t be had, which is fetched again after a minute', async () => {
		const world = makeWorld({ bootstrap: '<html>', rdap: { kind: 'not_found' } });
		expect([await register(world), await register(world)]).toEqual([NOT_TOLD, NOT_TOLD]);
		expect(world.asked).toEqual(['RDAP bootstrap']);
		expect(world.kept.get('rdap-servers/1')).toBe(60);
	});

	test('is not asked for where no server is known for the ending', async () => {
		const world = makeWorld({ bootstrap: SERVERS, rdap: { kind: 'not_found' } });
		expect(await register(world, 'acme.de')).toBeNull();
		expect(world.asked).toEqual(['RDAP bootstrap']);
	});
});

const visit = (world: FakeWorld, limitMs = 5_000): Promise<Pick<DomainFacts, 'website' | 'published'>> =>
	world.ports.clock.run(lookAtWebsite(world.ports, 'acme.com', limitMs));

const left = (host: string): WebAnswer => ({ kind: 'left', host });

describe('a website', () => {
	const HOME = 'https://acme.com/';
	const ROBOTS = 'https://acme.com/robots.txt';
	const OWN = page('<title>Acme</title>');
	const answers = (home: WebAnswer, robots: WebAnswer = page('', { status: 404 })): World['pages'] => ({
		[HOME]: home,
		[ROBOTS]: robots,
	});

	test.each<[string, World['pages'], DomainFacts['website']]>([
		['of its own', answers(OWN), 'own'],
		['of its own, without a word for robots', answers(OWN, left('other.test')), 'own'],
		['that leads elsewhere', answers(left('bigcorp.test')), 'redirects'],
		['that leads to a market place', answers(left('www.hugedomains.com')), 'for_sale'],
		['with a default page', answers(page('<title>Welcome to nginx!</title>')), 'default_page'],
		['with an error of its server', answers(page('<title>Oops</title>', { status: 500 })), null],
		['that we may not see', answers(page('<title>No</title>', { status: 403 })), null],
		['with a wall', answers(page('<title>Just a moment...</title>')), null],
		['that can’t be reached', answers({ kind: 'failed' }), null],
		['whose robots.txt can’t be reached', answers(OWN, { kind: 'failed' }), null],
		['whose robots.txt fails', answers(OWN, page('', { status: 503 })), null],
		['that wants no robots', answers(OWN, page('User-agent: *\nDisallow: /')), null],
		[
			'without any address',
			{ [ROBOTS]: { kind: 'no_address' }, 'https://www.acme.com/robots.txt': { kind: 'no_address' } },
			'unreachable',
		],
		['at www alone', { [ROBOTS]: { kind: 'no_address' }, 'https://www.acme.com/': OWN }, 'own'],
		[
			'whose www can’t be looked up',
			{ [ROBOTS]: { kind: 'no_address' }, 'https://www.acme.com/robots.txt': { kind: 'failed' } },
			null,
		],
	])('%s', async (_, pages, website) => {
		const world = makeWorld({ pages: pages ?? {} });
		expect((await visit(world)).website).toBe(website);
		expect(world.kept.get('web/3/acme.com')).toBe(website === null ? 600 : 7 * DAY_SECONDS);
	});

	test.each<[string, World['pages'], number]>([
		['all pages answered', {}, 7 * DAY_SECONDS],
		['no contact page', { 'https://acme.com/contact': page('', { status: 404 }) }, 7 * DAY_SECONDS],
		['the contact page failed', { 'https://acme.com/contact': { kind: 'failed' } }, 600],
		['its server had an error', { 'https://acme.com/contact': page('', { status: 503 }) }, 600],
	])('that publishes nothing is remembered as that only where it was seen: %s', async (_, more, seconds) => {
		const home = page('<title>Acme</title><a href="/contact">');
		const world = makeWorld({ pages: { ...answers(home), ...more } });
		expect(await visit(world)).toEqual({ website: 'own', published: [] });
		expect(world.kept.get('web/3/acme.com')).toBe(seconds);
	});

	test('is left alone where robots.txt says so, page by page', async () => {
		const text = page('<title>Acme</title><a href="/contact">');
		const world = makeWorld({ pages: answers(text, page('User-agent: *\nDisallow: /contact'))! });
		await visit(world);
		expect(world.asked).toEqual([ROBOTS, HOME]);
	});

	test('is looked at for at most three pages', async () => {
		const links = Array.from({ length: 50 }, (_, index) => `<a href="/contact${index}">`).join('');
		const world = makeWorld({ pages: { [HOME]: page(`<title>Acme</title>${links}`) } });
		await visit(world);
		expect(world.asked).toEqual([ROBOTS, HOME, 'https://acme.com/contact0']);
	});

	test('gives no addresses where it is for sale', async () => {
		const world = makeWorld({ pages: { [HOME]: page('Buy this domain <a href="mailto:info@acme.com">') } });
		expect(await visit(world)).toEqual({ website: 'for_sale', published: [] });
	});
});
