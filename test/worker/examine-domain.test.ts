import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { lookUpsOf } from '../../src/services.ts';
import { readConfig } from '../../src/config.ts';
import { domainFindings } from '../../src/core/catchall/domain.ts';
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

	test('is asked about once', async () => {
		const first = await examine('well-kept.test');
		const again = await examine('well-kept.test');
		expect({ ...again, measuredAt: 0 }).toEqual({ ...first, measuredAt: 0 });
	});
});
