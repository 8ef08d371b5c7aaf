import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	findRdapServer,
	readRdapAnswer,
	readRdapBootstrap,
} from '../../../../src/core/catchall/domain/rdap.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

function registered(events: readonly (readonly [unknown, unknown])[], more: object = {}) {
	const body = {
		objectClassName: 'domain',
		ldhName: 'X.TEST',
		events: events.map(([eventAction, eventDate]) => ({ eventAction, eventDate })),
		...more,
	};
	return readRdapAnswer(body, 'x.test', NOW);
}

describe('the age of a domain', () => {
	test.each<[string, string, string | null]>([
		['is its registration', 'registration 2010-05-01T10:00:00Z', '2010-05-01T10:00:00Z'],
		['is a later re-registration', 'registration 2010-05-01, reregistration 2025-01-01', '2025-01-01'],
		['is a registration after that', 'registration 2025-01-01, reregistration 2010-01-01', '2025-01-01'],
		['may be written in capitals', 'Registration 2010-05-01t10:00:00z', '2010-05-01T10:00:00Z'],
		['may have an offset', 'registration 2010-05-01T10:00:00+02:00', '2010-05-01T08:00:00Z'],
		['is in UTC by default', 'registration 2010-05-01T10:00:00.123', '2010-05-01T10:00:00.123Z'],
		['may be a day', 'registration 2010-05-01', '2010-05-01'],
		['may be today', 'registration 2026-11-21T12:00:00Z', '2026-11-21T12:00:00Z'],
		['is not in the future', 'registration 2026-11-21T12:00:01Z', null],
		['is not before 1985', 'registration 1984-12-31T23:59:59Z', null],
		['may be 1985', 'registration 1985-01-01T00:00:00Z', '1985-01-01'],
		['is not another event', 'registrar_registration 2010-05-01, last_changed 2010-05-01', null],
		['is not nonsense', 'registration yesterday, registration 2010-13-45, 7 2010-05-01', null],
	])('%s', (_, written, since) => {
		const events = written.split(', ').map((event) => {
			const [action = '', date] = event.split(' ');
			return [action.replace('_', ' '), date] as const;
		});
		expect(registered(events)?.since).toBe(since === null ? null : Date.parse(since));
	});

	test('is not read from an answer about another domain, or about no domain', () => {
		const read = (more: object) => registered([['registration', '2010-05-01']], more);
		expect([read({ ldhName: 'y.test' }), read({ objectClassName: 'nameserver' })]).toEqual([null, null]);
		for (const ldhName of ['x.test.', undefined]) expect(read({ ldhName })).not.toBeNull();
	});
});

test.each<[unknown, readonly string[]]>([
	[['active'], []],
	[['client hold', 'server transfer prohibited'], ['client hold']],
	[
		['serverHold', 'pendingDelete'],
		['server hold', 'pending delete'],
	],
	[['Redemption Period'], ['redemption period']],
	[['threshold', 'hold'], []],
	['client hold', []],
	[[['client hold'], 7, null], []],
])('status %j holds by %j', (status, holds) => {
	expect(registered([], { status })?.holds).toEqual(holds);
});

test('any JSON is read without an exception', () => {
	const events = fc.array(
		fc.record({
			eventAction: fc.oneof(fc.constant('registration'), fc.jsonValue()),
			eventDate: fc.jsonValue(),
		}),
	);
	fc.assert(
		fc.property(fc.jsonValue(), events, (junk, list) => {
			readRdapAnswer(junk, 'x.test', NOW);
			const read = readRdapAnswer({ objectClassName: 'domain', status: junk, events: list }, 'x.test', NOW);
			expect(read).not.toBeNull();
			readRdapBootstrap(junk);
			readRdapBootstrap({ services: junk });
			readRdapBootstrap({ services: [junk, [junk, junk]] });
		}),
	);
	let nested: object = { objectClassName: 'domain' };
	for (let depth = 0; depth < 50_000; depth += 1) nested = { objectClassName: 'domain', entities: [nested] };
	expect(readRdapAnswer(nested, 'x.test', NOW)).toEqual({ since: null, holds: [] });
});

describe('the server to ask', () => {
	const servers = readRdapBootstrap({
		version: '1.0',
		services: [
			[['com', 'NET'], ['https://rdap.a.test/v1']],
			[['uk'], ['http://rdap.b.test/', 'https://rdap.b.test/uk/']],
			[['co.uk'], ['https://rdap.c.test/']],
			[['kg'], ['http://rdap.d.test/']],
			[['bad'], ['ftp://rdap.e.test/', 7, 'https://']],
			[['worse']],
			'nonsense',
		],
	})!;

	test.each<[string, string | null]>([
		['x.com', 'https://rdap.a.test/v1/'],
		['X.NET', 'https://rdap.a.test/v1/'],
		['x.org.uk', 'https://rdap.b.test/uk/'],
		['x.co.uk', 'https://rdap.c.test/'],
		['x.kg', 'http://rdap.d.test/'],
		['x.bad', null],
		['x.worse', null],
		['x.io', null],
		['com', null],
		['x.constructor', null],
		['x.__proto__', null],
	])('for %s is %s', (domain, base) => {
		expect(findRdapServer(servers, domain)).toBe(base);
		// As it comes out of a cache.
		expect(findRdapServer(JSON.parse(JSON.stringify(servers)), domain)).toBe(base);
	});

	test.each([[null], [[]], [{}], [{ services: {} }], [{ services: [] }]])('is in no file like %j', (body) => {
		expect(readRdapBootstrap(body)).toBeNull();
	});
});
