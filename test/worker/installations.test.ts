import { env, exports } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { compose } from '../../src/compose.ts';
import { createAccount } from '../../src/operations/accounts/accounts.ts';
import { BROWSER, ORIGIN, visitAt, visit } from '../support/signed-in.ts';

// Installations that differ in their variables: what search engines, link previews and strangers see of each, and what of a
// service works whose configuration is incomplete or wrong.

// The sandbox's mailbox wants an address of this machine.
const HOME = 'https://localhost:8443';
const TERMS = 'https://lovelace.example/terms?en&v=2';
const COMPANY = ['/terms', '/imprint', '/contact'] as const;
const MAILBOX = '/dashboard/dev/mailbox';
/** The headers of every answer of the API. */
const WINDOW = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-id'];

/** As deployed, by somebody who gave their name. */
const named = {
	...env,
	PUBLIC_URL: `${HOME}/`,
	LEGAL_NAME: 'Lovelace & Hopper Ltd',
	LEGAL_ADDRESS: '12 St James’s Square; London; Registered in England',
	CONTACT_ADDRESS: 'hello@mailsonar.example',
	CREDIT_PACKS: '5000=39EUR 25000=149EUR',
};
/** As deployed, with no word about who runs it. */
const bare = { ...env, DEVELOPMENT: 'false' };
/** The same without what it needs. */
const unset = { ...bare, KEY_SIGNING_SECRET: '', OPERATOR_TOKENS: '', PROBERS: '' };
/** As deployed, with terms of its own. */
const withTerms = { ...env, PUBLIC_URL: HOME, TERMS_URL: TERMS };

const read = (of: Env, path: string) => visitAt(of, path, { headers: BROWSER });
const textOf = async (of: Env, path: string): Promise<string> => (await read(of, path)).text();

async function placesOf(of: Env): Promise<readonly string[]> {
	const sitemap = await textOf(of, '/sitemap.xml');
	return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
}

describe('search engines', () => {
	test('are led to the sitemap by robots.txt, and kept from the API', async () => {
		const robots = await read(named, '/robots.txt');
		expect([robots.status, robots.headers.get('content-type')]).toEqual([
			200,
			expect.stringMatching(/^text\/plain/),
		]);
		const lines = (await robots.text()).split('\n');
		expect(lines).toEqual(expect.arrayContaining([`Sitemap: ${HOME}/sitemap.xml`, 'Disallow: /v1/']));
		expect(lines).not.toContain('Disallow: /');
	});

	test('find in the sitemap only pages of our own that answer 200, may be kept, and name themselves', async () => {
		const places = await placesOf(named);
		expect(places).toEqual(expect.arrayContaining([`${HOME}/`, `${HOME}/security`, `${HOME}/docs`]));
		expect(new Set(places).size).toBe(places.length);
		for (const place of places) {
			expect(place.startsWith(`${HOME}/`), place).toBe(true);
			const page = await read(named, place.slice(HOME.length));
			expect([place, page.status, page.headers.get('x-robots-tag')]).toEqual([place, 200, null]);
			const html = await page.text();
			expect(html, place).toContain(`<link rel="canonical" href="${place}"`);
			expect(html, place).not.toContain('name="robots"');
		}
	});

	test('are told nothing where there is no public address', async () => {
		expect(await textOf(bare, '/robots.txt')).toBe('User-agent: *\nDisallow: /\n');
		expect((await read(bare, '/sitemap.xml')).status).toBe(404);
		expect(await textOf(bare, '/')).not.toContain('rel="canonical"');
	});

	test.each(['/dashboard', '/dashboard/sign-in', '/dashboard/sign-in/code', '/no-such-page'])(
		'are asked not to keep %s',
		async (path) => {
			expect((await read(named, path)).headers.get('x-robots-tag')).toBe('noindex');
		},
	);
});

test('a link preview and a tab have a title, a sentence, a picture and an icon, all at our own address', async () => {
	const html = await textOf(named, '/');
	expect(html).toContain('href="/opt-out"');
	const tags = new Map(
		[...html.matchAll(/<meta property="(og:[a-z:_]+)" content="([^"]*)"/g)].map(([, name, value]) => [
			name,
			value,
		]),
	);
	// Whatever host a request names.
	expect(tags.get('og:url')).toBe(`${HOME}/`);
	for (const name of ['og:title', 'og:description']) expect(tags.get(name)).toMatch(/\w/);
	const picture = tags.get('og:image') ?? '';
	expect(picture.startsWith(`${HOME}/assets/`)).toBe(true);
	const image = await read(named, picture.slice(HOME.length));
	const octets = new DataView(await image.arrayBuffer());
	// Width and height in the head of a PNG.
	expect([octets.getUint32(16), octets.getUint32(20)]).toEqual([1200, 630]);
	const touch = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(html)?.[1] ?? '';
	for (const path of [picture.slice(HOME.length), '/favicon.ico', touch]) {
		const icon = await read(named, path);
		expect([path, icon.status, icon.headers.get('content-type')]).toEqual([path, 200, 'image/png']);
	}
});

