import { NO_DNS_FACTS } from '../../../src/core/catchall/domain-facts.ts';
import type { DomainFacts } from '../../../src/core/catchall/domain-facts.ts';
import type { JudgePorts } from '../../../src/operations/judge-catch-all.ts';

const DAY_MS = 86_400_000;

/** A domain of which nothing could be looked up. */
export function unmeasured(domain: string): DomainFacts {
	return {
		domain,
		registrable: domain,
		measuredAt: 0,
		dns: NO_DNS_FACTS,
		mtaSts: null,
		website: null,
		registration: null,
		publishedInDns: null,
		publishedOnSite: null,
	};
}

/** A domain as most are: twelve years old, with policies for its mail and a website. */
export function healthy(domain: string): DomainFacts {
	const since = -12 * 366 * DAY_MS;
	return {
		...unmeasured(domain),
		dns: { ...NO_DNS_FACTS, spf: 'ok', dmarc: 'reject', dkim: 'selectors', parking: { kind: 'none' } },
		website: 'own',
		registration: {
			kind: 'registered',
			since,
			reregisteredAt: null,
			transferredAt: null,
			expiresAt: null,
			holds: [],
		},
	};
}

/** Look-ups that find what is given, and tell how often they were asked. */
export function fakeLookups(factsOf: (domain: string) => DomainFacts = healthy) {
	const asked: string[] = [];
	const ports: JudgePorts = {
		examineDomain: async (domain) => {
			asked.push(domain);
			return factsOf(domain);
		},
		lookUpWkd: async () => null,
	};
	return { ...ports, asked };
}
