import { beforeAll, describe, expect, test } from 'vitest';
import { API_ROUTES, filled, signedInPerson, visit } from '../support/signed-in.ts';

// Requests made to cost us more than they cost their sender: each is refused or answered, none is our failure.

const IDS = { jobId: 'job_1', taskId: 'cat_1', webhookId: 'whk_1', eventId: 'evt_1' };
const DEEP = 30_000;

/** Bodies whose reading a careless reader would not survive. */
const BODIES: Readonly<Record<string, string>> = {
	'lists in lists': '['.repeat(DEEP) + ']'.repeat(DEEP),
	'lists that never end': '['.repeat(2 * DEEP),
	'objects in objects': `${'{"a":'.repeat(DEEP / 3)}1${'}'.repeat(DEEP / 3)}`,
	'depth in a field that nobody asked for': `{"email":"ada@inbox","x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
	'depth in the field itself': `{"email":${'['.repeat(DEEP)}${']'.repeat(DEEP)},"emails":[[[[[]]]]],"outcomes":{"a":{}}}`,
	'the same field ten thousand times': `{${'"email":"ada@inbox",'.repeat(3_000)}"email":5}`,
	'a field of another object’s kind':
		'{"__proto__":{"email":"ada@inbox.test"},"constructor":{"prototype":{}}}',
	'a number of sixty thousand digits': `{"email":${'9'.repeat(60_000)}}`,
};

let person: Awaited<ReturnType<typeof signedInPerson>>;
beforeAll(async () => {
	person = await signedInPerson();
});

describe.each(API_ROUTES.filter(({ hasBody }) => hasBody))('$method $path', ({ method, path }) => {
	test.each(Object.keys(BODIES))('refuses %s', async (name) => {
		const response = await visit(filled(path, IDS), {
			method,
			headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
			body: BODIES[name]!,
		});
		expect([400, 404]).toContain(response.status);
		expect((await response.text()).length).toBeLessThan(2_000);
	});
});

describe('a form', () => {
	test('with twenty thousand fields is a form like any other', async () => {
		const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [String(n), '']));
		expect((await person.post('/dashboard/api', person.withToken({ ...fields, label: '' }))).status).toBe(
			422,
		);
		expect((await person.post('/dashboard/api', fields)).status).toBe(403);
	});

	test('of 64 KiB and one octet is refused before its fields are read', async () => {
		const { status } = await person.post('/dashboard/api', person.withToken({ label: 'x'.repeat(65_536) }));
		expect(status).toBe(413);
	});

	test('whose fields are named as parts of every object changes none', async () => {
		const fields = person.withToken({ __proto__: 'x', constructor: 'x', hasOwnProperty: 'x', label: '' });
		expect((await person.post('/dashboard/api', fields)).status).toBe(422);
		expect(({} as Record<string, unknown>)['x']).toBeUndefined();
	});
});

describe('headers', () => {
	test.each<[string, Record<string, string>]>([
		['five thousand cookies', { cookie: Array.from({ length: 5_000 }, (_, n) => `c${n}=1`).join('; ') }],
		['a session of sixty thousand letters', { cookie: `__Host-session=${'a'.repeat(60_000)}` }],
		['a cookie of nothing but signs', { cookie: '=;'.repeat(20_000) }],
		['a browser with a name of sixty thousand letters', { 'user-agent': 'Chrome/'.repeat(8_000) }],
		[
			'sixty thousand languages',
			{ 'accept-language': 'a,'.repeat(30_000), accept: 'text/html,'.repeat(3_000) },
		],
	])('of %s open no page and break none', async (_, headers) => {
		const response = await visit('/dashboard/settings', { headers });
		expect(response.status).toBe(303);
	});

	test.each<[string, Record<string, string>]>([
		['a key of sixty thousand letters', { authorization: `Bearer ms_live_${'a'.repeat(60_000)}` }],
		['ten thousand keys', { authorization: 'Bearer ms_live_a,'.repeat(10_000) }],
		['spaces instead of a key', { authorization: `Bearer${' '.repeat(60_000)}x` }],
		['a key in both headers', { authorization: 'Bearer a', 'x-api-key': 'b'.repeat(60_000) }],
	])('of %s are a 401', async (_, headers) => {
		expect((await visit('/v1/credits', { headers })).status).toBe(401);
	});
});
