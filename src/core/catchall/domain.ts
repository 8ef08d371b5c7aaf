import { DAY_MS } from '../../lib/time.ts';
import type { DmarcFinding, SpfFinding } from './domain/mail-policies.ts';
import { addressDigest } from './domain/published.ts';
import type { Registration } from './domain/rdap.ts';
import type { ParkingFinding, WebsiteFinding } from './domain/website.ts';
import { finding } from './table.ts';
import type { Finding } from './table.ts';

/** The registry may know how old the domain is, and did not tell us in time. */
export const NOT_TOLD = 'not_told';

/**
 * Everything known about a domain. Null means not measured (too late, failed or switched off), which costs coverage but
 * never points. Plain JSON, without any person's address.
 */
export interface DomainFacts {
	/** A-labels, lower case. */
	readonly domain: string;
	/** Epoch ms; ages are relative to it. */
	readonly measuredAt: number;
	readonly spf: SpfFinding | null;
	readonly dmarc: DmarcFinding | null;
	readonly parking: ParkingFinding | null;
	readonly website: WebsiteFinding | null;
	/** Digests of the domain's own addresses on its website. */
	readonly published: readonly string[] | null;
	/** Null: switched off, or no registry has it. */
	readonly registration: Registration | typeof NOT_TOLD | null;
}

/** Whether the registry has deleted the domain, or is about to. */
export function hasEnded({ registration }: DomainFacts): boolean {
	const holds = registration === null || registration === NOT_TOLD ? [] : registration.holds;
	return holds.some((hold) => hold === 'redemption period' || hold === 'pending delete');
}

/** The findings about an address of the domain. A fact that was not measured gives no finding. */
export function domainFindings(facts: DomainFacts, localPart: string): readonly Finding[] {
	const { spf, dmarc, published, domain } = facts;
	const isPublished = published?.includes(addressDigest(localPart, domain)) === true;
	return [
		...(spf === null ? [] : [finding(`spf:${spf}`)]),
		...(dmarc === null ? [] : [finding(`dmarc:${dmarc}`)]),
		...lifeFindings(facts),
		...ageFindings(facts),
		...(isPublished ? [finding('published:onsite')] : []),
	];
}

/** Whether the domain is in use. The first of several signs that it is not counts: they are one fact. */
function lifeFindings({ registration, parking, website }: DomainFacts): readonly Finding[] {
	const isRegistered = registration !== null && registration !== NOT_TOLD;
	const [hold] = isRegistered ? registration.holds : [];
	if (hold !== undefined) return [finding('rdap_status:hold', '', `rdap_status:${hold.replace(' ', '_')}`)];
	const alive = isRegistered ? [finding('rdap_status:ok')] : [];
	if (parking !== null && parking.kind !== 'none')
		return [...alive, finding('parking:found', parking.sign, `parking:${parking.kind}`)];
	if (parking !== null) alive.push(finding('parking:none'));
	return website === null ? alive : [...alive, finding(`website:${website}`)];
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
	return [finding(`age:${step}`, words, `age:${age}`)];
}

/** Whole days since the domain was last registered; null: not known. */
export function ageInDays({ registration, measuredAt }: DomainFacts): number | null {
	if (registration === null || registration === NOT_TOLD || registration.since === null) return null;
	return Math.max(0, Math.floor((measuredAt - registration.since) / DAY_MS));
}
