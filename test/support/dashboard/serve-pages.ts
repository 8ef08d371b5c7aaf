import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { PAGES, htmlOf } from './pages.tsx';
import { styleSheet } from './style-sheet.ts';

const ASSETS = path.join(import.meta.dirname, '../../../src/dashboard/assets');
/** The file of the typeface. */
export const SANS = path.join(
	import.meta.dirname,
	'../../../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
);
const TYPES: Readonly<Record<string, string>> = {
	'.js': 'text/javascript',
	'.svg': 'image/svg+xml',
};

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
export async function servePages(): Promise<{
	url: string;
	names: readonly string[];
	close(): Promise<void>;
}> {
	const server = createServer((request, response) => {
		const name = (request.url ?? '/').slice(1).split('?')[0] ?? '';
		const page = PAGES[name];
		const type = TYPES[path.extname(name)];
		if (page !== undefined) {
			response.setHeader('Content-Type', 'text/html; charset=utf-8');
			response.setHeader(
				'Content-Security-Policy',
				"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'",
			);
			void htmlOf(page).then((html) => sendText(request, response, html));
		} else if (name === 'assets/mailsonar.css') {
			response.setHeader('Content-Type', 'text/css');
			sendText(request, response, styleSheet());
		} else if (name === 'assets/sans.woff2') {
			response.setHeader('Content-Type', 'font/woff2');
			response.end(readFileSync(SANS));
		} else if (path.extname(name) === '.png' && name.startsWith('assets/')) {
			response.setHeader('Content-Type', 'image/png');
			response.end(readFileSync(path.join(ASSETS, name.slice('assets/'.length))));
		} else if (type !== undefined && name.startsWith('assets/')) {
			response.setHeader('Content-Type', type);
			sendText(request, response, readFileSync(path.join(ASSETS, name.slice('assets/'.length)), 'utf8'));
		} else {
			response.statusCode = 404;
			response.end();
		}
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		names: Object.keys(PAGES),
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
