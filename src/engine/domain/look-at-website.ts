import type { DomainFacts } from '../../core/catchall/domain.ts';
import { readMailtos } from '../../core/catchall/domain/published.ts';
import { isSameRegistrable } from '../../core/dns/registrable.ts';
import {
	findContactPath,
	isAllowedByRobots,
	readPage,
	readRedirect,
} from '../../core/catchall/domain/website.ts';
import type { DomainPorts, WebAnswer } from './port.ts';

/** The nature of a domain's website, and the domain's own addresses on it. */
type SiteFindings = Pick<DomainFacts, 'website' | 'published'>;

export const NO_SITE: SiteFindings = { website: null, published: null };

const PAGE_OCTETS_MAX = 65_536;
const REDIRECTS_MAX = 3;
const KEPT_SECONDS = 7 * 86_400;
// For this long a site that could not be read is not visited again.
const UNSEEN_KEPT_SECONDS = 600;

/** Reads the home page, and at most one contact page, as robots.txt allows. Null: could not be read. */
export async function lookAtWebsite(
	{ cache, clock, web }: DomainPorts,
	domain: string,
	limitMs: number,
): Promise<SiteFindings> {
	const ends = clock.now() + limitMs;
	const key = `web/2/${domain}`;
	const remembered = await cache.get(key);
	if (remembered !== undefined) return remembered as SiteFindings;
	const visit = (url: string): Promise<WebAnswer> =>
		web.get(url, {
			limitMs: ends - clock.now(),
			octetsMax: PAGE_OCTETS_MAX,
			redirectsMax: REDIRECTS_MAX,
			within: (host) => isSameRegistrable(host, domain),
		});
	const answers: WebAnswer[] = [];
	const found = await look(async (url) => {
		const answer = await visit(url);
		answers.push(answer);
		return answer;
	}, domain);
	// A page that could not be fetched may publish the address in question, so such findings expire soon.
	const isSeen = found.website !== null && !answers.some(isUnseen);
	await cache.put(key, found, isSeen ? KEPT_SECONDS : UNSEEN_KEPT_SECONDS);
	return found;
}

type Visit = (url: string) => Promise<WebAnswer>;

function isUnseen(answer: WebAnswer): boolean {
	return (
		answer.kind === 'failed' || (answer.kind === 'page' && (answer.status >= 500 || answer.status === 429))
	);
}

async function look(visit: Visit, domain: string): Promise<SiteFindings> {
	let host = domain;
	let robots = await visit(`https://${host}/robots.txt`);
	if (robots.kind === 'no_address') {
		host = `www.${domain}`;
		robots = await visit(`https://${host}/robots.txt`);
	}
	if (robots.kind === 'no_address') return { website: 'unreachable', published: [] };
	const rules = readRobots(robots);
	if (rules === null || !isAllowedByRobots(rules, '/')) return NO_SITE;
	const home = await visit(`https://${host}/`);
	if (home.kind === 'left') return { website: readRedirect(domain, home.host), published: [] };
	// Anything but a 200 (a server error, a bot wall, a forbidden page) says nothing about the site.
	if (home.kind !== 'page' || home.status !== 200) return NO_SITE;
	const website = readPage(home.text);
	if (website !== 'own') return { website, published: [] };
	const contactPath = findContactPath(home.text, home.url);
	const contact =
		contactPath !== null && isAllowedByRobots(rules, contactPath)
			? await visit(new URL(contactPath, home.url).href)
			: null;
	const published = [...readMailtos(textOf(home), domain), ...readMailtos(textOf(contact), domain)];
	return { website, published };
}

/** The text of robots.txt, empty where there is none; null where nothing may be fetched (RFC 9309 §2.3.1.4). */
function readRobots(answer: WebAnswer): string | null {
	switch (answer.kind) {
		case 'page':
			if (answer.status >= 500 || answer.status === 429) return null;
			return answer.status === 200 ? answer.text : '';
		case 'left':
			return '';
		case 'no_address':
		case 'failed':
			return null;
	}
}

function textOf(answer: WebAnswer | null): string {
	return answer?.kind === 'page' && answer.status === 200 ? answer.text : '';
}
