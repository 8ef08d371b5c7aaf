import { describe, expect, inject, test } from 'vitest';
import { hiddenFields } from '../support/visitor.ts';
import { newEmail, newVisitor, mailsTo } from './people.ts';

// Forms of strangers, and our own files. Every route of the pages: test/worker/page-routes.test.ts; the size of a form:
// test/worker/bombs.test.ts.

const FORMS = [
	['/dashboard/sign-in', '/dashboard/sign-in', { email: 'ada@inbox.test' }],
	['/dashboard/sign-in', '/dashboard/sign-in/code', { code: '123456' }],
	['/dashboard/sign-in', '/dashboard/sign-in/code/again', {}],
] as const;

describe('a form of a stranger', () => {
	test.each(FORMS)('is refused from elsewhere, and without a token of this browser: %s', async (...form) => {
		const [page, action, fields] = form;
		const [visitor, other, email] = [newVisitor(), newVisitor(), newEmail()];
		const own = { ...hiddenFields(await visitor.get(page), page), ...fields, email };
		const refused = await visitor.post(action, own, { origin: 'https://evil.test' });
		expect([refused.status, refused.text]).toEqual([
			403,
			expect.stringContaining('This form came from another site. Nothing was changed.'),
		]);
		const foreign = hiddenFields(await other.get(page), page);
		for (const token of [{}, { csrf: '' }, { csrf: 'x' }, foreign])
			expect((await visitor.post(action, { ...fields, email, ...token })).status).toBe(403);
		expect(await mailsTo(email)).toEqual([]);
	});

	test('has a token that differs in every rendering, so that a compressed page does not tell it', async () => {
		const visitor = newVisitor();
		const tokens = new Set<string>();
		for (let n = 0; n < 5; n += 1)
			tokens.add(hiddenFields(await visitor.get('/dashboard/sign-in'), '/dashboard/sign-in')['csrf'] ?? '');
		expect(tokens.size).toBe(5);
	});
});

describe('a form that is none', () => {
	test.each([
		['JSON', 'application/json', JSON.stringify({ email: 'ada@inbox.test' })],
		['plain text', 'text/plain', 'email=ada@inbox.test'],
	])('is a 400: %s', async (_, type, body) => {
		const visitor = newVisitor();
		await visitor.get('/dashboard/sign-in');
		const response = await fetch(new URL('/dashboard/sign-in', inject('service').url), {
			method: 'POST',
			body,
			headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
		});
		expect(response.status).toBe(400);
	});
});

describe('every page', () => {
	test('files of ours are kept for good under a name of their content, and nothing else is served', async () => {
		const { text } = await newVisitor().get('/dashboard/sign-in');
		const style = /href="(\/assets\/[^"]+\.css)"/.exec(text)?.[1] ?? '';
		const file = await newVisitor().get(style);
		expect(file.status).toBe(200);
		expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
		expect(file.headers.get('content-type')).toMatch(/^text\/css/);
		expect((await newVisitor().get('/assets/nothing.css')).status).toBe(404);
	});
});
