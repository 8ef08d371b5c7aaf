import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ASSETS } from '../../../src/dashboard/assets.ts';
import { openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';
import { PAGES, htmlOf } from './pages.tsx';

/** Sends a text packed where the browser takes that, as Cloudflare does. */
function sendText(request: IncomingMessage, response: ServerResponse, text: string): void {
	if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
		response.end(text);
		return;
	}
	response.setHeader('Content-Encoding', 'gzip');
	response.end(gzipSync(text));
}

/** Serves every page in every state under its name, with the service's own Content-Security-Policy. */
export async function servePages(): Promise<Listener & { url: string; names: readonly string[] }> {
	const server = createServer((request, response) => {
		const name = (request.url ?? '/').slice(1).split('?')[0] ?? '';
		const asset = ASSETS.get(name.replace(/^assets\//, ''));
		if (Object.hasOwn(PAGES, name)) {
			response.setHeader('Content-Type', 'text/html; charset=utf-8');
			response.setHeader(
				'Content-Security-Policy',
				"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'",
			);
			void htmlOf(PAGES[name]).then((html) => sendText(request, response, html));
		} else if (asset !== undefined) {
			response.setHeader('Content-Type', asset.type);
			if (typeof asset.content === 'string') sendText(request, response, asset.content);
			else response.end(asset.content);
		} else {
			response.statusCode = 404;
			response.end();
		}
	});
	const listener = await openListener(server);
	return { ...listener, url: `http://127.0.0.1:${listener.port}`, names: Object.keys(PAGES) };
}
