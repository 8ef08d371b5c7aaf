import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { usableAddresses } from '../../../src/core/dns/find-mail-exchangers.ts';
import { isInBlock } from '../../../src/lib/ip-address.ts';
import { expectBadVariable } from '../../support/unit/bad-variable.ts';
import { rowsBy } from '../../support/unit/tables.ts';

const HEX = '0123456789abcdef0123456789abcdef';

test('without any variable there are the defaults of the documentation', () => {
	expect(readConfig({})).toEqual({
		DOH_URL: ['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query'],
		PROBERS: [],
		ALLOW_PRIVATE_MX: [],
		VERIFY_BUDGET_MS: 15_000,
		RETRY_DELAYS_SECONDS: [60, 300, 900],
		REDRIVE_AFTER_SECONDS: 30,
		JOB_HORIZON_SECONDS: 86_400,
		RESULTS_TTL_SECONDS: 172_800,
		LEDGER_RETENTION_DAYS: 400,
		SIGN_UP_REFUSES_DISPOSABLE: true,
		TRIAL_CREDITS: 100,
		RATE_WINDOW_SECONDS: 900,
		RDAP_BOOTSTRAP_URL: 'https://data.iana.org/rdap/dns.json',
		RDAP_SPACING_MS: 1_000,
		CREDIT_PACKS: [],
		DEVELOPMENT: false,
		KEY_SIGNING_SECRET: [],
		OPERATOR_TOKENS: [],
		switchedOff: [],
	});
});

test('an empty variable is an absent one, and bindings are none of its business', () => {
	const names = Object.keys(readConfig({}));
	const empty = Object.fromEntries(names.map((name) => [name, '']));
	expect(readConfig({ ...empty, DB: { prepare: null }, UNKNOWN: 'x' })).toEqual(readConfig({}));
});

describe('a good value', () => {
	const [X, Y] = ['x'.repeat(32), 'y'.repeat(32)];
	const TWO = ['https://a.example/q', 'http://127.0.0.1:5353/q'];
	const P1 = { label: 'p1.example', url: 'https://p1.example', token: HEX };
	const OPERATORS = [
		{ name: 'ada', token: X },
		{ name: 'bob.b-2', token: Y },
	];
	test.each<[string, string, unknown]>([
		['DOH_URL', TWO.join(', '), TWO],
		['MAIL_SENDER', 'v+1@v1.example', 'v+1@v1.example'],
		['JURISDICTION', 'eu', 'eu'],
		['VERIFY_BUDGET_MS', '1000', 1000],
		['VERIFY_BUDGET_MS', '20000', 20_000],
		['TRIAL_CREDITS', '0', 0],
		['RATE_WINDOW_SECONDS', '1', 1],
		['PROBERS', `https://${HEX}@p1.example`, [P1]],
		['DEVELOPMENT', 'true', true],
		['DEVELOPMENT', 'false', false],
		['ALLOW_PRIVATE_MX', 'false', []],
		['OPERATOR_TOKENS', `ada:${X}, bob.b-2:${Y}`, OPERATORS],
	])('%s=%s', (name, value, read) => {
		expect(readConfig({ [name]: value })).toMatchObject({ [name]: read });
	});

	test.each(['http://localhost:8787', 'http://127.0.0.1:8787', 'https://[::1]:8443'])(
		'of PUBLIC_URL on a developer’s machine is an address of it: %s',
		(url) => {
			const config = readConfig({ DEVELOPMENT: 'true', PUBLIC_URL: url });
			expect(config).toMatchObject({ DEVELOPMENT: true, PUBLIC_URL: url });
		},
	);

	test('of Stripe is a pair of secrets beside a price table, and several secrets of its endpoint', () => {
		const given = { STRIPE_SECRET_KEY: 'sk_test_4AAA', CREDIT_PACKS: '5000=39EUR' };
		expect(readConfig({ ...given, STRIPE_WEBHOOK_SECRET: 'whsec_new whsec_old' })).toMatchObject({
			STRIPE_SECRET_KEY: 'sk_test_4AAA',
			STRIPE_WEBHOOK_SECRET: ['whsec_new', 'whsec_old'],
			CREDIT_PACKS: [{ credits: 5_000, price: { amount: 3_900, currency: 'EUR' } }],
		});
	});

	test.each(['mailto:sales@mailsonar.example', 'https://mailsonar.example/contact'])(
		'of CONTACT_URL leads to a person: %s',
		(url) => {
			expect(readConfig({ CONTACT_URL: url })).toMatchObject({ CONTACT_URL: url });
		},
	);

	test('of TERMS_URL leads to a page of the operator’s', () => {
		const given = { PUBLIC_URL: 'https://mailsonar.example', TERMS_URL: 'https://lovelace.example/terms' };
		expect(readConfig(given)).toMatchObject(given);
		expect(() => readConfig({ ...given, TERMS_URL: 'https://mailsonar.example/terms/?en' })).toThrow(
			'TERMS_URL: is our own /terms',
		);
	});

	test('of ALLOW_PRIVATE_MX may be a list of blocks', () => {
		const { ALLOW_PRIVATE_MX: blocks } = readConfig({ ALLOW_PRIVATE_MX: '198.18.0.0/15 fd00::/8' });
		expect(blocks.map((block) => isInBlock('198.19.0.1', block))).toEqual([true, false]);
		expect(blocks.map((block) => isInBlock('fd00::1', block))).toEqual([false, true]);
	});

	test('of ALLOW_PRIVATE_MX may be all addresses', () => {
		const { ALLOW_PRIVATE_MX: blocks } = readConfig({ ALLOW_PRIVATE_MX: 'true' });
		expect(usableAddresses(['127.0.0.1', '::1', '::ffff:10.0.0.1', 'none'], blocks)).toHaveLength(3);
	});

	test('of KEY_SIGNING_SECRET is a list of which the first signs', () => {
		const { KEY_SIGNING_SECRET: secrets } = readConfig({
			KEY_SIGNING_SECRET: `255:${HEX}, 1:${HEX.toUpperCase()}`,
		});
		expect(secrets.map(({ version }) => version)).toEqual([255, 1]);
		expect(secrets.map(({ secret }) => Buffer.from(secret).toString('hex'))).toEqual([HEX, HEX]);
	});
});

