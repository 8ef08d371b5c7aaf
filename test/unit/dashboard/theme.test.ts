import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { DashboardEnv } from '../../../src/dashboard/view.ts';
import { PageError } from '../../../src/dashboard/view.ts';
import { addTheme } from '../../../src/dashboard/pages/public.tsx';

async function post(fields: Record<string, string>, type?: string): Promise<Response> {
	const app = new Hono<DashboardEnv>();
	app.onError((error, c) => c.text(error.message, error instanceof PageError ? error.status : 500));
	addTheme(app);
	const headers = type === undefined ? {} : { 'Content-Type': type };
	return app.request('/theme', { method: 'POST', body: new URLSearchParams(fields), headers });
}

test('the switch keeps the choice and leads back to the page it stood on', async () => {
	const answer = await post({ theme: 'dark', back: '/dashboard/keys?page=2' });
	expect(answer.headers.get('location')).toBe('/dashboard/keys?page=2');
	expect(answer.headers.get('set-cookie')).toMatch(/^theme=dark;/);
});

test.each(['//evil.test', '/\\evil.test', 'https://evil.test', '/\t/evil.test', '', 'dashboard'])(
	'it never leads to another site: %j',
	async (back) => {
		expect((await post({ theme: 'dark', back })).headers.get('location')).toBe('/');
	},
);

test('it knows its own choices only', async () => {
	const answer = await post({ theme: 'dark; Domain=evil.test', back: '/' });
	expect(answer.headers.get('set-cookie')).toBeNull();
});

test('a form of a stranger is read up to 64 KiB, and only as a form', async () => {
	const around = 'theme=dark&filler='.length;
	expect((await post({ theme: 'dark', filler: 'a'.repeat(65_536 - around) })).status).toBe(303);
	expect((await post({ theme: 'dark', filler: 'a'.repeat(65_537 - around) })).status).toBe(413);
	expect((await post({ theme: 'dark' }, 'multipart/form-data; boundary=x')).status).toBe(400);
});
