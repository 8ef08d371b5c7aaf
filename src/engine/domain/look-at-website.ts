import type { DomainFacts } from '../../core/catchall/domain.ts';
import { readMailtos } from '../../core/catchall/domain/published.ts';
import {
	findContactPage,
	isAllowedByRobots,
	readPage,
	isMarketPlace,
} from '../../core/catchall/domain/website.ts';
import type { DomainPorts, WebAnswer } from './port.ts';

/** The nature of a domain's website, and the domain's own addresses on it. */
type SiteFindings = Pick<DomainFacts, 'website' | 'published'>;

export const NO_SITE: SiteFindings = { website: null, published: null };

const KEPT_SECONDS = 7 * 86_400;
// For this long a site that could not be read is not visited again.
const UNSEEN_KEPT_SECONDS = 600;

/** Reads the home page, and at most one contact page, as robots.txt allows. Null: could not be read. */
export async function lookAtWebsite(
	{ cache, clock, visit }: DomainPorts,
	domain: string,
	limitMs: number,
): Promise<SiteFindings> {
	if (visit === null) return NO_SITE;
	const ends = clock.now() + limitMs;
	const key = `web/3/${domain}`;
	const remembered = await cache.get(key);
	if (remembered !== undefined) return remembered as SiteFindings;
	const answers: WebAnswer[] = [];
	const found = await look(async (url) => {
		const answer = await visit(domain, url, ends - clock.now());
		answers.push(answer);
		return answer;
	}, domain);
	// A page that could not be fetched may publish the address in question, so such findings expire soon.
	const isSeen = found.website !== null && !answers.some(isUnseen);
	await cache.put(key, found, isSeen ? KEPT_SECONDS : UNSEEN_KEPT_SECONDS);
	return found;
}

/** Nothing is known of the page: the server did not answer, or not yet. */
function isUnseen(answer: WebAnswer): boolean {
	return (
		answer.kind === 'failed' || (answer.kind === 'page' && (answer.status >= 500 || answer.status === 429))
	);
}

async function look(visit: (url: string) => Promise<WebAnswer>, domain: string): Promise<SiteFindings> {
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
