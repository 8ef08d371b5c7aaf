import { NO_DNS_FACTS, NOT_TOLD } from '../../core/catchall/domain.ts';
import type { DomainFacts } from '../../core/catchall/domain.ts';
import type { RdapServers } from '../../core/catchall/domain/rdap.ts';
import { findRegistrable } from '../../core/dns/registrable.ts';
import { lookAtWebsite, NO_SITE } from './look-at-website.ts';
import { lookUpDnsFacts } from './look-up-dns-facts.ts';
import { lookUpRegistration } from './look-up-registration.ts';
import { BUDGETS_MS } from './port.ts';
import type { DomainLookup, DomainPorts } from './port.ts';
import { withinTime } from './within-time.ts';

export interface DomainSettings {
	readonly enabled: ReadonlySet<DomainLookup>;
	/** RDAP servers to use while the bootstrap file can't be fetched. */
	readonly bundledRdap: RdapServers;
}

// Slightly less than the budget, so that the look-up ends before it is cut off and keeps the answers so far.
const MARGIN_MS = 50;

/**
 * Looks up everything about a domain in parallel. Never throws: a look-up that fails, is late or is switched off is null
 * in the facts, so that no failure of ours or of a third party becomes a fact about the domain.
 * @param deadline epoch ms; a later answer counts as not measured
 */
export async function examineDomain(
	ports: DomainPorts,
	settings: DomainSettings,
	domain: string,
	deadline: number,
): Promise<DomainFacts> {
	const { clock } = ports;
	const registrable = findRegistrable(domain);
	const look = <T>(which: DomainLookup, work: (limitMs: number) => Promise<T>): Promise<T | null> => {
		const limitMs = Math.min(BUDGETS_MS[which], deadline - clock.now());
		return settings.enabled.has(which)
			? withinTime(clock, limitMs, () => work(limitMs))
			: Promise.resolve(null);
	};
	const [dns, site, registration] = await Promise.all([
		look('dns', (limitMs) => lookUpDnsFacts(ports, domain, limitMs - MARGIN_MS)),
		look('website', (limitMs) => lookAtWebsite(ports, domain, limitMs)),
		// Under a private suffix such as uk.com, the registration's age is the suffix's, not the domain's.
		registrable === null || registrable.isPrivate || !settings.enabled.has('rdap')
			? null
			: look('rdap', (limitMs) =>
					lookUpRegistration(ports, settings.bundledRdap, registrable.domain, limitMs),
				).then((found) => (found === 'not_known' ? null : (found ?? NOT_TOLD))),
	]);
	return { domain, measuredAt: clock.now(), ...(dns ?? NO_DNS_FACTS), ...(site ?? NO_SITE), registration };
}