describe('half of an optional feature is none of it, and no error', () => {
	const [key, signing, packs] = ['sk_test_hunter2', 'whsec_hunter2', '5000=39EUR'];
	test.each<[Record<string, string>, string]>([
		[{ STRIPE_SECRET_KEY: key, CREDIT_PACKS: packs }, 'Buying credits is off without STRIPE_WEBHOOK_SECRET'],
		[
			{ STRIPE_WEBHOOK_SECRET: signing, CREDIT_PACKS: packs },
			'Buying credits is off without STRIPE_SECRET_KEY',
		],
		[{ LEGAL_NAME: 'hunter2 Ltd' }, 'The legal pages are off without LEGAL_ADDRESS'],
		[{ LEGAL_ADDRESS: 'hunter2' }, 'The legal pages are off without LEGAL_NAME'],
	])('%j: %s', (env, said) => {
		const { CREDIT_PACKS: prices, ...config } = readConfig(env);
		const { CREDIT_PACKS: _, ...bare } = readConfig({});
		expect(config).toEqual({ ...bare, switchedOff: [said] });
		// Prices are shown without a shop, too.
		expect(prices).toEqual(readConfig({ CREDIT_PACKS: env['CREDIT_PACKS'] ?? '' }).CREDIT_PACKS);
		expect(said).not.toContain('hunter2');
	});

	test('without prices nothing is sold, and what was paid for is still settled', () => {
		expect(readConfig({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: signing })).toMatchObject({
			STRIPE_SECRET_KEY: key,
			STRIPE_WEBHOOK_SECRET: [signing],
			switchedOff: ['Buying credits is off without CREDIT_PACKS'],
		});
	});

	test('prices alone are no half: they are shown, beside a person to ask', () => {
		expect(readConfig({ CREDIT_PACKS: packs })).toMatchObject({ switchedOff: [], CREDIT_PACKS: [{}] });
	});
});

describe('a bad value is an error that names the variable and never the value', () => {
	const BAD = {
		DOH_URL: ['ftp://hunter2.example/q', 'hunter2', ' , '],
		PROBERS: ['hunter2', `https://${HEX}:hunter2@p1.example`],
		MAIL_SENDER: ['hunter2', '<hunter2@v1.example>', 'hunter2@v1.example\n'],
		ALLOW_PRIVATE_MX: ['yes', '10.0.0.0/8 hunter2'],
		VERIFY_BUDGET_MS: ['999', '20001'],
		TRIAL_CREDITS: ['-1'],
		RATE_WINDOW_SECONDS: ['0', '86401'],
		RDAP_BOOTSTRAP_URL: ['hunter2', 'file:///etc/hunter2'],
		DEVELOPMENT: ['yes'],
		KEY_SIGNING_SECRET: [
			HEX,
			`0:${HEX}`,
			`256:${HEX}`,
			`1:${HEX.slice(2)}`,
			`1:${HEX}f`,
			`1:${HEX}, hunter2`,
			`1:${HEX}, 1:${HEX}`,
		],
		OPERATOR_TOKENS: [
			'hunter2'.padEnd(40, 'x'),
			`ada:${'hunter2'.padEnd(31, 'x')}`,
			`Ada:${'hunter2'.padEnd(32, 'x')}`,
			`ada:${'hunter2'.padEnd(32, 'x')} ada:${'y'.repeat(32)}`,
			`ada:${'hunter2'.padEnd(32, 'x')} bob:${'hunter2'.padEnd(32, 'x')}`,
		],
		CREDIT_PACKS: ['5000=hunter2'],
		STRIPE_SECRET_KEY: ['hunter2\n'],
		STRIPE_WEBHOOK_SECRET: ['hunter2'],
		STRIPE_API_URL: ['ftp://hunter2.example'],
		CONTACT_URL: ['javascript:hunter2', 'http://hunter2.example'],
		TERMS_URL: ['javascript:hunter2', 'http://hunter2.example', 'mailto:hunter2@terms.example'],
	};
	test.each(rowsBy<string, string>(BAD))('%s=%j', (name, value) => {
		expectBadVariable(() => readConfig({ [name]: value }), name);
	});

	test.each(['https://verify.example.com', 'http://127.0.0.1.example.com', 'http://192.168.1.2:8787'])(
		'development is not for the public: DEVELOPMENT beside %s',
		(url) => {
			expect(() => readConfig({ DEVELOPMENT: 'true', PUBLIC_URL: url })).toThrow(
				/DEVELOPMENT: is true beside/,
			);
			expect(readConfig({ DEVELOPMENT: 'false', PUBLIC_URL: url }).PUBLIC_URL).toBe(url);
		},
	);

	test('and every bad one is named at once', () => {
		expect(() => readConfig({ PROBERS: 'x', TRIAL_CREDITS: 'y' })).toThrow(/PROBERS: .+; TRIAL_CREDITS: /);
	});
});
