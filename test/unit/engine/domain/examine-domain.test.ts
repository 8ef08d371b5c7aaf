import { describe, expect, test, vi } from 'vitest';
import type { DomainFacts } from '../../../../src/core/catchall/domain.ts';
import { domainFindings, NOT_TOLD } from '../../../../src/core/catchall/domain.ts';
import type { RdapReply, WebAnswer } from '../../../../src/engine/ports.ts';
import { examineDomain } from '../../../../src/engine/domain.ts';
import { makeWorld, page } from '../../../support/unit/domain-world.ts';
import type { FakeWorld, World } from '../../../support/unit/domain-world.ts';

const BOOTSTRAP = { services: [[['com'], ['https://rdap.test/']]] };

function registeredAt(date: string, more: object = {}): RdapReply {
	const events = [{ eventAction: 'registration', eventDate: date }];
	return { kind: 'object', body: { objectClassName: 'domain', ldhName: 'acme.com', events, ...more } };
}

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
	bootstrap: BOOTSTRAP,
	rdap: registeredAt('2011-11-21T00:00:00Z'),
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

describe('a domain that is well kept', () => {
	test('shows all of it', async () => {
		const facts = await examine(makeWorld(HEALTHY));
		expect(facts).toMatchObject({
			domain: 'acme.com',
			spf: 'ok',
			dmarc: 'reject',
			parking: { kind: 'none' },
			website: 'own',
			registration: { since: Date.UTC(2011, 10, 21), holds: [] },
		});
		const isPublished = (name: string): boolean =>
			domainFindings(facts, name).some(({ label }) => label === 'published:onsite');
		expect(['info', 'Jane.Doe', 'reports', 'nobody'].filter(isPublished)).toEqual(['info', 'Jane.Doe']);
		expect(JSON.stringify(facts)).not.toMatch(/jane|reports@/);
	});
});

describe('the policy of a subdomain', () => {
	const SUB: Asking = { domain: 'mail.eu.acme.com' };
	test.each<[string, World['zones'], string]>([
		['is that of the organisation', { '_dmarc.acme.com': { TXT: ['v=DMARC1; p=reject'] } }, 'reject'],
		['is that for subdomains', { '_dmarc.acme.com': { TXT: ['v=DMARC1; p=reject; sp=none'] } }, 'none'],
		[
			'is its own first',
			{
				'_dmarc.acme.com': { TXT: ['v=DMARC1; p=reject'] },
				'_dmarc.mail.eu.acme.com': { TXT: ['v=DMARC1; p=quarantine'] },
			},
			'quarantine',
		],
		['is missing', {}, 'missing'],
	])('%s', async (_, zones = {}, dmarc) => {
		const facts = await examine(makeWorld({ zones }), SUB);
		expect(facts.dmarc).toBe(dmarc);
	});
});

describe('what fails, is or is late', () => {
	const web = (robots: WebAnswer | 'never' | 'throws') => ({
		pages: { 'https://acme.com/robots.txt': robots },
	});
	const silent = { ...web('never'), faults: { '*': 'never' }, bootstrap: BOOTSTRAP, rdap: 'never' } as const;
	const broken = {
		...web('throws'),
		faults: { '*': 'outage' },
		bootstrap: BOOTSTRAP,
		rdap: 'throws',
	} as const;
	const away = { ...web({ kind: 'failed' }), rdap: { kind: 'unavailable' } } as const;
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
		// Which server to ask, and for a few minutes that a website could not be seen; nothing about the domain.
		const kept = [...fake.kept].filter(([key, seconds]) => key !== 'rdap-servers/1' && seconds > 600);
		expect(kept).toEqual([]);
	});

	test.each<[string, World, number]>([
		['a bug of ours is', { ...HEALTHY, rdap: 'throws' }, 1],
		[
			'an outage of the resolvers is told elsewhere, and is not',
			{ ...HEALTHY, faults: { '*': 'outage' } },
			0,
		],
		['a registry that is late is not', { ...HEALTHY, rdap: 'never' }, 0],
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
		const world = makeWorld({ ...HEALTHY, pages: { 'https://acme.com/robots.txt': 'never' }, rdap: 'never' });
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
		const world = makeWorld({
			bootstrap: { services: [[['com', 'io'], ['https://rdap.test/']]] },
			rdap: HEALTHY.rdap!,
		});
		expect((await examine(world, { domain })).registration).toBeNull();
		expect(world.asked.filter((query) => query.startsWith('RDAP'))).toEqual([]);
	},
);

test('parking is seen at the registered domain', async () => {
	const zones = { 'acme.com': { NS: ['ns1.sedoparking.com'], A: ['91.195.240.94'] } };
	const facts = await examine(makeWorld({ zones }), { domain: 'mail.acme.com' });
	expect(facts.parking).toEqual({ kind: 'name_server', sign: 'ns1.sedoparking.com' });
});
