import { expect, test } from 'vitest';
import { BROWSER, pageRoutes, visit } from '../support/signed-in.ts';

// Which paths are the API's, which are pages, and who answers for the rest. The pages' routes are read from the application.

const WINDOW = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-id'];
const MAILBOX = '/dashboard/dev/mailbox';
const pages = pageRoutes().filter(({ method, path }) => method === 'GET' && !/[:*{]/.test(path));

test('there are pages in public and behind the sign-in', () => {
	const paths = pages.map(({ path }) => path);
	expect(paths).toEqual(expect.arrayContaining(['/', '/docs', '/terms', '/opt-out', '/dashboard']));
});

test.each(pages)('a browser and a program reach the page $path', async ({ path }) => {
	for (const headers of [BROWSER, {}]) {
		const answer = await visit(path, { headers, redirect: 'manual' });
		expect(answer.status, path).toBeLessThan(500);
		// Without details of the operator, the legal pages are 404 pages; the mailbox is on developers' machines alone.
		if (answer.status === 404)
			expect(['/terms', '/imprint', '/contact', '/sitemap.xml', MAILBOX]).toContain(path);
		else expect(answer.headers.get('ratelimit-limit'), path).toBeNull();
	}
});

test.each([
	'/nothing',
	'/docs/nothing',
	'/assets/nothing.css',
	'/terms/nothing',
	'/v2/verify',
	'/V1/credits',
	'/.env',
])('%s is a page for a browser and JSON for a program, both with the headers of the API', async (path) => {
	const shown = await visit(path, { headers: BROWSER });
	expect([shown.status, await shown.text()]).toEqual([404, expect.stringContaining('There is no such page')]);
	const requests: RequestInit[] = [
		{},
		{ method: 'DELETE' },
		{ method: 'POST', body: new URLSearchParams({ a: 'b' }) },
	];
	for (const request of requests) {
		const answer = await visit(path, request);
		expect([answer.status, await answer.json()]).toEqual([
			404,
			expect.objectContaining({ success: false, code: 'path_not_found' }),
		]);
		for (const name of WINDOW) expect(answer.headers.get(name), name).toMatch(/\S/);
	}
	for (const name of WINDOW) expect(shown.headers.get(name), name).toMatch(/\S/);
});

test.each(['/v1/nothing', '/ops/nothing', '/webhooks/nothing', '/mcp/nothing', '/healthz/nothing'])(
	'%s is the API’s, also for a browser',
	async (path) => {
		const answer = await visit(path, { headers: BROWSER });
		expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
		expect(await answer.json()).toMatchObject({ success: false });
	},
);
