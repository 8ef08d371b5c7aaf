import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageInDays, isPublished } from '../../../src/core/catchall/domain-facts.ts';
import type { DomainFacts } from '../../../src/core/catchall/domain-facts.ts';
import { domainSignals, publishedSignals, wkdSignals } from '../../../src/core/catchall/domain-signals.ts';
import { DOMAIN_WEIGHTS } from '../../../src/core/catchall/domain-weights.ts';
import type { DomainWeight } from '../../../src/core/catchall/domain-weights.ts';
import { addressDigest } from '../../../src/core/catchall/domain/published.ts';
import type { PublishedWhere } from '../../../src/core/catchall/domain/published.ts';
import type { SignalGroup } from '../../../src/core/catchall/scorecard.ts';
import { makeFacts, registration } from '../../support/unit/domain-facts.ts';

/** `label points` of the signals of a group. */
function said(facts: DomainFacts, group: SignalGroup): readonly string[] {
	return domainSignals(facts)
		.filter((signal) => signal.group === group)
		.map(({ label, points }) => `${label} ${points}`);
}

test('without facts there is only the signal of the ending, which is always known', () => {
	expect(domainSignals(makeFacts()).map(({ label }) => label)).toEqual(['tld_risk:ordinary']);
	expect(domainSignals(makeFacts({ domain: 'com', registrable: null }))).toEqual([]);
});

describe('what the DNS says of the mail', () => {
	test.each<[Parameters<typeof makeFacts>[0], readonly string[]]>([
		[{ dns: { spf: 'ok', dmarc: 'reject' } }, ['spf:ok 1', 'dmarc:reject 2']],
		[{ dns: { spf: 'missing', dmarc: 'missing' } }, ['spf:missing -2', 'dmarc:missing -2']],
		[{ dns: { spf: 'several', dmarc: 'quarantine' } }, ['spf:several 0', 'dmarc:quarantine 2']],
		[{ dns: { spf: 'sends_no_mail', dmarc: 'none' } }, ['spf:sends_no_mail -10', 'dmarc:none 1']],
		[{ dns: { dkim: 'selectors', dnssec: 'signed' } }, ['dkim:selectors 1', 'dnssec:signed 1']],
		[{ dns: { dkim: 'none', dnssec: 'unsigned' } }, ['dkim:none 0', 'dnssec:unsigned 0']],
		[
			{ dns: { tlsRpt: 'present', bimi: 'present', dane: 'present' } },
			['tls_rpt:present 1', 'bimi:present 1', 'dane:present 1'],
		],
		[
			{ dns: { tlsRpt: 'missing', bimi: 'missing', dane: 'missing' } },
			['tls_rpt:missing 0', 'bimi:missing 0', 'dane:missing 0'],
		],
		[{ mtaSts: 'enforce', dns: { mtaSts: 'record' } }, ['mta_sts:enforce 1']],
		[{ mtaSts: null, dns: { mtaSts: 'record' } }, ['mta_sts:record 1']],
		[{ mtaSts: 'testing' }, ['mta_sts:testing 1']],
		[{ mtaSts: 'none' }, ['mta_sts:none 0']],
		[{ mtaSts: 'missing' }, ['mta_sts:missing 0']],
	])('%j', (facts, labels) => {
		expect(said(makeFacts(facts), 'auth')).toEqual(labels);
	});
});

test.each([
	['own', 2],
	['unreachable', -4],
	['default_page', -5],
	['redirects_elsewhere', -3],
	['redirects_sibling', 0],
	['for_sale', 0],
] as const)('a website that is %s: %i', (website, points) => {
	expect(said(makeFacts({ website }), 'web')).toEqual([`website:${website} ${points}`]);
});

