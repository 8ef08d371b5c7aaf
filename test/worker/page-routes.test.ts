import { describe, expect, test } from 'vitest';
import { BROWSER, ORIGIN, filled, pageRoutes, signedInPerson, visit } from '../support/signed-in.ts';

// What holds for every route of the pages. The routes come from the application itself, so that a new one can't be
// forgotten.

const IDS = {
	jobId: 'job_1',
	taskId: 'tsk_1',
	keyId: 'key_1',
	webhookId: 'whk_1',
	eventId: 'evt_1',
	uploadId: 'upl_1',
	purchaseId: 'pur_1',
	verificationId: 'ver_1',
	name: 'none.css',
	file: '2026-10.csv',
	index: '1',
	secret: 'none',
};
const ROUTES = pageRoutes();
const READ = ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => filled(path, IDS));
const FORMS = ROUTES.filter(({ method }) => method === 'POST').map(({ path }) => filled(path, IDS));
/** Of what others may send they change the light of a page, which their own page may do as well. */
const WITHOUT_TOKEN = ['/theme'];
/** Pages for those who are not signed in. */
const FOR_STRANGERS = /^\/dashboard\/(?:sign-(?:in|up|out)|dev\/mailbox)(?:\/|$)/;
/** The mailbox of development, what the operator may not have said, and what has an id that nobody has. */
const MAY_BE_MISSING =
	/^\/(?:terms|imprint|contact|sitemap\.xml|dashboard\/dev\/mailbox)$|_1\b|none|nothing|2026-10/;
/** Of the policy that browsers hold every page to. */
const POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"frame-ancestors 'none'",
	"form-action 'self'",
	"base-uri 'none'",
];
const UPLOAD = '/dashboard/lists';
// What else is elsewhere: test/unit/dashboard/forms.test.ts.
const ANOTHER_SITE = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };

describe('a form', async () => {
	const [person, other] = [await signedInPerson(), await signedInPerson()];
	const send = async (path: string, fields: Record<string, string>, headers?: Record<string, string>) =>
		path === UPLOAD
			? person.upload(fields, new File(['ada@inbox.test\n'], 'list.csv'), headers)
			: person.post(path, fields, headers);

	test('is at each of these paths, and no parameter of any is left open', () => {
		expect(FORMS.length).toBeGreaterThan(25);
		expect([...FORMS, ...READ].filter((path) => /[:{*]/.test(path))).toEqual([]);
		expect(READ).toEqual(expect.arrayContaining(['/', '/docs', '/terms', '/opt-out', '/dashboard']));
	});

	test.each(FORMS)('from elsewhere is refused, even with a token of ours: %s', async (path) => {
		const refused = await send(path, person.withToken(), ANOTHER_SITE);
		expect([refused.status, await refused.text()]).toEqual([
			403,
			expect.stringContaining('Nothing was changed'),
		]);
	});

	test.each(FORMS.filter((path) => !WITHOUT_TOKEN.includes(path)))(
		'without a token of this session is refused: %s',
		async (path) => {
			for (const fields of [{}, { csrf: '' }, { csrf: 'AAAA' }, { csrf: other.formToken() }])
				expect((await send(path, fields)).status).toBe(403);
		},
	);
});

test.each(READ.filter((path) => path.startsWith('/dashboard') && !FOR_STRANGERS.test(path)))(
	'a stranger is led from %s to the sign-in page, and sees nothing of it',
	async (path) => {
		const answer = await visit(path);
		expect(answer.status).toBe(303);
		expect(answer.headers.get('location')).toBe(`/dashboard/sign-in?next=${encodeURIComponent(path)}`);
		expect(await answer.text()).toBe('');
	},
);

test.each(READ)('a stranger with a browser and a program reach the page %s', async (path) => {
	for (const { status, headers } of [await visit(path, { headers: BROWSER }), await visit(path)])
		if (status === 404) expect(path).toMatch(MAY_BE_MISSING);
		else expect([status < 500, headers.get('ratelimit-limit')]).toEqual([true, null]);
});

describe('every answer', async () => {
	const person = await signedInPerson();

	test.each(READ)(
		'may be framed by nobody and runs no script but ours, and is kept by no cache: %s',
		async (path) => {
			for (const { status, headers } of [await visit(path, { headers: BROWSER }), await person.page(path)]) {
				expect(status).toBeLessThan(500);
				const policy = headers.get('content-security-policy') ?? '';
				for (const part of POLICY) expect(policy).toContain(part);
				expect(policy).not.toMatch(/unsafe|\*/);
				expect(headers.get('x-frame-options')).toBe('DENY');
				expect(headers.get('x-content-type-options')).toBe('nosniff');
				expect(headers.get('referrer-policy')).toBe('same-origin');
				if (!/^\/(?:assets|favicon)/.test(path)) expect(headers.get('cache-control')).toContain('no-store');
			}
		},
	);
});

let visitor: Awaited<ReturnType<typeof signedInPerson>> | undefined;

test.each([
	'https://evil.test/',
	'//evil.test/',
	'/\\evil.test/',
	'/dashboard/..//evil.test/',
	'/dashboard/../../\\evil.test',
	'/dashboard@evil.test',
	'/dashboard.evil.test',
	'/dashboard\t//evil.test',
	'javascript:alert(1)//dashboard',
	'\u0000/dashboard',
	'/dashboard/\r\nset-cookie: a=b',
])('after signing in nobody is led to another site %j', async (next) => {
	visitor ??= await signedInPerson();
	const answer = await visitor.page(`/dashboard/sign-in?next=${encodeURIComponent(next)}`);
	expect(answer.status).toBe(303);
	const location = new URL(answer.headers.get('location') ?? '', ORIGIN);
	expect(location.origin).toBe(ORIGIN);
	expect(location.pathname).toMatch(/^\/dashboard(?:$|\/)/);
	expect(answer.headers.get('set-cookie') ?? '').not.toContain('a=b');
});
