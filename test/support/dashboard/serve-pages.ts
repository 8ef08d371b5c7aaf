import { createServer } from 'node:http';
import path from 'node:path';
import { buildSite } from '../../../tools/site.ts';
import { openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';
import { PAGES, htmlOf } from './pages.tsx';

const TYPES: Readonly<Record<string, string>> = {
	'.css': 'text/css',
	'.js': 'text/javascript',
	'.svg': 'image/svg+xml',
};

/** Serves every page in every state under its name, with the service's own Content-Security-Policy. */
export async function servePages(): Promise<Listener & { url: string }> {
	const { files } = buildSite();
	const server = createServer((request, response) => {
		const name = (request.url ?? '/').slice(1).split('?')[0] ?? '';
		const file = files.get(name);
		if (Object.hasOwn(PAGES, name)) {
			response.setHeader('Content-Type', 'text/html; charset=utf-8');
			response.setHeader(
				'Content-Security-Policy',
				"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'",
			);
			void htmlOf(PAGES[name]).then((html) => response.end(html));
		} else if (file !== undefined) {
			response.setHeader('Content-Type', TYPES[path.extname(name)] ?? 'text/plain');
			response.end(file);
		} else {
			response.statusCode = 404;
			response.end();
		}
	});
	const listener = await openListener(server);
	return { ...listener, url: `http://127.0.0.1:${listener.port}` };
}
