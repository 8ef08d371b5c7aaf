import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { Visitor, hiddenFields } from '../support/visitor.ts';
import { newEmail } from './people.ts';

// An installation that is no developer's machine: robots.txt, sitemap.xml, the heads of public pages, and who runs it,
// for search engines, link previews and strangers; where links lead, and what is not there.

// The sandbox's mailbox wants an address of this machine.
const HOME = 'https://localhost:8443';
const COMPANY = ['/terms', '/imprint', '/contact'] as const;

/** As deployed, by somebody who gave their name. */
let named: TestService;
/** As deployed, with no word about who runs it. */
let bare: TestService;
/** As deployed, with terms of its own. */
let withTerms: TestService;
const TERMS = 'https://lovelace.example/terms?en&v=2';

beforeAll(async () => {
	[named, bare, withTerms] = await Promise.all([
		startTestService({
			sandbox: null,
			vars: {
				PUBLIC_URL: `${HOME}/`,
				LEGAL_NAME: 'Lovelace & Hopper Ltd',
				LEGAL_ADDRESS: '12 St James’s Square; London; Registered in England',
				CONTACT_ADDRESS: 'hello@mailsonar.example',
				CREDIT_PACKS: '5000=39EUR 25000=149EUR',
			},
		}),
		startTestService({ sandbox: null, vars: { DEVELOPMENT: 'false' } }),
		startTestService({ sandbox: null, vars: { PUBLIC_URL: HOME, TERMS_URL: TERMS } }),
	]);
});

afterAll(async () => {
	await Promise.all([named?.remove(), bare?.remove(), withTerms?.remove()]);
});

const read = ({ url }: TestService, path: string) =>
	fetch(new URL(path, url), { redirect: 'manual', headers: { accept: 'text/html' } });
const textOf = async (service: TestService, path: string): Promise<string> =>
	(await read(service, path)).text();

async function placesOf(service: TestService): Promise<readonly string[]> {
	const sitemap = await textOf(service, '/sitemap.xml');
	return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
}

describe('search engines', () => {
	test('are led to the sitemap by robots.txt, and kept from the API', async () => {
		const robots = await read(named, '/robots.txt');
		expect(robots.status).toBe(200);
		expect(robots.headers.get('content-type')).toMatch(/^text\/plain/);
		const lines = (await robots.text()).split('\n');
		expect(lines).toContain(`Sitemap: ${HOME}/sitemap.xml`);
		expect(lines).toContain('Disallow: /v1/');
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

describe('a link preview', () => {
	test('has a title, a sentence and a picture, all at our own address, whatever host a request names', async () => {
		const html = (await call(named.url, null, 'GET', '/', undefined, { host: 'evil.example' })).text;
		expect(html).not.toContain('evil.example');
		const tags = new Map(
			[...html.matchAll(/<meta property="(og:[a-z:_]+)" content="([^"]*)"/g)].map(([, name, value]) => [
				name,
				value,
			]),
		);
		expect(tags.get('og:url')).toBe(`${HOME}/`);
		expect(tags.get('og:title')).toMatch(/\w/);
		expect(tags.get('og:description')).toMatch(/\w/);
		const picture = tags.get('og:image') ?? '';
		expect(picture.startsWith(`${HOME}/assets/`)).toBe(true);
		const image = await read(named, picture.slice(HOME.length));
		expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
		const octets = Buffer.from(await image.arrayBuffer());
		// Width and height in the head of a PNG.
		expect([octets.readUInt32BE(16), octets.readUInt32BE(20)]).toEqual([1200, 630]);
	});

	test('and a tab have an icon', async () => {
		const html = await textOf(named, '/');
		const touch = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(html)?.[1] ?? '';
		for (const path of ['/favicon.ico', touch]) {
			const icon = await read(named, path);
			expect([path, icon.status, icon.headers.get('content-type')]).toEqual([path, 200, 'image/png']);
		}
	});
});

describe('who runs the installation', () => {
	test('is said on the legal pages, which the foot of every page links', async () => {
		const front = await textOf(named, '/');
		for (const path of COMPANY) {
			expect(front).toContain(`href="${path}"`);
			const page = await read(named, path);
			expect([path, page.status]).toEqual([path, 200]);
			expect(await page.text()).toContain('Lovelace &amp; Hopper Ltd');
		}
		expect(await textOf(named, '/contact')).toContain('mailto:hello@mailsonar.example');
	});

	test('is not made up: what nobody filled in says so, is a 404, and is linked nowhere', async () => {
		const front = await textOf(bare, '/');
		for (const path of COMPANY) {
			expect(front).not.toContain(`href="${path}"`);
			const page = await read(bare, path);
			expect([path, page.status]).toEqual([path, 404]);
			expect(await page.text()).toContain('The operator of this installation has not filled this in.');
		}
	});
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
	expect(front).toContain('€39.00');
	expect(front).toContain('€149.00');
	expect(await textOf(bare, '/')).not.toMatch(/[€$£]\s?\d/);
});

test('the status page says of each part whether it works, as /healthz does', async () => {
	const [page, health] = await Promise.all([read(bare, '/status'), read(bare, '/healthz')]);
	expect([page.status, health.status]).toEqual([200, 503]);
	const html = await page.text();
	expect(html).toContain('Some systems do not work.');
	// Strangers learn that it fails, and not how it is configured.
	expect(html).not.toMatch(/PROBERS|KEY_SIGNING_SECRET/);
});

describe('in production', () => {
	test('there is no mailbox', async () => {
		expect((await new Visitor(bare.url).get('/dashboard/dev/mailbox')).status).toBe(404);
	});

	test.each([['/dashboard/sign-in', { email: newEmail() }]])(
		'%s is a 503 while no mail can be sent, and does not tell strangers why',
		async (path, fields) => {
			const page = await new Visitor(bare.url).submit(path, fields);
			expect(page.status).toBe(503);
			expect(page.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
			expect(page.text).not.toMatch(/MAIL_SENDER|PUBLIC_URL/);
			expect(page.text).toMatch(/^<!doctype html>/);
		},
	);
});

describe('Strict-Transport-Security', () => {
	const paths = ['/v1/credits', '/healthz', '/openapi.json', '/nothing', '/dashboard/sign-in', '/docs'];

	test.each(paths)('is said where our own address is https, and nowhere else: %s', async (path) => {
		const said = async (service: TestService) =>
			(await read(service, path)).headers.get('strict-transport-security');
		expect(await said(named)).toBe('max-age=31536000');
		expect(await said(bare)).toBeNull();
	});
});

test('links in mails lead to PUBLIC_URL, whatever host a request names', async () => {
	const visitor = new Visitor(named.url);
	const email = newEmail();
	const form = hiddenFields(await visitor.get('/dashboard/sign-in'), '/dashboard/sign-in');
	const page = await visitor.post('/dashboard/sign-in', { ...form, email });
	expect(page.status).toBe(303);
	await expect
		.poll(async () => (await visitor.get('/dashboard/dev/mailbox')).text)
		.toMatch(new RegExp(`href="${HOME}/dashboard/sign-in/code\\?code=\\d{6}"`));
});
