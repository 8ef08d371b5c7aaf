import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, sightingsOf, verified } from './api.ts';

// POST /v1/verify: addresses that are refused with a 400, cost nothing and never reach a mail server. Bodies that are none:
// errors.test.ts.

const service = inject('service');
const BODY_OCTETS_MAX = 1_048_576;

/** Sends a body as it is; the balance must be untouched by whatever comes back. */
async function refused(body: string): Promise<string> {
	const { apiKey } = await makeAccount(service, 5);
	const before = await balanceOf(apiKey);
	const answer = await call(service.url, apiKey, 'POST', '/v1/verify', body);
	expect(await balanceOf(apiKey)).toEqual(before);
	return expectFailure(answer, 400);
}

/** A good request of exactly so many octets. */
function requestOf(octets: number): string {
	const empty = JSON.stringify({ email: 'ada@inbox.test', note: '' });
	return JSON.stringify({ email: 'ada@inbox.test', note: 'x'.repeat(octets - empty.length) });
}

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

describe('a malformed address', () => {
	const MARK = 'smuggled';

	test.each([
		['empty', ''],
		['a lone surrogate', '\ud800@inbox.test'],
		['60,000 characters', `${'a'.repeat(60_000)}@inbox.test`],
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
	])('is a 400 that costs nothing: %s', async (_, email) => {
		expect(await refused(JSON.stringify({ email }))).toMatch(/^Malformed email: \S/);
	});

	test('never reached the DNS or a mail server', async () => {
		const { apiKey } = await makeAccount(service, 1);
		// The witness does see what is sent: a good address first.
		await verified(apiKey, 'witnessed@inbox.test');
		expect((await sightingsOf('witnessed')).smtp).toBeGreaterThan(0);
		expect((await sightingsOf('inbox.test')).dns).toBeGreaterThan(0);
		expect(await sightingsOf(MARK)).toEqual({ dns: 0, smtp: 0 });
	});
});

describe('a body of a MiB', () => {
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
