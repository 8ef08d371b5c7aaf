import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { DashboardEnv } from '../../../src/dashboard/view.ts';
import { addTheme } from '../../../src/dashboard/pages/public.tsx';

async function post(fields: Record<string, string>): Promise<Response> {
	const app = new Hono<DashboardEnv>();
	addTheme(app);
	return app.request('/theme', { method: 'POST', body: new URLSearchParams(fields) });
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
