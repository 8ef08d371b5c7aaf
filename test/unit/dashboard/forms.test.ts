import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { describe, expect, test } from 'vitest';
import { FORM_ID_OCTETS, issueFormToken } from '../../../src/core/identity/tokens.ts';
import { PageError } from '../../../src/dashboard/view.ts';
import type { DashboardEnv } from '../../../src/dashboard/view.ts';
import { refuseForeignForms, requireFormToken } from '../../../src/dashboard/form.tsx';
import { addTheme } from '../../../src/dashboard/pages/public.tsx';

const OWN = 'https://mailsonar.example';

/** What becomes of a form, by what the browser says about where it was sent from. */
async function statusOf(fetchSite: string | null, origin: string | null, type: string | null) {
	const app = new Hono<DashboardEnv>();
	app.onError((error, c) => c.text('', error instanceof HTTPException ? error.status : 500));
	app.use('*', refuseForeignForms);
	app.post('/', (c) => c.text('done'));
	const headers = {
		...(fetchSite === null ? {} : { 'sec-fetch-site': fetchSite }),
		...(origin === null ? {} : { origin }),
		...(type === null ? {} : { 'content-type': type }),
	};
	return (await app.request(`${OWN}/`, { method: 'POST', headers })).status;
}

describe.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', null])(
	'a form of the type %s',
	(type) => {
		test.each([
			['our page', 'same-origin', OWN, true],
			['our page, without Origin', 'same-origin', null, true],
			['our page in a browser without fetch metadata', null, OWN, true],
			['another site', 'cross-site', 'https://evil.test', false],
			['another site that lies about its origin', 'cross-site', OWN, false],
			['another site that lies about being ours', 'same-origin', 'https://evil.test', false],
			['a sister host', 'same-site', 'https://other.mailsonar.example', false],
			['an old browser on another site', null, 'https://evil.test', false],
			['the same host without TLS', null, 'http://mailsonar.example', false],
			['the same host on another port', null, `${OWN}:8443`, false],
			['a sandboxed frame', null, 'null', false],
			['an address typed by hand', 'none', null, false],
			['nobody knows', null, null, false],
		])('from %s: Sec-Fetch-Site %s, Origin %s is taken: %s', async (_, fetchSite, origin, isTaken) => {
			expect(await statusOf(fetchSite, origin, type)).toBe(isTaken ? 200 : 403);
		});
	},
);

/** What becomes of a token that was made for a browser, sent by a browser with this visitor's cookie. */
async function statusOfToken(madeFor: string, visitor: string | null): Promise<number> {
	const app = new Hono<DashboardEnv>();
	app.onError((error, c) => c.text(error.message, error instanceof PageError ? error.status : 500));
	app.post('/', (c) => {
		c.set('signedIn', null);
		c.set('visitor', visitor);
		return c.text(requireFormToken(c, issueFormToken(`visitor ${madeFor}`, new Uint8Array(FORM_ID_OCTETS))));
	});
	return (await app.request('/', { method: 'POST' })).status;
}

test.each([
	['the browser it was made for', 'a', 'a', 200],
	['another browser', 'a', 'b', 403],
	// Anybody can make a token for no browser at all.
	['a browser without a cookie', '', null, 403],
	['a browser whose cookie is empty', '', '', 403],
] as const)('a form from %s', async (_, madeFor, visitor, status) => {
	expect(await statusOfToken(madeFor, visitor)).toBe(status);
});

async function chooseTheme(fields: Record<string, string>): Promise<Response> {
	const app = new Hono<DashboardEnv>();
	addTheme(app);
	return app.request('/theme', { method: 'POST', body: new URLSearchParams(fields) });
}

test('the switch of colours keeps the choice and leads back to the page it stood on', async () => {
	const answer = await chooseTheme({ theme: 'dark', back: '/dashboard/keys?page=2' });
	expect(answer.headers.get('location')).toBe('/dashboard/keys?page=2');
	expect(answer.headers.get('set-cookie')).toMatch(/^theme=dark;/);
});

test.each(['//evil.test', '/\\evil.test', 'https://evil.test', '/\t/evil.test', '', 'dashboard'])(
	'the switch of colours never leads to another site: %j',
	async (back) => {
		expect((await chooseTheme({ theme: 'dark', back })).headers.get('location')).toBe('/');
	},
);

test('the switch of colours knows its own choices only', async () => {
	const answer = await chooseTheme({ theme: 'dark; Domain=evil.test', back: '/' });
	expect(answer.headers.get('set-cookie')).toBeNull();
});
