import { expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, sightingsOf, verified, verify } from './api.ts';

// POST /v1/verify: addresses that are refused with a 400, cost nothing and never reach a mail server. Bodies that are none:
// errors.test.ts.

const service = inject('service');

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

// Every way to write such a thing: test/unit/security/smtp-injection.test.ts, test/unit/address/parse-address.test.ts.
test('a malformed address is a 400 that costs nothing, and never reaches the DNS or a mail server', async () => {
	const MARK = 'smuggled';
	const { apiKey } = await makeAccount(service, 1);
	const before = await balanceOf(apiKey);
	for (const email of [
		'',
		`ada@inbox.test\r\nRCPT TO:<${MARK}@inbox.test>`,
		`"${MARK}\\\r\\\n"@inbox.test`,
		`ada@inbox.test> SIZE=1 <${MARK}@inbox.test`,
		`@relay.test:${MARK}@inbox.test`,
		`${MARK}\u560d\u560aDATA@inbox.test> SIZE=1`,
	])
		expect(expectFailure(await verify(apiKey, email), 400), email).toMatch(/^Malformed email: \S/);
	expect(await balanceOf(apiKey)).toEqual(before);
	// The witness does see what is sent.
	await verified(apiKey, 'witnessed@inbox.test');
	expect((await sightingsOf('witnessed')).smtp).toBeGreaterThan(0);
	expect((await sightingsOf('inbox.test')).dns).toBeGreaterThan(0);
	expect(await sightingsOf(MARK)).toEqual({ dns: 0, smtp: 0 });
});
