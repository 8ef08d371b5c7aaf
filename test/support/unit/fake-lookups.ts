import type { DomainFacts } from '../../../src/core/catchall/domain.ts';
import type { ExaminePorts } from '../../../src/engine/case.ts';
import { makeFacts, registration } from './domain-facts.ts';

/** The facts of a domain where no look-up succeeded. */
export function unmeasured(domain: string): DomainFacts {
	return makeFacts({ domain });
}

/** The facts of an ordinary domain: twelve years old, with mail policies and a website. */
export function healthy(domain: string): DomainFacts {
	return makeFacts({
		domain,
		spf: 'ok',
		dmarc: 'reject',
		parking: { kind: 'none' },
		website: 'own',
		registration: registration({ age: 12 * 366 }),
	});
}

/** Look-ups that return the given facts and record what they were asked. */
export function fakeLookups(factsOf: (domain: string) => DomainFacts = healthy) {
	const asked: string[] = [];
	const ports: Pick<ExaminePorts, 'examineDomain'> = {
		examineDomain: async (domain) => {
			asked.push(domain);
			return factsOf(domain);
		},
	};
	return { ...ports, asked };
}