test.each(COMPANY)('who runs the installation is said on %s and linked, and not made up', async (path) => {
	expect(await textOf(named, '/')).toContain(`href="${path}"`);
	const page = await read(named, path);
	expect([page.status, await page.text()]).toEqual([
		200,
		expect.stringContaining('Lovelace &amp; Hopper Ltd'),
	]);
	expect(await textOf(bare, '/')).not.toContain(`href="${path}"`);
	const none = await read(bare, path);
	const says = 'The operator of this installation has not filled this in.';
	expect([none.status, await none.text()]).toEqual([404, expect.stringContaining(says)]);
	expect(await textOf(named, '/contact')).toContain('mailto:hello@mailsonar.example');
});

describe('the terms', () => {
	test('of our own are linked where somebody signs up', async () => {
		expect(await textOf(named, '/dashboard/sign-in')).toContain('you agree to the <a href="/terms">');
		expect(await textOf(bare, '/dashboard/sign-in')).not.toContain('agree to');
	});

	test('of the operator stand in their place: linked, led to, and not in the sitemap', async () => {
		const href = `href="${TERMS.replace('&', '&amp;')}"`;
		for (const path of ['/', '/security', '/dashboard/sign-in']) {
			const html = await textOf(withTerms, path);
			expect(html, path).toContain(href);
			expect(html, path).not.toContain('href="/terms"');
		}
		const old = await read(withTerms, '/terms');
		expect([old.status, old.headers.get('location')]).toEqual([302, TERMS]);
		const places = await placesOf(withTerms);
		expect(places).toContain(`${HOME}/security`);
		expect(places).not.toContain(`${HOME}/terms`);
		// Who runs the service is another question.
		expect((await read(withTerms, '/imprint')).status).toBe(404);
	});
});

test('the prices are those of CREDIT_PACKS, and none are made up without it', async () => {
	const front = await textOf(named, '/');
	for (const price of ['€39.00', '€149.00']) expect(front).toContain(price);
	expect(await textOf(bare, '/')).not.toMatch(/[€$£]\s?\d/);
});

test.each(['/v1/credits', '/healthz', '/openapi.json', '/nothing', '/dashboard/sign-in', '/docs'])(
	'Strict-Transport-Security is said where our own address is https, and nowhere else: %s',
	async (path) => {
		const said = async (of: Env) => (await read(of, path)).headers.get('strict-transport-security');
		expect([await said(named), await said(bare)]).toEqual(['max-age=31536000', null]);
	},
);

describe('a service that is not configured', () => {
	test('says on /healthz what is missing, and strangers on the status page that it fails', async () => {
		const health = await visitAt(unset, '/healthz');
		const problems = ['KEY_SIGNING_SECRET is not configured', 'PROBERS is not configured'];
		expect([health.status, await health.json()]).toMatchObject([503, { status: 'unavailable', problems }]);
		const html = await textOf(unset, '/status');
		expect(html).toContain('Some systems do not work.');
		expect(html).not.toMatch(/PROBERS|KEY_SIGNING_SECRET/);
	});

	test("cannot tell a good key from a bad one: 503, not 401; it has neither an operators' API nor a mailbox", async () => {
		const headers = { authorization: 'Bearer ms_live_x' };
		const answer = await visitAt(unset, '/v1/credits', { headers });
		expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'misconfigured' }]);
		expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
		expect(answer.headers.get('ratelimit-remaining')).toBe('300');
		for (const token of [null, '', 'any-token-that-has-32-characters-or-more']) {
			const as = token === null ? {} : { authorization: `Bearer ${token}` };
			const ops = await visitAt(unset, '/ops/accounts', { method: 'POST', body: '{}', headers: as });
			expect(ops.status).toBe(404);
		}
		expect((await read(unset, '/dashboard/dev/mailbox')).status).toBe(404);
	});
});

/** Sends the form of the sign-in page as a browser does. */
async function askCode(of: Env, email: string): Promise<Response> {
	const page = await read(of, '/dashboard/sign-in');
	const cookie = page.headers.getSetCookie().map((line) => line.split(';')[0]);
	const csrf = /name="csrf" value="([^"]*)"/.exec(await page.text())?.[1] ?? '';
	const headers = { ...BROWSER, cookie: cookie.join('; '), origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
	const body = new URLSearchParams({ csrf, email });
	return visitAt(of, '/dashboard/sign-in', { method: 'POST', headers, body });
}

