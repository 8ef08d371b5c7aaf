import type { DkimFinding, DmarcFinding, MtaStsFinding, SpfFinding } from './domain/mail-policies.ts';
import type { ParkingFinding, WebsiteFinding } from './domain/website.ts';
import { addressDigest } from './domain/published.ts';
import type { PublishedAddress, PublishedWhere } from './domain/published.ts';
import type { Registration } from './domain/rdap.ts';
import { DAY_MS } from '../../lib/time.ts';

/** The registry may know how old the domain is, and did not tell us in time. */
export const NOT_TOLD = { kind: 'not_told' } as const;

/**
 * Everything known about a domain. Null means not measured (too late, failed or switched off), which costs coverage but
 * never points. Plain JSON, without any person's address.
 */
export interface DomainFacts {
	/** A-labels, lower case. */
	readonly domain: string;
	/** The registrable domain, by the public suffix list; null for a public suffix itself. */
	readonly registrable: string | null;
	/** Epoch ms; ages are relative to it. */
	readonly measuredAt: number;
	readonly dns: DnsFacts;
	readonly mtaSts: MtaStsFinding | null;
	readonly website: WebsiteFinding | null;
	/** Null: switched off, or no registry has it. */
	readonly registration: Registration | typeof NOT_TOLD | null;
	/** The domain's own addresses that it publishes in the DNS; null: not looked for. */
	readonly publishedInDns: readonly PublishedAddress[] | null;
	/** The same on its website and in its security.txt. */
	readonly publishedOnSite: readonly PublishedAddress[] | null;
}

/** The DNS's facts about a domain, apart from its mail route. */
export interface DnsFacts {
	readonly spf: SpfFinding | null;
	readonly dmarc: DmarcFinding | null;
	readonly dkim: DkimFinding | null;
	/** The DNS record only; `DomainFacts.mtaSts` includes the policy. */
	readonly mtaSts: 'record' | 'missing' | null;
	readonly tlsRpt: 'present' | 'missing' | null;
	readonly bimi: 'present' | 'missing' | null;
	readonly dnssec: 'signed' | 'unsigned' | null;
	readonly dane: 'present' | 'missing' | null;
	readonly parking: ParkingFinding | null;
	/** Whether random names below the domain have records, too. */
	readonly wildcardMx: boolean | null;
	readonly wildcardAddress: boolean | null;
}

/** The facts of a domain about which nothing was measured. */
export const NO_DNS_FACTS: DnsFacts = {
	spf: null,
	dmarc: null,
	dkim: null,
	mtaSts: null,
	tlsRpt: null,
	bimi: null,
	dnssec: null,
	dane: null,
	parking: null,
	wildcardMx: null,
	wildcardAddress: null,
};

/**
 * The places where the domain publishes the address of this local part. Empty: it does not, or that was not measured.
 */
export function isPublished(facts: DomainFacts, localPart: string): readonly PublishedWhere[] {
	const digest = addressDigest(localPart, facts.domain);
	const all = [...(facts.publishedOnSite ?? []), ...(facts.publishedInDns ?? [])];
	return [...new Set(all.filter((published) => published.digest === digest).map(({ where }) => where))];
}

/** Whole days since the domain was last registered; null: not known. */
export function ageInDays({ registration, measuredAt }: DomainFacts): number | null {
	if (registration?.kind !== 'registered' || registration.since === null) return null;
	return Math.max(0, Math.floor((measuredAt - registration.since) / DAY_MS));
}
