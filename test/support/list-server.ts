import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const list = (count: number): string =>
	Array.from({ length: count }, (_, index) => `fresh-${index}.test`).join('\n');

const PAGES: Readonly<Record<string, string>> = {
	'/list.txt': `# a public list\n${list(4_100)}\n`,
	'/short': list(10),
	'/page': `<html>\n${'<p>Sign in to go on</p>\n'.repeat(5_000)}</html>`,
};

/** A server of lists of disposable domains, and of other texts that may be served instead. */
export async function startListServer(): Promise<{ url: string; close: () => Promise<void> }> {
	const server = createServer((request, response) => {
		const page = PAGES[request.url ?? ''];
		response
			.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/plain' })
			.end(page ?? 'Not found');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/list.txt`,
		close: () => new Promise((resolve) => server.close(() => resolve())),
	};
}
