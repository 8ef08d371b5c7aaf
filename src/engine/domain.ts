import { readDmarc, readSpf, readMailtos } from '../core/catchall/domain.ts';
import type { DomainFacts } from '../core/catchall/domain.ts';
import { NOT_TOLD } from '../core/catchall/domain/rdap.ts';
import {
	readParking,
	findContactPage,
	isAllowedByRobots,
	readPage,
	isMarketPlace,
} from '../core/catchall/domain/website.ts';
import { findRegistrable, isSameRegistrable } from '../core/dns/registrable.ts';
import type { LookedUpType, RecordSource } from '../core/dns/resolver.ts';
import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { ExpiringMap } from '../lib/expiring-map.ts';
import { DAY_MS, within } from '../lib/time.ts';
import type { Clock } from '../lib/time.ts';
import type { WebAnswer, WebReader } from '../net/public-web.ts';
import type { RegistryReader } from '../net/rdap-client.ts';

export interface DomainPorts {
	readonly clock: Clock;
	readonly records: RecordSource;
	/** Null: no website is looked at. */
	readonly web: WebReader | null;
	/** The websites that the isolate remembers, by domain. */
	readonly sites: ExpiringMap<Site>;
	readonly registrationOf: RegistryReader;
}

const BUDGET_MS = 5_000;

/**
 * Looks up everything about a domain in parallel. Never throws: a look-up that fails or is late is null in the facts, so
 * that no failure of ours or of a third party becomes a fact about the domain.
 * @param deadline epoch ms; a later answer counts as not measured
 */
export async function examineDomain(
	ports: DomainPorts,
	domain: string,
	deadline: number,
): Promise<DomainFacts> {
	const { clock, records } = ports;
	const ends = Math.min(clock.now() + BUDGET_MS, deadline);
	/** The result; null (not measured) where the work fails or is late. Late work goes on, to fill the memory. */
	const measured = async <T>(work: (limitMs: number) => Promise<T>): Promise<T | null> => {
		const limitMs = ends - clock.now();
		if (limitMs <= 0) return null;
		// The port itself reports an outage; any other failure is a bug of ours, which costs one finding.
		const found = work(limitMs).catch((error: unknown) => {
			if (!(error instanceof ServiceError)) log('look_up_failed', describeError(error));
			return null;
		});
		return within(found, limitMs, clock);
	};
	/** The records; empty where there are none, null where the DNS did not answer in time. */
	const list = async (name: string, type: LookedUpType): Promise<readonly string[] | null> => {
		const answer = await measured(() => records.look(name, type));
		if (answer === null || answer.kind === 'failed') return null;
		return answer.kind === 'records' ? answer.records : [];
	};
	const registrable = findRegistrable(domain);
	const above = registrable?.domain ?? domain;
	// Under a private suffix such as uk.com, the registration's age is the suffix's, not the domain's.
	const isRegistered = registrable !== null && !registrable.isPrivate;
	const [texts, policies, served, site, registration] = await Promise.all([
		list(domain, 'TXT'),
		list(`_dmarc.${domain}`, 'TXT'),
		Promise.all([list(above, 'NS'), list(domain, 'A'), list(`www.${domain}`, 'CNAME')]),
		measured((limitMs) => lookAtWebsite(ports, domain, limitMs)),
		isRegistered
			? measured(async (limitMs) => ({ told: await ports.registrationOf(above, limitMs) }))
			: { told: null },
	]);
	return {
		domain,
		measuredAt: clock.now(),
		spf: texts === null ? null : readSpf(texts),
		dmarc: policies === null ? null : readDmarc(policies),
		parking: readParking(...served),
		...(site ?? NO_SITE),
		registration: registration === null ? NOT_TOLD : registration.told,
	};
}

/** The nature of a domain's website, and the domain's own addresses on it. */
export type Site = Pick<DomainFacts, 'website' | 'published'>;

const NO_SITE: Site = { website: null, published: null };

// Kept longer, a name that ran out may have another owner.
const KEPT_MS = 7 * DAY_MS;
// For this long a site that could not be read is not visited again.
const UNSEEN_KEPT_MS = 600_000;
const PAGE_OCTETS_MAX = 65_536;

/** Reads the home page, and at most one contact page, as robots.txt allows. Null: could not be read. */
export async function lookAtWebsite(
	{ sites, clock, web }: DomainPorts,
	domain: string,
	limitMs: number,
): Promise<Site> {
	if (web === null) return NO_SITE;
	const ends = clock.now() + limitMs;
	const known = sites.get(domain, clock.now());
	if (known !== undefined) return known;
	let isSeen = true;
	const site = await look(async (url) => {
		const answer = await web(url, {
			limitMs: ends - clock.now(),
			octetsMax: PAGE_OCTETS_MAX,
			accept: 'text/html, text/plain, */*;q=0.1',
			admits: (host) => isSameRegistrable(host, domain),
		});
		isSeen &&= !isUnseen(answer);
		return answer;
	}, domain);
	// A page that could not be fetched may publish the address in question, so such findings expire soon.
	const keptMs = isSeen && site.website !== null ? KEPT_MS : UNSEEN_KEPT_MS;
	sites.set(domain, site, clock.now() + keptMs);
	return site;
}

/** Nothing is known of the page: the server did not answer, or not yet. */
function isUnseen(answer: WebAnswer): boolean {
	return (
		answer.kind === 'failed' || (answer.kind === 'page' && (answer.status >= 500 || answer.status === 429))
	);
}

async function look(visit: (url: string) => Promise<WebAnswer>, domain: string): Promise<Site> {
	let host = domain;
	let robots = await visit(`https://${host}/robots.txt`);
	if (robots.kind === 'no_address') {
		host = `www.${domain}`;
		robots = await visit(`https://${host}/robots.txt`);
	}
	if (robots.kind === 'no_address') return { website: 'unreachable', published: [] };
	const home = `https://${host}/`;
	// RFC 9309 §2.3.1.4: while robots.txt can't be had, nothing may be fetched.
	if (isUnseen(robots) || !isAllowedByRobots(textOf(robots), home)) return NO_SITE;
	const page = await visit(home);
	if (page.kind === 'left')
		return { website: isMarketPlace(page.host) ? 'for_sale' : 'redirects', published: [] };
	// Anything but a 200 (a server error, a bot wall, a forbidden page) says nothing about the site.
	if (page.kind !== 'page' || page.status !== 200) return NO_SITE;
	const website = readPage(page.text);
	if (website !== 'own') return { website, published: [] };
	const contact = findContactPage(page.text, page.url);
	const mayRead = contact !== null && isAllowedByRobots(textOf(robots), contact);
	const texts = [page.text, mayRead ? textOf(await visit(contact)) : ''];
	return { website, published: texts.flatMap((text) => readMailtos(text, domain)) };
}

function textOf(answer: WebAnswer): string {
	return answer.kind === 'page' && answer.status === 200 ? answer.text : '';
}
