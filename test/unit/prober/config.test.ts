import { describe, expect, test } from 'vitest';
import { readProberConfig } from '../../../src/prober/config.ts';
import { expectBadVariable } from '../../support/unit/bad-variable.ts';
import { rowsBy } from '../../support/unit/tables.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const LEAST = { PROBER_TOKEN: TOKEN, HELO_NAME: 'probe.example', MAIL_FROM: 'v@probe.example' };

test('a token, a name and a sender are enough: the rest has defaults', () => {
	const config = readProberConfig(LEAST);
	expect(config).toMatchObject({
		PROBER_TOKEN: [TOKEN],
		PROBER_LISTEN: { host: '127.0.0.1', port: 8025 },
		PROBER_STATE: 'prober.sqlite',
		SMTP_PORT: 25,
		HELO_NAME: 'probe.example',
		MAIL_FROM: 'v@probe.example',
		ALLOW_PRIVATE_MX: [],
	});
	expect(config.SMTP_EGRESS.map(({ label }) => label)).toEqual(['direct']);
});

test('an empty variable is an absent one, and the rest of the environment is none of its business', () => {
	const empty = Object.fromEntries(
		['PROBER_LISTEN', 'PROBER_STATE', 'SMTP_EGRESS', 'SMTP_PORT', 'ALLOW_PRIVATE_MX'].map((name) => [
			name,
			'',
		]),
	);
	expect(readProberConfig({ ...LEAST, ...empty, HOME: '/root' })).toEqual(readProberConfig(LEAST));
});

test.each<[string, string, unknown]>([
	['PROBER_TOKEN', `${TOKEN}, ${'b'.repeat(40)}`, [TOKEN, 'b'.repeat(40)]],
	['PROBER_TOKEN', `"${TOKEN} ${'b'.repeat(40)}"`, [TOKEN, 'b'.repeat(40)]],
	['PROBER_TOKEN', `'${TOKEN}'`, [TOKEN]],
	['PROBER_BUDGETS', `'{"google":{"connections":2}}'`, { google: { connections: 2 } }],
	['PROBER_BUDGETS', '{"google":{"connections":2}}', { google: { connections: 2 } }],
	['HELO_NAME', '"probe.example"', 'probe.example'],
	['PROBER_LISTEN', '0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
	['PROBER_LISTEN', '[::1]:8025', { host: '::1', port: 8025 }],
	['PROBER_LISTEN', 'localhost:0', { host: 'localhost', port: 0 }],
	['PROBER_STATE', ':memory:', ':memory:'],
	['SMTP_PORT', '1', 1],
	['SMTP_PORT', '65535', 65_535],
	['MAIL_FROM', 'v+1@v1.example', 'v+1@v1.example'],
	['ALLOW_PRIVATE_MX', 'false', []],
	[
		'SMTP_EGRESS',
		'socks5://a.example direct?helo=h.example',
		[{ heloName: null }, { heloName: 'h.example' }],
	],
])('a good value: %s=%s', (name, value, read) => {
	expect(readProberConfig({ ...LEAST, [name]: value })).toMatchObject({ [name]: read });
});

describe('a bad value is an error that names the variable and never the value', () => {
	const BAD = {
		PROBER_TOKEN: ['', 'hunter2', `${TOKEN} hunter2`, `"${TOKEN}hunter2`, `${TOKEN}'hunter2`],
		PROBER_LISTEN: ['hunter2', '8025', '::1:8025'],
		SMTP_EGRESS: [
			' , ',
			'socks5://ada:hunter2@',
			'socks5://a.example?helo=hunter2_',
			'socks5://a.example?from=hunter2',
			'socks5://a.example?helo=a%0d%0aRCPT',
			'direct://192.0.2.1?helo=a.example&from=v%40a.example%0aDATA',
		],
		SMTP_PORT: ['0', '65536', '25.5', 'hunter2'],
		HELO_NAME: ['', 'hunter2 RCPT', 'hunter2\r\nDATA', 'hunter2\u2028.example'],
		MAIL_FROM: [
			'',
			'hunter2',
			'<hunter2@v1.example>',
			'hunter2@v1.example\n',
			'hunter2@v1.example\r\nDATA',
			'hunter2@v1.example> SIZE=1',
			'"hunter2\r\nDATA"@v1.example',
		],
		ALLOW_PRIVATE_MX: ['yes', '10.0.0.0/8 hunter2'],
	};
	test.each(rowsBy<string, string>(BAD))('%s=%j', (name, value) => {
		expectBadVariable(() => readProberConfig({ ...LEAST, [name]: value }), name);
	});

	test('and every bad one is named at once', () => {
		expect(() => readProberConfig({ ...LEAST, SMTP_PORT: 'x', HELO_NAME: '!' })).toThrow(
			/SMTP_PORT: .+; HELO_NAME: /,
		);
	});
});
