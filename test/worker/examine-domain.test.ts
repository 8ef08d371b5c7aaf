import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { lookUpsOf } from '../../src/services.ts';
import { readConfig } from '../../src/config.ts';
import { ageInDays, domainFindings, NOT_TOLD } from '../../src/core/catchall/domain.ts';
import type { DomainFacts } from '../../src/core/catchall/domain.ts';
import { ExpiringMap } from '../../src/lib/expiring-map.ts';
import { sleep } from '../../src/lib/time.ts';
import { DohResolver } from '../../src/net/doh-resolver.ts';

// The whole way, in workerd: DNS over HTTPS and RDAP of the sandbox over real sockets, the platform's own cache.

const config = readConfig(env);
const clock = { now: () => Date.now(), sleep };
const resolver = new DohResolver(config.DOH_URL, new ExpiringMap(100), clock);
const examineDomain = lookUpsOf(config, resolver);
const examine = (domain: string): Promise<DomainFacts> => examineDomain(domain, Date.now() + 15_000);
const labels = (facts: DomainFacts): readonly string[] =>
	domainFindings(facts, 'ada').map(({ label }) => label);

describe('a domain of the sandbox', () => {
	test('that is well kept shows all of it', async () => {
		const facts = await examine('well-kept.test');
		expect(labels(facts)).toEqual(['spf:ok', 'dmarc:reject', 'rdap_status:ok', 'parking:none', 'age:15y']);
		// In development nobody's website is looked at.
		expect([facts.website, facts.published]).toEqual([null, null]);
	});

	test.each<[string, readonly string[]]>([
		['parked.test', ['parking:name_server', 'spf:sends_no_mail', 'age:5d']],
		['newborn.test', ['age:3d', 'parking:none', 'rdap_status:ok', 'spf:missing']],
		['reborn.test', ['age:20d', 'dmarc:missing']],
		['on-hold.test', ['rdap_status:client_hold']],
	])('%s: %j', async (domain, expected) => {
		expect(labels(await examine(domain))).toEqual(expect.arrayContaining([...expected]));
	});

	test.each(['servfail.test', 'dns-garbage.test'])(
		'whose DNS is broken has no facts there: %s',
		async (domain) => {
			const facts = await examine(domain);
			expect([facts.spf, facts.dmarc, facts.parking]).toEqual([null, null, null]);
		},
	);

	test('that the registry does not know, or will not speak of, has no age', async () => {
		expect((await examine('rdap-unknown.test')).registration).toBeNull();
		for (const domain of ['rdap-garbage.test', 'rdap-busy.test', 'catch-all.test']) {
			const facts = await examine(domain);
			// The last one only because the registry asked for two minutes of peace.
			expect([domain, facts.registration, facts.spf]).toEqual([domain, NOT_TOLD, 'missing']);
			expect(ageInDays(facts)).toBeNull();
		}
	});

	test('is asked about once', async () => {
		const first = await examine('well-kept.test');
		const again = await examine('well-kept.test');
		expect({ ...again, measuredAt: 0 }).toEqual({ ...first, measuredAt: 0 });
	});
});

test.each([
	['well-kept.test', 'MX', ['mx.well-kept.test']],
	['parked.test', 'NS', ['ns1.sedoparking.com', 'ns2.sedoparking.com']],
	['alias.test', 'CNAME', ['inbox.test']],
] as const)('the record of %s %s is %j', async (name, type, records) => {
	expect(await resolver.look(name, type)).toEqual({ kind: 'records', records });
});