describe('parking counts once, at its worst', () => {
	const service = 'Sedo';
	test.each<[string, Parameters<typeof makeFacts>[0], readonly string[]]>([
		['none', { dns: { parking: { kind: 'none' } } }, ['parking:none 0']],
		['name servers', { dns: { parking: { kind: 'name_server', service } } }, ['parking:name_server -35']],
		['an address', { dns: { parking: { kind: 'address', service } } }, ['parking:address -30']],
		['an alias', { dns: { parking: { kind: 'alias', service } } }, ['parking:alias -30']],
		['for sale, the DNS unknown', { website: 'for_sale' }, ['parking:for_sale -30']],
		[
			'for sale, the DNS calm',
			{ website: 'for_sale', dns: { parking: { kind: 'none' } } },
			['parking:for_sale -30'],
		],
		[
			'both',
			{ website: 'for_sale', dns: { parking: { kind: 'name_server', service } } },
			['parking:name_server -35'],
		],
	])('%s', (_, facts, labels) => {
		expect(said(makeFacts(facts), 'parking')).toEqual(labels);
	});

	test.each([
		[[], ['rdap_status:ok 0']],
		[['client hold'], ['rdap_status:client_hold -40']],
		[['server hold'], ['rdap_status:server_hold -40']],
		[['redemption period'], ['rdap_status:redemption_period -40']],
		[['pending delete'], ['rdap_status:pending_delete -40']],
		[['server hold', 'pending delete'], ['rdap_status:server_hold -40']],
	] as const)('a registry with %j', (holds, labels) => {
		expect(said(makeFacts({ registration: registration({ holds }) }), 'parking')).toEqual(labels);
	});
});

describe('the age of the registration', () => {
	test.each<[number, string]>([
		[0, 'age:0d -25'],
		[7, 'age:7d -25'],
		[8, 'age:8d -18'],
		[30, 'age:30d -18'],
		[31, 'age:31d -12'],
		[90, 'age:90d -12'],
		[91, 'age:91d -6'],
		[180, 'age:180d -6'],
		[181, 'age:181d -3'],
		[365, 'age:365d -3'],
		[366, 'age:1y 0'],
		[1095, 'age:2y 0'],
		[1097, 'age:3y 2'],
		[3652, 'age:9y 2'],
		[3653, 'age:10y 3'],
		[5500, 'age:15y 3'],
	])('%i days', (age, label) => {
		expect(said(makeFacts({ registration: registration({ age }) }), 'age')).toEqual([label]);
	});

	test.each<[string, Parameters<typeof registration>[0], readonly string[]]>([
		['unknown', {}, []],
		['a transfer a while ago', { transferred: 60 }, []],
		['a transfer a short while ago', { transferred: 59 }, ['age_event:transfer -4']],
		[
			'registered anew, and transferred: one event',
			{ reregistered: 59, transferred: 3 },
			['age_event:reregistration -4'],
		],
		['ends in two weeks', { expiresIn: 14 }, []],
		['ends sooner', { expiresIn: 13 }, ['age_event:expires_soon -2']],
		['ended', { expiresIn: -3 }, ['age_event:expires_soon -2']],
	])('%s', (_, days, labels) => {
		expect(said(makeFacts({ registration: registration(days) }), 'age')).toEqual(labels);
	});

	test('of a domain that the registry does not know is not known', () => {
		const facts = makeFacts({ registration: { kind: 'not_registered' } });
		expect([said(facts, 'age'), said(facts, 'parking'), ageInDays(facts)]).toEqual([[], [], null]);
	});
});

test.each<[string, boolean | null, boolean | null, readonly string[]]>([
	['acme.com', false, false, ['tld_risk:ordinary 0', 'wildcard:none 0']],
	['acme.top', true, true, ['tld_risk:high_abuse -4', 'wildcard:mx -4', 'wildcard:address -2']],
	['acme.gov.uk', null, false, ['tld_risk:restricted 1']],
	['acme.com', true, null, ['tld_risk:ordinary 0', 'wildcard:mx -4']],
])('%s with wildcards for mail %s and addresses %s', (domain, wildcardMx, wildcardAddress, labels) => {
	expect(said(makeFacts({ domain, dns: { wildcardMx, wildcardAddress } }), 'lists')).toEqual(labels);
});

const isOnSite = ({ where }: { where: PublishedWhere }): boolean =>
	where === 'site' || where === 'security_txt';

const published = (...where: PublishedWhere[]): DomainFacts => {
	const all = where.map((place) => ({ digest: addressDigest('info', 'acme.com'), where: place }));
	return makeFacts({
		publishedOnSite: all.filter(isOnSite),
		publishedInDns: all.filter((entry) => !isOnSite(entry)),
	});
};

describe('an address that its domain publishes', () => {
	test.each<[readonly PublishedWhere[], readonly string[]]>([
		[['site'], ['published:onsite 30']],
		[['security_txt'], ['published:onsite 30']],
		[['dmarc'], ['published:dns 30']],
		[['soa', 'caa', 'tls_rpt'], ['published:dns 30']],
		[['site', 'dmarc'], ['published:onsite 30']],
		[[], []],
	])('at %j', (where, labels) => {
		const facts = published(...where);
		const signals = publishedSignals(facts, 'Info');
		expect(signals.map(({ group, label, points }) => `${group} ${label} ${points}`)).toEqual(
			labels.map((label) => `footprint ${label}`),
		);
		expect(isPublished(facts, 'info')).toHaveLength(where.length);
		expect(publishedSignals(facts, 'info2')).toEqual([]);
	});

	test('is not known where it was not measured', () => {
		expect(publishedSignals(makeFacts(), 'info')).toEqual([]);
	});
});

