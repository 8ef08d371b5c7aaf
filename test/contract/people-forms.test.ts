import { describe, expect, inject, test } from 'vitest';
import { hiddenFields } from '../support/visitor.ts';
import { newEmail, newVisitor, mailsTo } from './people.ts';

// What holds for every page and form: headers, and no forms but our own.

const FORMS = [
	['/dashboard/sign-in', '/dashboard/sign-in', { email: 'ada@inbox.test' }],
	['/dashboard/sign-in', '/dashboard/sign-in/code', { code: '123456' }],
	['/dashboard/sign-in', '/dashboard/sign-in/code/again', {}],
] as const;
describe('a form from elsewhere', () => {
	test.each(FORMS)('is refused where nobody is signed in, too: %s', async (page, action, fields) => {
		const visitor = newVisitor();
		const form = hiddenFields(await visitor.get(page), page);
		const refused = await visitor.post(action, { ...form, ...fields }, { origin: 'https://evil.test' });
		expect(refused.status).toBe(403);
		expect(refused.text).toContain('This form came from another site. Nothing was changed.');
	});
});

describe('a token of a form', () => {
	test.each(FORMS)('is needed, and must be of this browser: %s', async (page, action, fields) => {
		const [visitor, other] = [newVisitor(), newVisitor()];
		await visitor.get(page);
		const foreign = hiddenFields(await other.get(page), page);
		for (const form of [{}, { csrf: '' }, { csrf: 'x' }, foreign]) {
			const refused = await visitor.post(action, { ...form, ...fields });
			expect(refused.status).toBe(403);
		}
	});

	test('differs in every rendering, so that a compressed page does not tell it', async () => {
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

	test('longer than 64 KiB is a 413, and 64 KiB of nonsense a refusal', async () => {
		const visitor = newVisitor();
		const form = hiddenFields(await visitor.get('/dashboard/sign-in'), '/dashboard/sign-in');
		const rest = { ...form, email: 'no address' };
		const length = new URLSearchParams({ ...rest, junk: '' }).toString().length;
		const junk = 'x'.repeat(64 * 1024 - length);
		expect((await visitor.post('/dashboard/sign-in', { ...rest, junk })).status).toBe(422);
		expect((await visitor.post('/dashboard/sign-in', { ...rest, junk: `${junk}x` })).status).toBe(413);
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

test('a mail is never written for a form that was refused', async () => {
	const [visitor, email] = [newVisitor(), newEmail()];
	await visitor.get('/dashboard/sign-in');
	await visitor.post('/dashboard/sign-in', { csrf: 'x', email });
	expect(await mailsTo(email)).toEqual([]);
});
