import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, sightingsOf, verified } from './api.ts';

// POST /v1/verify: what is refused with a 400, costs nothing and never reaches a mail server.

const service = inject('service');
const BODY_OCTETS_MAX = 1_048_576;

/** Sends a body as it is; the balance must be untouched by whatever comes back. */
async function refused(
	body: string | Uint8Array | undefined,
	headers: Readonly<Record<string, string>> = {},
): Promise<string> {
	const { apiKey } = await makeAccount(service, 5);
	const before = await balanceOf(apiKey);
	const answer = await call(service.url, apiKey, 'POST', '/v1/verify', body, headers);
	expect(await balanceOf(apiKey)).toEqual(before);
	return expectFailure(answer, 400);
}

const long = (length: number): string => 'a'.repeat(length);

/** A good request of exactly so many octets. */
function requestOf(octets: number): string {
	const empty = JSON.stringify({ email: 'ada@inbox.test', note: '' });
	return JSON.stringify({ email: 'ada@inbox.test', note: 'x'.repeat(octets - empty.length) });
}

describe('malformed addresses', () => {
	test.each([
		['empty', ''],
		['no @', 'ada.inbox.test'],
		['a lone surrogate', '\ud800@inbox.test'],
		['60,000 characters', `${long(60_000)}@inbox.test`],
	])('%s is a 400 that costs nothing', async (_, email) => {
		expect(await refused(JSON.stringify({ email }))).toMatch(/^Malformed email: \S/);
	});
});

test.each([
	'Ada <ada@inbox.test>',
	'"Lovelace, Ada" <ada@inbox.test>',
	'<ada@inbox.test>',
	' mailto:Ada@INBOX.test',
])('an address as people copy it, %j, is read, and the answer says as what', async (email) => {
	const { apiKey } = await makeAccount(service, 1);
	const read = email.includes('Ada@') ? 'Ada@inbox.test' : 'ada@inbox.test';
	expect((await verified(apiKey, email)).data).toMatchObject({ email: read, read_as: read });
});

describe('SMTP injection', () => {
	const MARK = 'smuggled';

	test.each([
		['CRLF and a command', `ada@inbox.test\r\nRCPT TO:<${MARK}@inbox.test>`],
		['a bare LF', `ada@inbox.test\nDATA ${MARK}`],
		['a bare CR', `ada@inbox.test\rQUIT ${MARK}`],
		['CRLF in the local part', `${MARK}\r\nRSET\r\n@inbox.test`],
		['CRLF in a quoted local part', `"${MARK}\r\nDATA\r\n."@inbox.test`],
		['an escaped CRLF in a quoted local part', `"${MARK}\\\r\\\n"@inbox.test`],
		['an angle bracket that ends the path', `ada@inbox.test> SIZE=1 <${MARK}@inbox.test`],
		['a source route', `@relay.test:${MARK}@inbox.test`],
		['a line separator', `ada@inbox.test\u2028DATA ${MARK}`],
		['a next-line character', `ada@inbox.test\u0085DATA ${MARK}`],
		['letters that lose a byte to a line break', `${MARK}\u560d\u560aDATA@inbox.test> SIZE=1`],
		['a NUL before a command', `ada@inbox.test\0\r\n${MARK}`],
	])('%s is a 400', async (_, email) => {
		expect(await refused(JSON.stringify({ email }))).toMatch(/^Malformed email: \S/);
	});

	test('nothing of it ever reached the DNS or a mail server', async () => {
		const { apiKey } = await makeAccount(service, 1);
		// The witness does see what is sent: a good address first.
		await verified(apiKey, 'witnessed@inbox.test');
		expect((await sightingsOf('witnessed')).smtp).toBeGreaterThan(0);
		expect((await sightingsOf('inbox.test')).dns).toBeGreaterThan(0);
		expect(await sightingsOf(MARK)).toEqual({ dns: 0, smtp: 0 });
	});
});