test('a key directory speaks for an address, and never against it', () => {
	expect(wkdSignals('key').map(({ label, points }) => [label, points])).toEqual([['wkd:key', 25]]);
	expect(wkdSignals('none').map(({ points }) => points)).toEqual([0]);
	expect(wkdSignals(null)).toEqual([]);
});

// Facts in which everything that can be known is known, each in turn in all its forms.
const findings = fc.record({
	mtaSts: fc.constantFrom(null, 'enforce', 'testing', 'none', 'record', 'missing'),
	website: fc.constantFrom(
		null,
		'own',
		'default_page',
		'for_sale',
		'redirects_elsewhere',
		'redirects_sibling',
		'unreachable',
	),
	registration: fc.oneof(
		fc.constant(null),
		fc.constant({ kind: 'not_registered' } as const),
		fc
			.record(
				{
					age: fc.integer({ min: 0, max: 15_000 }),
					reregistered: fc.integer({ min: 0, max: 100 }),
					transferred: fc.integer({ min: 0, max: 100 }),
					expiresIn: fc.integer({ min: -10, max: 40 }),
					holds: fc.subarray(['client hold', 'server hold', 'redemption period', 'pending delete'] as const),
				},
				{ requiredKeys: [] },
			)
			.map(registration),
	),
	domain: fc.constantFrom('acme.com', 'acme.top', 'acme.gov'),
	dns: fc.record({
		spf: fc.constantFrom(null, 'ok', 'missing', 'several', 'sends_no_mail'),
		dmarc: fc.constantFrom(null, 'reject', 'quarantine', 'none', 'missing'),
		dkim: fc.constantFrom(null, 'selectors', 'none'),
		mtaSts: fc.constantFrom(null, 'record', 'missing'),
		tlsRpt: fc.constantFrom(null, 'present', 'missing'),
		bimi: fc.constantFrom(null, 'present', 'missing'),
		dnssec: fc.constantFrom(null, 'signed', 'unsigned'),
		dane: fc.constantFrom(null, 'present', 'missing'),
		parking: fc.constantFrom(
			null,
			{ kind: 'none' } as const,
			{ kind: 'alias', service: 'Sedo' } as const,
			{ kind: 'name_server', service: 'Sedo' } as const,
			{ kind: 'address', service: 'Sedo' } as const,
		),
		wildcardMx: fc.constantFrom(null, true, false),
		wildcardAddress: fc.constantFrom(null, true, false),
	}),
});

test('facts survive JSON, and labels are unique whatever is known', () => {
	fc.assert(
		fc.property(findings, (found) => {
			const facts = makeFacts(found);
			expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
			const signals = domainSignals(facts);
			const labels = signals.map(({ label }) => label);
			expect(new Set(labels).size).toBe(labels.length);
			for (const { label, text } of signals) {
				expect(label).toMatch(/^[a-z_]+:[a-z0-9_]+$/);
				expect(text).toMatch(/^[A-Z].+\.$/);
			}
		}),
	);
});

test('every weight of the table moves a signal, and only by its own name', () => {
	const moved = new Set<DomainWeight>();
	const names = Object.keys(DOMAIN_WEIGHTS) as DomainWeight[];
	// Each weight a number of its own: a signal's points tell which weight it took.
	const marked = Object.fromEntries(names.map((name, index) => [name, index + 1_000])) as Record<
		DomainWeight,
		number
	>;
	const note = (signals: readonly { points: number }[]): void => {
		for (const { points } of signals) moved.add(names[points - 1_000]!);
	};
	for (const found of fc.sample(findings, { numRuns: 3_000, seed: 7 }))
		note(domainSignals(makeFacts(found), marked));
	for (const where of ['site', 'soa'] as const) {
		const entry = [{ digest: addressDigest('info', 'acme.com'), where }];
		note(publishedSignals(makeFacts({ publishedInDns: entry }), 'info', marked));
	}
	for (const found of ['key', 'none'] as const) note(wkdSignals(found, marked));
	expect(names.filter((name) => !moved.has(name))).toEqual([]);
});