test('while no mail can be sent signing in is a 503, which does not tell strangers why', async () => {
	const page = await askCode(bare, 'nobody-mails@inbox.test');
	expect([page.status, page.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
	const text = await page.text();
	expect(text).toMatch(/^<!doctype html>/);
	expect(text).not.toMatch(/MAIL_SENDER|PUBLIC_URL/);
});

test('links in mails lead to PUBLIC_URL, whatever host a request names', async () => {
	expect((await askCode(named, 'linked@inbox.test')).status).toBe(303);
	const mailbox = await textOf(named, 'http://localhost/dashboard/dev/mailbox');
	expect(mailbox).toMatch(new RegExp(`href="${HOME}/dashboard/sign-in/code\\?code=\\d{6}"`));
});

const HUSH = 'hush-hush-secret';
const wrong = { ...env, PROBERS: `ftp://${HUSH}@127.0.0.1` };

test.each([
	['GET', '/healthz'],
	['GET', '/v1/credits'],
	['POST', '/v1/verify'],
	['POST', '/ops/accounts'],
	['GET', '/openapi.json'],
	['GET', '/nothing'],
])(
	'%s %s of a service with a value that cannot be used is a 503 that names the variable alone',
	async (...call) => {
		const [method, path] = call;
		const answer = await visitAt(wrong, path, { method });
		const text = await answer.text();
		expect([answer.status, JSON.parse(text)]).toMatchObject([503, { code: 'misconfigured' }]);
		expect(text).toContain('PROBERS');
		expect(text).not.toContain(HUSH);
		for (const name of ['retry-after', ...WINDOW]) expect(answer.headers.get(name), name).toMatch(/\S/);
	},
);

test('half of an optional feature switches that feature off, is logged once and shown, and stops nothing else', async () => {
	const lines = vi.spyOn(console, 'warn').mockImplementation(() => {});
	const SECRET = 'sk_test_alone_and_a_secret';
	const half = { ...env, STRIPE_SECRET_KEY: SECRET, LEGAL_NAME: 'Half Ltd' };
	const { apiKey } = await createAccount(compose(half), { email: 'half@example.com', credits: 5 });
	const health = await visitAt(half, '/healthz');
	const text = await health.text();
	const switchedOff = [
		'Buying credits is off without STRIPE_WEBHOOK_SECRET and CREDIT_PACKS',
		'The legal pages are off without LEGAL_ADDRESS',
	];
	expect([health.status, JSON.parse(text)]).toEqual([200, { status: 'ok', problems: [], switchedOff }]);
	const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
	const verify = { method: 'POST', headers, body: '{"email":"ada@inbox.test"}' };
	const answer = await visitAt(half, '/v1/verify', verify);
	expect(await answer.json()).toMatchObject({ data: { status: 'deliverable' } });
	// No feature works by halves: no event is taken, and no page names the company.
	expect((await visitAt(half, '/webhooks/stripe', { method: 'POST', body: '{}' })).status).toBe(404);
	expect((await visitAt(half, '/imprint')).status).toBe(404);
	const logged = lines.mock.calls.map(([line]) => String(line));
	expect(logged.filter((line) => line.includes('"feature_off"'))).toHaveLength(2);
	expect(text + logged.join('')).not.toContain(SECRET);
});

// By which name the Worker is called.

const ask = (url: string, host?: string): Promise<Response> =>
	exports.default.fetch(new Request(url, host === undefined ? {} : { headers: { host } }));

// Several headers reach the Worker as one, with commas.
test.each('/ /docs /dashboard/sign-in /assets/x.css /v1/credits /ops/accounts/x /healthz /x'.split(' '))(
	'more than one Host is a 400, whatever is asked for: %s',
	async (path) => {
		for (const hosts of 'localhost, evil.test|evil.test, localhost|localhost, localhost|localhost,'.split(
			'|',
		)) {
			const response = await ask(`http://localhost${path}`, hosts);
			expect(response.status, hosts).toBe(400);
			expect(await response.json()).toMatchObject({ success: false, error: 'A request names one Host' });
			for (const name of WINDOW) expect(response.headers.get(name), name).toMatch(/\S/);
		}
		expect((await ask(`http://localhost${path}`, 'localhost')).status).not.toBe(400);
	},
);

test('the mailbox of development is there under names of this machine alone', async () => {
	for (const [status, hosts] of [
		[200, 'localhost:8787 127.0.0.1 [::1]:1'],
		[404, 'evil.test localhost.evil.test 192.168.1.2:8787 127.0.0.1.evil.test'],
	] as const)
		for (const host of hosts.split(' '))
			expect((await ask(`http://${host}${MAILBOX}`)).status, host).toBe(status);
});

// Which paths are the API's, and who answers where nothing is. Each page: page-routes.test.ts.

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
	for (const name of WINDOW) expect(shown.headers.get(name), name).toMatch(/\S/);
	for (const method of ['GET', 'DELETE', 'POST']) {
		const body = method === 'POST' ? new URLSearchParams({ a: 'b' }) : null;
		const answer = await visit(path, { method, body });
		expect([answer.status, await answer.json()]).toMatchObject([
			404,
			{ success: false, code: 'path_not_found' },
		]);
		for (const name of WINDOW) expect(answer.headers.get(name), name).toMatch(/\S/);
	}
});

test.each(['/v1/nothing', '/ops/nothing', '/webhooks/nothing', '/mcp/nothing', '/healthz/nothing'])(
	'%s is the API’s, also for a browser',
	async (path) => {
		const answer = await visit(path, { headers: BROWSER });
		expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
		expect(await answer.json()).toMatchObject({ success: false });
	},
);
