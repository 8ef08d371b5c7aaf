import { DAY_MS } from '../../lib/time.ts';
import type { CoverageItem } from './breakdown.ts';
import type { DmarcFinding, SpfFinding } from './domain/mail-policies.ts';
import { addressDigest } from './domain/published.ts';
import type { Registration } from './domain/rdap.ts';
import type { ParkingFinding, WebsiteFinding } from './domain/website.ts';
import { finding } from './table.ts';
import type { Finding } from './table.ts';

/** The registry may know how old the domain is, and did not tell us in time. */
export const NOT_TOLD = { kind: 'not_told' } as const;

/**
 * Everything known about a domain. Null means not measured (too late, failed or switched off), which costs coverage but
 * never points. Plain JSON, without any person's address.
 */
export interface DomainFacts extends DnsFacts {
	/** A-labels, lower case. */
	readonly domain: string;
	/** Epoch ms; ages are relative to it. */
	readonly measuredAt: number;
	readonly website: WebsiteFinding | null;
	/** Digests of the domain's own addresses on its website. */
	readonly published: readonly string[] | null;
	/** Null: switched off, or no registry has it. */
	readonly registration: Registration | typeof NOT_TOLD | null;
}

/** The DNS's facts about a domain, apart from its mail route. */
export interface DnsFacts {
	readonly spf: SpfFinding | null;
	readonly dmarc: DmarcFinding | null;
	readonly parking: ParkingFinding | null;
}

/** The facts of a domain about which nothing was measured. */
export const NO_DNS_FACTS: DnsFacts = { spf: null, dmarc: null, parking: null };

/** The items of evidence that could be measured for a domain. */
export function measuredOf(facts: DomainFacts): readonly CoverageItem[] {
	const measured: CoverageItem[] = [];
	if (facts.spf !== null && facts.dmarc !== null) measured.push('auth');
	if (facts.website !== null) measured.push('web');
	if (facts.parking !== null) measured.push('parking');
	if (ageInDays(facts) !== null) measured.push('age');
	return measured;
}

/** Whether the registry has deleted the domain, or is about to. */
export function hasEnded({ registration }: DomainFacts): boolean {
	if (registration?.kind !== 'registered') return false;
	return registration.holds.some((hold) => hold === 'redemption period' || hold === 'pending delete');
}

/** The findings about an address of the domain. A fact that was not measured gives no finding. */
export function domainFindings(facts: DomainFacts, localPart: string): readonly Finding[] {
	const { spf, dmarc } = facts;
	const found: Finding[] = [];
	if (spf !== null) found.push(finding(`spf:${spf}`, SPF_TEXTS[spf]));
	if (dmarc !== null) found.push(finding(`dmarc:${dmarc}`, DMARC_TEXTS[dmarc]));
	found.push(...lifeFindings(facts), ...ageFindings(facts));
	if (facts.published?.includes(addressDigest(localPart, facts.domain)) === true)
		found.push(finding('published:onsite', 'The domain publishes this address on its own website.'));
	return found;
}

const SPF_TEXTS: Readonly<Record<SpfFinding, string>> = {
	ok: 'The domain says which servers send its mail (SPF).',
	missing: 'The domain does not say which servers send its mail (no SPF).',
	several: 'The domain has several SPF records, which is an error.',
	sends_no_mail: 'The domain declares that it sends no mail at all (SPF -all).',
};

const DMARC_TEXTS: Readonly<Record<DmarcFinding, string>> = {
	reject: 'DMARC policy “reject”: the domain manages its mail.',
	quarantine: 'DMARC policy “quarantine”: the domain manages its mail.',
	none: 'DMARC policy “none”: the domain watches its mail.',
	missing: 'The domain has no DMARC policy.',
};

const WEBSITE_TEXTS: Readonly<Record<WebsiteFinding, string>> = {
	own: 'The domain has a website of its own.',
	unreachable: 'The domain has no website: neither it nor its www name has an address.',
	default_page: 'The domain shows nothing but the default page of a web server.',
	for_sale: 'The domain’s website offers the domain for sale.',
	redirects_elsewhere: 'The domain’s website leads to a domain of another name.',
	redirects_sibling: 'The domain’s website leads to the same name under another ending.',
};

/** Whether the domain is in use. The first of several signs that it is not counts: they are one fact. */
function lifeFindings({ registration, parking, website }: DomainFacts): readonly Finding[] {
	const [hold] = registration?.kind === 'registered' ? registration.holds : [];
	if (hold !== undefined) {
		const text = 'The registry has switched the domain off, or is about to.';
		return [finding('rdap_status:hold', text, `rdap_status:${hold.replace(' ', '_')}`)];
	}
	const alive =
		registration?.kind === 'registered'
			? [finding('rdap_status:ok', 'The registry has no hold on the domain.')]
			: [];
	if (parking !== null && parking.kind !== 'none') {
		const by = { name_server: 'name servers', address: 'address', alias: 'alias' }[parking.kind];
		const text = `Its ${by} are those of a parking service (${parking.service}).`;
		return [...alive, finding('parking:found', text, `parking:${parking.kind}`)];
	}
	if (parking !== null)
		alive.push(finding('parking:none', 'No name server or address of a parking service.'));
	return website === null ? alive : [...alive, finding(`website:${website}`, WEBSITE_TEXTS[website])];
}

const YEAR_DAYS = 365;
const NEW_DAYS = 90;

function ageFindings(facts: DomainFacts): readonly Finding[] {
	const days = ageInDays(facts);
	if (days === null) return [];
	const years = Math.floor(days / 365.25);
	const [age, words] = days <= YEAR_DAYS ? [`${days}d`, `${days} days`] : [`${years}y`, `${years} years`];
	const step =
		days < NEW_DAYS ? 'days' : days <= YEAR_DAYS ? 'months' : days <= 3 * YEAR_DAYS ? 'years' : 'long';
	return [finding(`age:${step}`, `The domain was registered ${words} ago.`, `age:${age}`)];
}

/** Whole days since the domain was last registered; null: not known. */
function ageInDays({ registration, measuredAt }: DomainFacts): number | null {
	if (registration?.kind !== 'registered' || registration.since === null) return null;
	return Math.max(0, Math.floor((measuredAt - registration.since) / DAY_MS));
}
