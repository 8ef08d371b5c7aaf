import { createServer } from 'node:http';
import type { Listener } from './listener.ts';
import { openListener } from './listener.ts';

const DAY_MS = 86_400_000;

/** What the registry says of a domain. Days count from today. */
export interface RdapStory {
	readonly registeredDaysAgo: number;
	readonly reregisteredDaysAgo?: number;
	readonly expiresInDays?: number;
	/** Besides `active`. */
	readonly status?: readonly string[];
	/** Busy: 429 with Retry-After. Loop: redirects to itself. Silence: no answer at all. */
	readonly fault?: 'busy' | 'loop' | 'garbage' | 'unknown' | 'silence';
}

/** By A-label. */
export type Registrations = ReadonlyMap<string, RdapStory>;

const RETRY_AFTER_SECONDS = 120;

/** RDAP (RFC 9083) for the sandbox's domains, and the bootstrap file (RFC 9224) that names it for `test`. */
export async function startRdapServer(
	registrations: Registrations,
	port?: number,
): Promise<Listener & { readonly url: string }> {
	const server = createServer((request, response) => {
		const { pathname } = new URL(request.url ?? '/', 'http://sandbox.test');
		const base = `http://${request.headers.host ?? ''}/`;
		if (pathname === '/dns.json') return send(200, 'application/json', bootstrap(base));
		const name = /^\/domain\/([^/]+)$/.exec(pathname)?.[1]?.toLowerCase() ?? '';
		const story = registrations.get(name);
		if (story === undefined || story.fault === 'unknown') return send(404, RDAP_TYPE, NOT_FOUND);
		if (story.fault === 'silence') return; // Open until the client gives up or the sandbox ends.
		if (story.fault === 'busy') response.setHeader('retry-after', RETRY_AFTER_SECONDS);
		if (story.fault === 'busy') return send(429, RDAP_TYPE, TOO_MANY);
		if (story.fault === 'loop') return void response.writeHead(302, { location: pathname }).end();
		if (story.fault === 'garbage') return void response.writeHead(200).end('{"objectClassName":');
		return send(200, RDAP_TYPE, domainObject(name, story));

		function send(status: number, mediaType: string, body: object): void {
			response.writeHead(status, { 'content-type': mediaType }).end(JSON.stringify(body));
		}
	});
	const listener = await openListener(server, port);
	return { ...listener, url: `http://127.0.0.1:${listener.port}` };
}

const RDAP_TYPE = 'application/rdap+json';
const TOO_MANY = { errorCode: 429, title: 'Too many requests', rdapConformance: ['rdap_level_0'] };
const NOT_FOUND = { errorCode: 404, title: 'Not Found', rdapConformance: ['rdap_level_0'] };

/** The file that names the server of `test`. */
export function bootstrap(base: string): object {
	return { version: '1.0', publication: '2025-01-01T00:00:00Z', services: [[['test'], [base]]] };
}

/** What the registry answers. `now`: epoch milliseconds. */
export function domainObject(name: string, story: RdapStory, now = Date.now()): object {
	const events: readonly (readonly [string, number | undefined])[] = [
		['registration', -story.registeredDaysAgo],
		['reregistration', story.reregisteredDaysAgo && -story.reregisteredDaysAgo],
		['expiration', story.expiresInDays ?? 300],
		// What a reader must not take for an expiration, or for a sign of age.
		['registrar expiration', 1],
		['last update of RDAP database', 0],
	];
	return {
		objectClassName: 'domain',
		rdapConformance: ['rdap_level_0'],
		ldhName: name,
		status: ['active', ...(story.status ?? [])],
		events: events.flatMap(([eventAction, days]) =>
			days === undefined ? [] : [{ eventAction, eventDate: new Date(now + days * DAY_MS).toISOString() }],
		),
	};
}
