import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { openListener } from '../sandbox/listener.ts';
import type { Listener } from '../sandbox/listener.ts';
import { fakeClock } from './unit/fake-clock.ts';

type Play = (response: ServerResponse) => void;

function html(text: string, status = 200): Play {
	return (response) =>
		void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text);
}

function redirect(location: string, status = 301): Play {
	return (response) => void response.writeHead(status, { location }).end();
}

/** Websites and registries, by host and path. */
const SITES: Readonly<Record<string, Play>> = {
	'acme.test/': html('<title>Acme</title>'),
	'www.acme.test/': html('<title>Acme at www</title>'),
	'once.acme.test/': redirect('https://www.acme.test/'),
	'twice.acme.test/': redirect('//once.acme.test/', 302),
	'thrice.acme.test/': redirect('https://twice.acme.test/', 308),
	'four-times.acme.test/': redirect('https://thrice.acme.test/'),
	'loop.acme.test/': redirect('/'),
	'plain-http.acme.test/': redirect('http://www.acme.test/'),
	'port.acme.test/': redirect('https://www.acme.test:8443/'),
	'elsewhere.acme.test/': redirect('https://www.other.test/lander'),
	'to-private.acme.test/': redirect('https://private.acme.test/'),
	'to-address.acme.test/': redirect('https://127.0.0.1/'),
	'to-nothing.acme.test/': redirect('https://gone.acme.test/'),
	'nonsense.acme.test/': redirect('https://[nonsense'),
	'error.acme.test/': html('oops', 503),
	'latin1.acme.test/': (response) =>
		void response
			.writeHead(200, { 'content-type': 'text/html' })
			.end(Buffer.from('<p>caf\xe9</p>', 'latin1')),
	'endless.acme.test/': (response) => {
		response.writeHead(200, { 'content-type': 'TEXT/HTML' });
		const more = (): void => {
			if (!response.destroyed) response.write('x'.repeat(16_384), () => setImmediate(more));
		};
		more();
	},
	'silent.acme.test/': () => {},
	'closes.acme.test/': (response) => void response.destroy(),
	'rdap.test/domain/huge.test': (response) =>
		void response
			.writeHead(200)
			.end(JSON.stringify({ objectClassName: 'domain', junk: 'x'.repeat(300 * 1024) })),
	'rdap.test/domain/away.test': (response) =>
		void response.writeHead(503, { 'retry-after': new Date(fakeClock().now() + 60_000).toUTCString() }).end(),
	'rdap.test/domain/away-for-ever.test': (response) =>
		void response.writeHead(503, { 'retry-after': '999999999' }).end(),
	'rdap.test/domain/away-somehow.test': (response) => void response.writeHead(429).end(),
	'rdap.test/domain/error.test': (response) => void response.writeHead(500).end('{}'),
	'rdap.test/domain/silent.test': () => {},
	'rdap.test/domain/moved.test': redirect('https://rdap.other.test/domain/moved.test', 302),
	'rdap.test/domain/to-http.test': redirect('http://rdap.other.test/domain/moved.test', 302),
	'rdap.test/domain/to-private.test': redirect('https://private.acme.test/domain/moved.test', 302),
	'rdap.test/domain/to-port.test': redirect('https://rdap.other.test:25/domain/moved.test', 302),
	'rdap.test/domain/loop.test': redirect('https://rdap.test/domain/loop.test', 302),
	'rdap.other.test/domain/moved.test': (response) =>
		void response.writeHead(200).end('{"objectClassName":"domain","ldhName":"moved.test"}'),
};

/** Plays `SITES` at `/<host><path>`; 404 for the rest. */
export async function startWebServer(): Promise<Listener & { readonly url: string }> {
	const server = createServer((request, response) => {
		response.on('error', () => {});
		const { pathname } = new URL(request.url ?? '/', 'http://web.test');
		const play = SITES[decodeURIComponent(pathname.slice(1))] ?? html('not found', 404);
		play(response);
	});
	const listener = await openListener(server);
	return { ...listener, url: `http://127.0.0.1:${listener.port}` };
}
