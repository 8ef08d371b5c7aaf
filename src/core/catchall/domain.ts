import { NOT_TOLD } from './domain/rdap.ts';
import type { Registration } from './domain/rdap.ts';
import type { ParkingFinding, WebsiteFinding } from './domain/website.ts';
import { finding } from './table.ts';
import type { Finding } from './table.ts';
import { sha256Hex } from '../../lib/digest.ts';
import { DAY_MS } from '../../lib/time.ts';

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

/** The reading of a domain's SPF record (RFC 7208). */
export type SpfFinding = 'ok' | 'missing' | 'several' | 'sends_no_mail';

/** Finds the SPF record among all TXT records of a domain. */
export function readSpf(texts: readonly string[]): SpfFinding {
	// RFC 7208 §4.5: the version is the whole first word.
	const records = texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
	if (records.length > 1) return 'several';
	const [record] = records;
	if (record === undefined) return 'missing';
	return record.slice('v=spf1'.length).trim().toLowerCase() === '-all' ? 'sends_no_mail' : 'ok';
}

/** The treatment that a domain requests for mail that fails authentication (RFC 7489). */
export type DmarcFinding = 'reject' | 'quarantine' | 'none' | 'missing';

/** The policy in the TXT records of `_dmarc.<domain>`. With more than one record there is none (RFC 7489 §6.6.3). */
export function readDmarc(texts: readonly string[]): DmarcFinding {
	const records = texts.filter((text) => /^\s*v\s*=\s*DMARC1\s*(?:;|$)/i.test(text));
	const [record = ''] = records.length === 1 ? records : [];
	const [, policy = 'missing'] = /;\s*p\s*=\s*(reject|quarantine|none)\s*(?:;|$)/i.exec(record) ?? [];
	return policy.toLowerCase() as DmarcFinding;
}

// More than any honest page publishes.
const ADDRESSES_MAX = 200;
// 96 bits: two addresses do not collide by accident.
const DIGEST_LENGTH = 24;

/**
 * The digest of an address in the facts, which are kept for a week and must not hold people's addresses. Letter case is
 * ignored: people publish one mailbox in any case.
 */
export function addressDigest(localPart: string, domain: string): string {
	return sha256Hex(`${localPart.toLowerCase()}@${domain.toLowerCase()}`).slice(0, DIGEST_LENGTH);
}

/** Digests of the domain's own addresses among the `mailto:` URIs in a text (RFC 6068), at most two hundred. */
export function readMailtos(text: string, domain: string): readonly string[] {
	const ending = `@${domain.toLowerCase()}`;
	const localParts = new Set<string>();
	for (const [, encoded = ''] of text.matchAll(/mailto:([^\s"'<>?]{3,400})/gi)) {
		for (const part of decodeText(encoded).toLowerCase().split(',')) {
			const localPart = part.trim().slice(0, -ending.length);
			if (part.trim().endsWith(ending) && /^[^\s"@]{1,64}$/.test(localPart)) localParts.add(localPart);
		}
	}
	return [...localParts].slice(0, ADDRESSES_MAX).map((localPart) => addressDigest(localPart, domain));
}

/** Decodes character references and percent-encoding, which pages use to write an `@`, or all of an address. */
function decodeText(text: string): string {
	const plain = text
		.replaceAll(/&#(x[\da-f]{1,5}|\d{1,6});/gi, (_, code: string) =>
			String.fromCodePoint(Number(code.replace(/^x/i, '0x'))),
		)
		.replaceAll('&commat;', '@')
		.replaceAll('&amp;', '&');
	try {
		return decodeURIComponent(plain);
	} catch {
		return plain;
	}
}
