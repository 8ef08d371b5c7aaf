import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings, secretsProblem } from '../../../tools/deployment/target.ts';
import type { Target } from '../../../tools/deployment/target.ts';
import { MIGRATIONS, inUse, noWorker, sharesIn } from '../../support/deployment/fake-platform.ts';
import type { FakeState } from '../../support/deployment/fake-platform.ts';
import { OLD, SECRETS, TOKEN, deployed } from '../../support/deployment/scene.ts';

describe('the first deploy', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'deploy-'));
	const options = { first: true, testKey: null, 'secrets-file': path.join(folder, 'secrets') };
	beforeAll(() => writeFileSync(options['secrets-file'], SECRETS));
	afterAll(() => rmSync(folder, { recursive: true }));

	test('makes secrets, Worker, tables, rules, an account and its keys, and verifies the operator’s address', async () => {
		const state = noWorker();
		const file = path.join(folder, 'made');
		const { refusal, said, asked } = await deployed(state, {
			options: { ...options, 'secrets-file': file, testKey: 'ms_test_of_another' },
		});
		expect(refusal).toBeNull();
		expect([sharesIn(state), state.secrets, state.lifecycle]).toEqual([{ [OLD]: 100 }, file, true]);
		expect([state.migrations, asked.includes(`/docs ${OLD}`)]).toEqual([MIGRATIONS, true]);
		expect(asked.filter((one) => one.startsWith('/v1/verify'))).toHaveLength(1);
		const secrets = readFileSync(file, 'utf8');
		expect(secrets).toMatch(
			/^KEY_SIGNING_SECRET=1:[0-9a-f]{64}\nOPERATOR_TOKENS=operator:[0-9a-f]{64}\nPROBERS=/,
		);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const lines = said.join('\n');
		expect(lines).toContain('✓ account    acc_1 of ada@staging.test, with 100 credits');
		expect(lines).toContain('✓ verified   ada@staging.test is deliverable (accepted)');
		expect(lines).toContain(`Into the safe, since nobody can make them again: ${file}`);
		expect(lines).toContain("curl https://staging.test/v1/verify -H 'Authorization: Bearer ms_live_1'");
		expect(lines).toContain('export SMOKE_KEY=ms_test_1 MAILSONAR_URL=https://staging.test');
		expect([TOKEN, ...(secrets.match(/[0-9a-f]{64}/g) ?? [])].filter((one) => lines.includes(one))).toEqual(
			[],
		);
	});

	test.each<[string, FakeState, Partial<Target>, string]>([
		['that the Worker could not use', noWorker(), { settings: { TRIAL_CREDITS: 'x' } }, 'does not fit: '],
		[
			'beside a Worker that stands, whose keys would end',
			{ ...inUse(), accounts: 0 },
			{},
			' stands already, and ',
		],
	])('makes no secrets %s', async (_, state, target, told) => {
		const file = path.join(folder, 'none');
		const { refusal } = await deployed(state, { target, options: { ...options, 'secrets-file': file } });
		expect(refusal?.message).toContain(told);
		expect([existsSync(file), state.calls.filter((call) => call.startsWith('deploy '))]).toEqual([false, []]);
	});

	test.each([
		['deploy --secrets-file', 0],
		['d1 migrations apply', 1],
		['r2 bucket lifecycle', 1],
	])(
		'can be given again where %s failed, and makes one database, where accounts are to be kept',
		async (call, versions) => {
			const state = { ...noWorker(), fails: { call, says: 'away' } };
			const scene = { options, target: { jurisdiction: 'eu' } };
			expect((await deployed(state, scene)).refusal?.message).toContain('away');
			expect(state.versions.length).toBe(versions);
			Object.assign(state, { fails: null });
			// Also with a commit that mends what was wrong: nobody is a customer yet.
			expect((await deployed(state, { ...scene, commit: 'cccccccccccc' })).refusal).toBeNull();
			expect([state.lifecycle, state.migrations]).toEqual([true, MIGRATIONS]);
			const created = state.calls.filter((one) => one.startsWith('d1 create'));
			expect(created).toEqual(['d1 create mailsonar-staging --update-config=false --jurisdiction eu']);
			expect(state.calls.find((one) => one.startsWith('r2'))).toMatch(/ --jurisdiction eu$/);
		},
	);
});

test.each([
	['all that is needed', SECRETS, null],
	['no operator’s token', SECRETS.replace(/OPERATOR.*/, ''), 'lacks OPERATOR_TOKENS'],
	['an empty line', SECRETS.replace(`1:${TOKEN}`, ''), 'lacks KEY_SIGNING_SECRET'],
	['nothing', '', 'lacks KEY_SIGNING_SECRET, OPERATOR_TOKENS, PROBERS'],
	['a short token', SECRETS.replace(`//${TOKEN}`, '//TOKEN2'), 'PROBERS: entry 1 has a token of fewer'],
	[
		'a secret without its setting',
		`${SECRETS}STRIPE_SECRET_KEY=sk_test_0x4A`,
		'off without STRIPE_WEBHOOK_SECRET and CREDIT_PACKS',
	],
	['a setting', `${SECRETS}MAIL_SENDER=a@b.example`, 'holds MAIL_SENDER, which is no secret'],
])('a file of secrets with %s', (_, text, problem) => {
	const told = secretsProblem(text, { PUBLIC_URL: 'https://verify.example.com' });
	expect(told).toEqual(problem === null ? null : expect.stringContaining(problem));
	expect(told ?? '').not.toContain(TOKEN);
});

test.each([
	['no PUBLIC_URL', 'MAIL_SENDER=a@b.example', 'PUBLIC_URL is not https://'],
	['an address without TLS', 'PUBLIC_URL=http://a.example', 'PUBLIC_URL is not https://'],
	['an address with a path', 'PUBLIC_URL=https://a.example/api', 'PUBLIC_URL is not https://'],
	['a secret', `PUBLIC_URL=https://a.example\nOPERATOR_TOKENS=${TOKEN}`, 'OPERATOR_TOKENS is a secret'],
	['a misspelt name', 'PUBLIC_URL=https://a.example\nMAIL_SENDR=x', 'MAIL_SENDR is no variable'],
	[
		'another word for the metrics',
		'PUBLIC_URL=https://a.example\nMETRICS=no',
		'METRICS is neither on nor off',
	],
	['a value that no Worker takes', 'PUBLIC_URL=https://a.example\nTRIAL_CREDITS=many', 'TRIAL_CREDITS: '],
	['DEVELOPMENT', 'PUBLIC_URL=https://a.example\nDEVELOPMENT=true', 'belongs in .dev.vars'],
])('settings with %s are refused', (_, text, told) => {
	expect(() => readSettings(text, 'a.env')).toThrow(told);
	expect(() => readSettings(text, 'a.env')).not.toThrow(TOKEN);
});
