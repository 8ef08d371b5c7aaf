import { describe, expect, test, vi } from 'vitest';
import type { DomainFacts } from '../../../src/core/catchall/domain.ts';
import { domainFindings } from '../../../src/core/catchall/domain.ts';
import { NOT_TOLD } from '../../../src/core/catchall/domain/rdap.ts';
import type { WebAnswer } from '../../../src/net/public-web.ts';
import { examineDomain, lookAtWebsite } from '../../../src/engine/domain.ts';
import { makeWorld, page } from '../../support/unit/domain-world.ts';
import type { FakeWorld, World } from '../../support/unit/domain-world.ts';

const REGISTERED = { since: Date.UTC(2011, 10, 21), holds: [] };

const HEALTHY: World = {
	zones: {
		'acme.com': {
			TXT: ['v=spf1 mx -all'],
			NS: ['ns1.host.test'],
			A: ['8.8.8.8'],
		},
		'_dmarc.acme.com': { TXT: ['v=DMARC1; p=reject; rua=mailto:reports@acme.com'] },
	},
	pages: {
		'https://acme.com/': page('<title>Acme</title><a href="mailto:info@acme.com"><a href="/contact">'),
		'https://acme.com/contact': page('<a href="mailto:jane.doe@acme.com">'),
	},
	registration: REGISTERED,
};

interface Asking {
	readonly withinMs?: number;
	readonly domain?: string;
}

async function examine(world: FakeWorld, asking: Asking = {}): Promise<DomainFacts> {
	const { withinMs = 10_000, domain = 'acme.com' } = asking;
	const { clock } = world.ports;
	return clock.run(examineDomain(world.ports, domain, clock.now() + withinMs));
}

test('a domain that is well kept shows all of it', async () => {
	const facts = await examine(makeWorld(HEALTHY));
	expect(facts).toMatchObject({
		domain: 'acme.com',
		spf: 'ok',
		dmarc: 'reject',
		parking: { kind: 'none' },
		website: 'own',
		registration: REGISTERED,
	});
	const isPublished = (name: string): boolean =>
		domainFindings(facts, name).some(({ label }) => label === 'published:onsite');
	expect(['info', 'Jane.Doe', 'reports', 'nobody'].filter(isPublished)).toEqual(['info', 'Jane.Doe']);
	expect(JSON.stringify(facts)).not.toMatch(/jane|reports@/);
});

describe('what fails, is or is late', () => {
	const web = (robots: WebAnswer | 'never' | 'throws') => ({
		pages: { 'https://acme.com/robots.txt': robots },
	});
	const silent = { ...web('never'), faults: { '*': 'never' }, registration: 'never' } as const;
	const broken = { ...silent, ...web('throws'), faults: { '*': 'outage' }, registration: 'throws' } as const;
	const away = { ...web({ kind: 'failed' }), registration: NOT_TOLD } as const;
	test.each<[string, World, Asking]>([
		['nobody answers at all', silent, {}],
		['everything takes too long', { ...HEALTHY, delayMs: 60_000 }, {}],
		['the deadline is over', HEALTHY, { withinMs: 0 }],
		['our resolvers are out, and the rest throws', broken, {}],
		['the DNS fails and the others are unavailable', { ...HEALTHY, faults: { '*': 'failed' }, ...away }, {}],
	])('is not measured: %s', async (_, world, asking) => {
		const fake = makeWorld(world);
		const facts = await examine(fake, asking);
		expect(facts).toMatchObject({ spf: null, dmarc: null, parking: null, website: null });
		// A registry that we meant to ask may know what we did not hear.
		expect(facts.registration).toEqual(NOT_TOLD);
		expect(domainFindings(facts, 'info')).toEqual([]);
		// For a few minutes that a website could not be seen; nothing about the domain.
		expect([...fake.kept].filter(([, seconds]) => seconds > 600)).toEqual([]);
	});

	test.each<[string, World, number]>([
		['a bug of ours is', { ...HEALTHY, registration: 'throws' }, 1],
		['an outage of the resolvers, told elsewhere, is not', { ...HEALTHY, faults: { '*': 'outage' } }, 0],
		['a registry that is late is not', { ...HEALTHY, registration: 'never' }, 0],
	])('is logged where it has to be mended: %s', async (_, world, lines) => {
		const said = vi.spyOn(console, 'error').mockImplementation(() => {});
		await examine(makeWorld(world));
		const logged = said.mock.calls.filter(([line]) => String(line).includes('look_up_failed'));
		said.mockRestore();
		expect(logged).toHaveLength(lines);
	});

	test('takes no longer than its own budget, and nothing from the others', async () => {
		const world = makeWorld({ ...HEALTHY, faults: { 'TXT acme.com': 'never' } });
		const { clock } = world.ports;
		const begun = clock.now();
		const facts = await examine(world);
		expect(clock.now() - begun).toBeLessThanOrEqual(5_000);
		expect(facts).toMatchObject({ spf: null, dmarc: 'reject' });
		expect(facts).toMatchObject({ website: 'own', registration: { holds: [] } });
	});

	test('holds the deadline, however much time the budgets would allow', async () => {
		const world = makeWorld({
			...HEALTHY,
			pages: { 'https://acme.com/robots.txt': 'never' },
			registration: 'never',
		});
		const { clock } = world.ports;
		const begun = clock.now();
		expect((await examine(world, { withinMs: 800 })).spf).toBe('ok');
		expect(clock.now() - begun).toBe(800);
	});

	test.each<[World['faults'], 'spf' | 'dmarc' | 'parking']>([
		[{ 'TXT acme.com': 'failed' }, 'spf'],
		[{ 'TXT _dmarc.acme.com': 'failed' }, 'dmarc'],
		[{ 'NS acme.com': 'failed' }, 'parking'],
		[{ 'A acme.com': 'failed' }, 'parking'],
		[{ 'CNAME www.acme.com': 'failed' }, 'parking'],
	])('is null alone: %j', async (faults, field) => {
		const whole = await examine(makeWorld(HEALTHY));
		const holed = await examine(makeWorld({ ...HEALTHY, faults: faults ?? {} }));
		expect(holed).toEqual({ ...whole, [field]: null });
	});
});

