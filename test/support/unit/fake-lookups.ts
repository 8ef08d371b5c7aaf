import type { DomainFacts } from '../../../src/core/catchall/domain.ts';
import type { ExaminePorts } from '../../../src/engine/case.ts';
import { makeFacts, registration } from './domain-facts.ts';

/** The facts of an ordinary domain: twelve years old, with mail policies and a website. */
function healthy(domain: string): DomainFacts {
	return makeFacts({
		domain,
		spf: 'ok',
		dmarc: 'reject',
		parking: { kind: 'none' },
		website: 'own',
		registration: registration({ age: 12 * 366 }),
	});
}

/** Look-ups of ordinary domains, which record what they were asked. */
export function fakeLookups() {
	const asked: string[] = [];
	const ports: Pick<ExaminePorts, 'examineDomain'> = {
		examineDomain: async (domain) => {
			asked.push(domain);
			return healthy(domain);
		},
	};
	return { ...ports, asked };
}
