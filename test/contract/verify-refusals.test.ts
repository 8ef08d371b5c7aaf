import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, sightingsOf, verified } from './api.ts';

// POST /v1/verify: addresses that are refused with a 400, cost nothing and never reach a mail server. Bodies that are none:
// errors.test.ts.

const service = inject('service');

/** Sends a body as it is; the balance must be untouched by whatever comes back. */
async function refused(body: string): Promise<string> {
	const { apiKey } = await makeAccount(service, 5);
	const before = await balanceOf(apiKey);
	const answer = await call(service.url, apiKey, 'POST', '/v1/verify', body);
	expect(await balanceOf(apiKey)).toEqual(before);
	return expectFailure(answer, 400);
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