test.each([['someone.github.io'], ['acme.uk.com'], ['uk.com'], ['com']])(
	'no registry is asked for the customers of a company: %s',
	async (domain) => {
		const world = makeWorld(HEALTHY);
		expect((await examine(world, { domain })).registration).toBeNull();
		expect(world.asked.filter((query) => query.startsWith('RDAP'))).toEqual([]);
	},
);

test('parking is seen at the registered domain', async () => {
	const zones = { 'acme.com': { NS: ['ns1.sedoparking.com'], A: ['91.195.240.94'] } };
	const facts = await examine(makeWorld({ zones }), { domain: 'mail.acme.com' });
	expect(facts.parking).toEqual({ kind: 'name_server', sign: 'ns1.sedoparking.com' });
});

const DAY_SECONDS = 86_400;

const visit = (world: FakeWorld, limitMs = 5_000): Promise<Pick<DomainFacts, 'website' | 'published'>> =>
	world.ports.clock.run(lookAtWebsite(world.ports, 'acme.com', limitMs));

const left = (host: string): WebAnswer => ({ kind: 'left', host });

describe('a website', () => {
	const HOME = 'https://acme.com/';
	const ROBOTS = 'https://acme.com/robots.txt';
	const WWW_ROBOTS = 'https://www.acme.com/robots.txt';
	const OWN = page('<title>Acme</title>');
	const nowhere: NonNullable<World['pages']> = { [ROBOTS]: { kind: 'no_address' } };
	const answers = (home: WebAnswer, robots: WebAnswer = page('', { status: 404 })): World['pages'] => ({
		[HOME]: home,
		[ROBOTS]: robots,
	});

	test.each<[string, World['pages'], DomainFacts['website']]>([
		['of its own', answers(OWN), 'own'],
		['of its own, without a word for robots', answers(OWN, left('other.test')), 'own'],
		['that leads elsewhere', answers(left('bigcorp.test')), 'redirects'],
		['that leads to a market place', answers(left('www.hugedomains.com')), 'for_sale'],
		['with an error of its server', answers(page('<title>Oops</title>', { status: 500 })), null],
		['that we may not see', answers(page('<title>No</title>', { status: 403 })), null],
		['that can’t be reached', answers({ kind: 'failed' }), null],
		['whose robots.txt can’t be reached', answers(OWN, { kind: 'failed' }), null],
		['whose robots.txt fails', answers(OWN, page('', { status: 503 })), null],
		['that wants no robots', answers(OWN, page('User-agent: *\nDisallow: /')), null],
		['without any address', { ...nowhere, [WWW_ROBOTS]: { kind: 'no_address' } }, 'unreachable'],
		['at www alone', { ...nowhere, 'https://www.acme.com/': OWN }, 'own'],
		['whose www can’t be looked up', { ...nowhere, [WWW_ROBOTS]: { kind: 'failed' } }, null],
	])('%s', async (_, pages, website) => {
		const world = makeWorld({ pages: pages ?? {} });
		expect((await visit(world)).website).toBe(website);
		expect(world.kept.get('acme.com')).toBe(website === null ? 600 : 7 * DAY_SECONDS);
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
		expect(world.kept.get('acme.com')).toBe(seconds);
	});

	test.each([
		['is left alone where robots.txt says so, page by page', 'User-agent: *\nDisallow: /contact', []],
		['is looked at for at most three pages', '', ['https://acme.com/contact0']],
	])('%s', async (_, robots, asked) => {
		const links = Array.from({ length: 50 }, (__, index) => `<a href="/contact${index}">`).join('');
		const world = makeWorld({ pages: answers(page(`<title>Acme</title>${links}`), page(robots))! });
		await visit(world);
		expect(world.asked).toEqual([ROBOTS, HOME, ...asked]);
	});

	test('gives no addresses where it is for sale', async () => {
		const world = makeWorld({ pages: { [HOME]: page('Buy this domain <a href="mailto:info@acme.com">') } });
		expect(await visit(world)).toEqual({ website: 'for_sale', published: [] });
	});
});
