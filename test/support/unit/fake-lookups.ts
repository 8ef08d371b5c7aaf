import type { DomainFacts } from '../../../src/core/catchall/domain-facts.ts';
import type { JudgePorts } from '../../../src/engine/judge-catch-all.ts';
import { makeFacts, registration } from './domain-facts.ts';

/** A domain of which nothing could be looked up. */
export function unmeasured(domain: string): DomainFacts {
	return makeFacts({ domain, registrable: domain });
}

/** A domain as most are: twelve years old, with policies for its mail and a website. */
export function healthy(domain: string): DomainFacts {
	return makeFacts({
		domain,
		registrable: domain,
		dns: { spf: 'ok', dmarc: 'reject', dkim: 'selectors', parking: { kind: 'none' } },
		website: 'own',
		registration: registration({ age: 12 * 366 }),
	});
}

/** Look-ups that find what is given, and tell what they were asked. */
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
