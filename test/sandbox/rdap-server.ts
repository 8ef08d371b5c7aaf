import { createServer } from 'node:http';
import type { Counters } from './counters.ts';
import type { Listener } from './listener.ts';
import { openListener } from './listener.ts';

const DAY_MS = 86_400_000;

/** Days since the registration of each domain, by A-label. */
export type Registrations = ReadonlyMap<string, number>;

/** RDAP (RFC 9083) for the sandbox's domains, and the bootstrap file (RFC 9224) that names it for `test`. */
export async function startRdapServer(
	registrations: Registrations,
	counters: Counters['rdap'],
	port?: number,
): Promise<Listener & { readonly url: string }> {
	const server = createServer((request, response) => {
		const { pathname } = new URL(request.url ?? '/', 'http://sandbox.test');
		const base = `http://${request.headers.host ?? ''}/`;
		if (pathname === '/dns.json') return send(200, 'application/json', bootstrap(base));
		counters.queries += 1;
		const name = /^\/domain\/([^/]+)$/.exec(pathname)?.[1]?.toLowerCase() ?? '';
		const days = registrations.get(name);
		if (days === undefined) return send(404, 'application/rdap+json', NOT_FOUND);
		return send(200, 'application/rdap+json', domainObject(name, days));

		function send(status: number, mediaType: string, body: object): void {
			response.writeHead(status, { 'content-type': mediaType }).end(JSON.stringify(body));
		}
	});
	const listener = await openListener(server, port);
	return { ...listener, url: `http://127.0.0.1:${listener.port}` };
}

const NOT_FOUND = { errorCode: 404, title: 'Not Found', rdapConformance: ['rdap_level_0'] };

function bootstrap(base: string): object {
	return { version: '1.0', publication: '2025-01-01T00:00:00Z', services: [[['test'], [base]]] };
}

function domainObject(name: string, days: number): object {
	return {
		objectClassName: 'domain',
		rdapConformance: ['rdap_level_0'],
		ldhName: name,
		status: ['active'],
		events: [
			{ eventAction: 'registration', eventDate: daysFromNow(-days) },
			{ eventAction: 'expiration', eventDate: daysFromNow(300) },
			{ eventAction: 'last update of RDAP database', eventDate: daysFromNow(0) },
		],
	};
}

function daysFromNow(days: number): string {
	return new Date(Date.now() + days * DAY_MS).toISOString();
}