describe('a body that is not the request', () => {
	const deep = `${'['.repeat(32)}${']'.repeat(32)}`;
	test.each<[string, string | undefined, RegExp]>([
		['no email', '{}', /\bemail\b/],
		['a number', '{"email":42}', /\bemail\b/],
		['null', '{"email":null}', /\bemail\b/],
		['an array', '{"email":["ada@inbox.test"]}', /\bemail\b/],
		['an object', '{"email":{"address":"ada@inbox.test"}}', /\bemail\b/],
		['another spelling', '{"Email":"ada@inbox.test"}', /\bemail\b/],
		['an email of the prototype', '{"__proto__":{"email":"ada@inbox.test"}}', /\bemail\b/],
		['an array instead of an object', '[{"email":"ada@inbox.test"}]', /\bobject\b/],
		['null instead of one', 'null', /\bobject\b/],
		['a text instead of one', '"ada@inbox.test"', /\bobject\b/],
		['empty', '', /\bJSON\b/],
		['absent', undefined, /\bJSON\b/],
		['a form', 'email=ada%40inbox.test', /\bJSON\b/],
		['truncated', '{"email":"ada@inbox.te', /\bJSON\b/],
		['followed by more', '{"email":"ada@inbox.test"}{"email":"ada@inbox.test"}', /\bJSON\b/],
		['with a line break in the string', '{"email":"ada@inbox.test\r\n"}', /\bJSON\b/],
		['nested and not closed', '['.repeat(60_000), / 32 levels deep$/],
		['nested in a field that is ignored', `{"email":"ada@inbox.test","deep":${deep}}`, / 32 levels deep$/],
		[
			'nested after brackets in a text',
			`["\\"]]]]",${'{"a":'.repeat(32)}1${'}'.repeat(32)}]`,
			/ 32 levels deep$/,
		],
	])('%s', async (_, body, says) => {
		expect(await refused(body)).toMatch(says);
	});

	test.each([
		// In a field that is ignored: nothing else is wrong with it.
		['invalid UTF-8', new Uint8Array(Buffer.from('{"email":"ada@inbox.test","note":"\xff"}', 'latin1'))],
		[
			'an overlong sequence',
			new Uint8Array(Buffer.from('{"email":"ada@inbox.test","n":"\xc0\xaf"}', 'latin1')),
		],
		['a cut UTF-8 sequence', new Uint8Array([...Buffer.from('{"email":"ada@inbox.test"}'), 0xe2, 0x82])],
		['UTF-16', new Uint8Array(Buffer.from('{"email":"ada@inbox.test"}', 'utf16le'))],
	])('%s', async (_, body) => {
		expect(await refused(body)).toMatch(/\bUTF-8\b|\bJSON\b/);
	});

	test.each([
		'text/plain',
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'application/xml',
		'application/jsonp',
		'json',
	])('a body sent as %s, though it holds JSON', async (mediaType) => {
		const error = await refused('{"email":"ada@inbox.test"}', { 'content-type': mediaType });
		expect(error).toContain('application/json');
	});
});

describe('a body of 64 KiB', () => {
	test('is read, and one octet more is refused', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const full = requestOf(BODY_OCTETS_MAX);
		expect(Buffer.byteLength(full)).toBe(BODY_OCTETS_MAX);
		expect((await call(service.url, apiKey, 'POST', '/v1/verify', full)).status).toBe(200);
		expect(await refused(requestOf(BODY_OCTETS_MAX + 1))).toContain(String(BODY_OCTETS_MAX));
	});

	test('is the limit also where the length is not announced', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const before = await balanceOf(apiKey);
		const body = new Blob([requestOf(BODY_OCTETS_MAX + 1)]).stream();
		const response = await fetch(new URL('/v1/verify', service.url), {
			method: 'POST',
			headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
			body,
			duplex: 'half',
		} as RequestInit);
		expect(response.status).toBe(400);
		expect(await response.json()).toEqual({
			success: false,
			error: `The body is longer than ${BODY_OCTETS_MAX} bytes`,
			message: `The body is longer than ${BODY_OCTETS_MAX} bytes`,
			code: 'body_too_large',
			requestId: response.headers.get('x-request-id'),
		});
		expect(await balanceOf(apiKey)).toEqual(before);
	});
});
