import { describe, expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { newPerson, newVisitor } from './people.ts';

// The documentation as readers, their programs and search engines get it.

const { url } = inject('service');
const KEY = /ms_test_[0-9A-Za-z]{60,}/;

async function get(
	path: string,
	accept = '*/*',
): Promise<{ status: number; type: string; text: string; location: string | null }> {
	const response = await fetch(url + path, { redirect: 'manual', headers: { accept } });
	const { status, headers } = response;
	const type = headers.get('content-type') ?? '';
	return { status, type, text: await response.text(), location: headers.get('location') };
}

test('every page that llms.txt names is there, as a page and as Markdown', async () => {
	const index = await get('/llms.txt');
	expect([index.status, index.type]).toEqual([200, 'text/plain;charset=UTF-8']);
	const sources = [...index.text.matchAll(/\]\((\S+?\.md)\)/g)].map(
		([, link = '']) => new URL(link).pathname,
	);
	expect(sources.length).toBeGreaterThan(20);
	for (const source of sources) {
		const markdown = await get(source);
		expect([markdown.status, markdown.type], source).toEqual([200, 'text/markdown; charset=utf-8']);
		const [, title = ''] = /^# (.+)$/m.exec(markdown.text) ?? [];
		const page = await get(source.replace(/(?:\/index)?\.md$/, ''));
		expect([page.status, page.type], source).toEqual([200, 'text/html; charset=UTF-8']);
		expect(page.text.replaceAll('&#39;', "'"), source).toContain(`<h1>${title}</h1>`);
	}
});

test('the address in the examples is that of the service', async () => {
	const { text } = await get('/docs/index.md');
	expect(text).toContain(`'${url}/v1/verify'`);
	expect(text).not.toContain('mailsonar.example');
});

test.each([
	['/docs/', 301, '/docs'],
	['/docs/guides/lists/', 301, '/docs/guides/lists'],
	['/dashboard/sign-in/?next=%2F', 301, '/dashboard/sign-in?next=%2F'],
	// A browser takes a path of two slashes for another site.
	['//elsewhere.test/', 301, '//elsewhere.test'],
	// Where a reader looks for the Markdown of the first page, and the page that an error names.
	['/docs.md', 308, '/docs/index.md'],
	['/docs/reference/verifyAddress', 301, '/docs/reference/single#verifyAddress'],
])('%s leads, with a %i, to %s', async (path, status, to) => {
	const answer = await get(path, 'text/html');
	const leadsTo = new URL(answer.location ?? '', url).href;
	expect([answer.status, leadsTo]).toEqual([status, url + to]);
});

test.each(['/docs/nothing', '/docs/nothing.md', '/docs/reference/constructor', '/docs/guides'])(
	'there is no %s, and it says so',
	async (path) => {
		expect((await get(path)).status).toBe(404);
	},
);

describe('a test key for the quickstart', () => {
	test('is made with one button, stands in every example, and answers', async () => {
		const { visitor } = await newPerson();
		const page = await visitor.submit('/docs', {});
		expect(page.status).toBe(200);
		expect(page.text).not.toContain('YOUR_API_KEY');
		const apiKey = KEY.exec(page.text)?.[0] ?? '';
		const answer = await call(url, apiKey, 'POST', '/v1/verify', { email: 'timeout@example.com' });
		expect([answer.status, answer.body]).toMatchObject([200, { data: { status: 'unknown' } }]);
		// Shown once.
		expect((await visitor.get('/docs')).text).not.toMatch(KEY);
	});

	test('is made for nobody who is not signed in', async () => {
		const stranger = newVisitor();
		expect((await stranger.get('/docs')).text).not.toContain('Make a test key');
		const page = await stranger.post('/docs', {});
		expect([page.status, page.location]).toEqual([303, '/dashboard/sign-in']);
	});
});
