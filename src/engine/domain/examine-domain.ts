import type { DomainFacts } from '../../core/catchall/domain-facts.ts';
import type { RdapServers } from '../../core/catchall/domain/rdap.ts';
import { findRegistrable } from '../../core/dns/registrable.ts';
import type { Asker } from '../../core/turns/who.ts';
import { NOT_TOLD } from '../../core/catchall/domain-facts.ts';
import type { DomainLookup, DomainPorts } from './port.ts';
import { lookAtWebsite, NO_SITE } from './look-at-website.ts';
import { lookUpDnsFacts, NO_DNS_FINDINGS } from './look-up-dns-facts.ts';
import { lookUpMtaSts } from './look-up-mta-sts.ts';
import { lookUpRegistration } from './look-up-registration.ts';
import { withinTime } from './within-time.ts';

export interface DomainSettings {
	readonly enabled: ReadonlySet<DomainLookup>;
	/** RDAP servers to use while the bootstrap file can't be fetched. */
	readonly bundledRdap: RdapServers;
}

/** The caller's part of an examination besides the domain. */
export interface DomainQuestion {
	/** The domain's mail hosts, best preference first. */
	readonly mailHosts: readonly string[];
	/** For whom we look. */
	readonly asker: Asker;
	/** Epoch ms. A later answer counts as not measured. */
	readonly deadline: number;
}

// Each kind of look-up has a budget of its own, so that a slow one does not shorten the others.
const BUDGETS_MS = { dns: 4_000, rdap: 5_000, website: 5_000, mta_sts: 3_000 } as const;

/** The longest that an examination takes. An MTA-STS policy is fetched only after the DNS look-ups, so both add up. */
export const EXAMINATION_MS_MAX = Math.max(
	BUDGETS_MS.dns + BUDGETS_MS.mta_sts,
	BUDGETS_MS.rdap,
	BUDGETS_MS.website,
);

/**
 * Looks up everything about a domain in parallel. Never throws: a look-up that fails, is late or is switched off is null
 * in the facts, so that no failure of ours or of a third party becomes a fact about the domain.
 */
export async function examineDomain(
	ports: DomainPorts,
	settings: DomainSettings,
	domain: string,
	{ mailHosts, asker, deadline }: DomainQuestion,
): Promise<DomainFacts> {
	const { clock } = ports;
	const registrable = findRegistrable(domain);
	const look = <T>(
		which: keyof typeof BUDGETS_MS,
		work: (limitMs: number) => Promise<T>,
	): Promise<T | null> => {
		const limitMs = Math.min(BUDGETS_MS[which], deadline - clock.now());
		return settings.enabled.has(which)
			? withinTime(clock, limitMs, () => work(limitMs))
			: Promise.resolve(null);
	};
	// Slightly less than the budget, so that the look-up ends before it is cut off and keeps the answers so far.
	const dnsWork = look('dns', (limitMs) => lookUpDnsFacts(ports, domain, mailHosts, limitMs - MARGIN_MS));
	const [dns, site, registration, mtaSts] = await Promise.all([
		dnsWork,
		look('website', (limitMs) => lookAtWebsite(ports, domain, limitMs)),
		// Under a private suffix such as uk.com, the registration's age is the suffix's, not the domain's.
		registrable === null || registrable.isPrivate || !settings.enabled.has('rdap')
			? null
			: look('rdap', (limitMs) =>
					lookUpRegistration(ports, settings.bundledRdap, registrable.domain, { asker, limitMs }),
				).then((found) => (found === 'not_known' ? null : (found ?? NOT_TOLD))),
		dnsWork.then((found) =>
			found?.facts.mtaSts === 'record'
				? look('mta_sts', (limitMs) => lookUpMtaSts(ports, domain, limitMs))
				: null,
		),
	]);
	const { facts, published } = dns ?? NO_DNS_FINDINGS;
	return {
		domain,
		registrable: registrable?.domain ?? null,
		measuredAt: clock.now(),
		dns: facts,
		mtaSts: mtaSts ?? facts.mtaSts,
		website: (site ?? NO_SITE).website,
		registration,
		publishedInDns: published,
		publishedOnSite: (site ?? NO_SITE).published,
	};
}

const MARGIN_MS = 50;
