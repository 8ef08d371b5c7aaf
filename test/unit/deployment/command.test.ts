import { spawn } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Unstable_RawConfig as RawConfig } from 'wrangler';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inUse, noWorker, sharesIn } from '../../support/deployment/fake-platform.ts';
import type { FakeState } from '../../support/deployment/fake-platform.ts';
import { readConfig } from '../../../src/config.ts';
import { WRANGLER_ENVIRONMENT } from '../../../tools/wrangler-dev.ts';

// The command itself, in a copy of the project: follows docs/deploy.md with other names. The pinned Wrangler judges the
// configuration; a script stands in for it where Cloudflare would answer.

const ROOT = path.join(import.meta.dirname, '../../..');
const GUIDE = readFileSync(path.join(ROOT, 'docs/deploy.md'), 'utf8');
const PAYMENTS = readFileSync(path.join(ROOT, 'docs/payments.md'), 'utf8');
const WORKFLOW = readFileSync(path.join(ROOT, '.github/workflows/deploy.yml'), 'utf8');
const FAKE = path.join(ROOT, 'test/support/deployment/fake-wrangler.ts');
const ANSWERED = { NODE_OPTIONS: `--import ${path.join(ROOT, 'test/support/deployment/fake-answers.ts')}` };
const MIGRATIONS = readdirSync(path.join(ROOT, 'migrations')).filter((name) => name.endsWith('.sql'));
const TOKEN = 'f'.repeat(64);
const OURS = 'kontor.example';
let folder: string;
let project: string;
let platform: string;

const stateNow = (): FakeState => JSON.parse(readFileSync(platform, 'utf8')) as FakeState;
const begin = (state: FakeState): void => writeFileSync(platform, JSON.stringify(state));
const configOf = (environment: string): RawConfig =>
	JSON.parse(readFileSync(path.join(project, `wrangler.${environment}.json`), 'utf8')) as RawConfig;

beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'command-'));
	project = path.join(folder, 'project');
	platform = path.join(folder, 'platform.json');
	for (const name of [
		'CHANGELOG.md',
		'src',
		'clients',
		'deploy',
		'docs',
		'migrations',
		'tsconfig.json',
		'wrangler.toml',
	])
		cpSync(path.join(ROOT, name), path.join(project, name), { recursive: true });
	for (const name of ['node_modules', 'tools', 'package.json'])
		symlinkSync(path.join(ROOT, name), path.join(project, name));
	const bin = path.join(folder, 'bin');
	mkdirSync(bin);
	const scripts = {
		// The working copy of the tests may have changes.
		git: '[ "$1" = log ] && echo "bbbbbbbbbbbb jobs: go faster"; exit 0',
		openssl: `echo ${TOKEN}`,
		npm: `shift 3; exec ${process.execPath} tools/deploy.ts "$@" --wrangler ${FAKE}`,
	};
	for (const [name, script] of Object.entries(scripts)) {
		writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
		chmodSync(path.join(bin, name), 0o755);
	}
	begin(noWorker());
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(
	program: string,
	args: readonly string[],
	env = {},
	input = '',
): Promise<{ code: number; said: string }> {
	const child = spawn(program, args, {
		cwd: project,
		env: {
			...process.env,
			...WRANGLER_ENVIRONMENT,
			PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}`,
			FAKE_PLATFORM: platform,
			SMOKE_KEY: 'ms_test_only',
			...env,
		},
	});
	child.stdin.end(input);
	let said = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
	return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, said })));
}

const command = (words: readonly string[], env = {}) =>
	run(process.execPath, ['tools/deploy.ts', ...words, '--wrangler', FAKE], env);

/** The guide's block that holds this line, with other names. */
function block(line: string): string {
	const found = GUIDE.split('```').find((one) => one.startsWith('sh\n') && one.includes(line));
	if (found === undefined) throw new Error(`docs/deploy.md has no block with ${line}`);
	return found.slice('sh\n'.length).replaceAll('example.com', OURS);
}

describe('a reader of docs/deploy.md with other names', () => {
	beforeAll(async () => {
		const { code, said } = await run('bash', [
			'-euc',
			`${block('cp deploy/')}\n${block('openssl rand')}\n${block('JURISDICTION')}`,
		]);
		expect([code, said]).toEqual([0, '']);
		for (const environment of ['staging', 'production']) {
			const settings = path.join(project, `deploy/${environment}.env`);
			const host = environment === 'staging' ? `staging.verify.${OURS}` : `verify.${OURS}`;
			const text = readFileSync(settings, 'utf8').replaceAll('verify.example.com', host);
			writeFileSync(settings, text.replaceAll('example.com', OURS));
			const secrets = path.join(folder, `mailsonar.${environment}.secrets`);
			writeFileSync(secrets, readFileSync(secrets, 'utf8').replaceAll(/TOKEN2?@/g, `${TOKEN}@`));
		}
	});

	test('builds production: Wrangler accepts the configuration', { timeout: 120_000 }, async () => {
		const words = block('--first').replaceAll('staging', 'production').split('\n');
		const check = words.find((line) => line.endsWith(' check')) ?? '';
		const { code, said } = await run(process.execPath, ['tools/deploy.ts', ...check.split(' ').slice(4)]);
		expect(said).toContain(`env.PUBLIC_URL ("https://verify.${OURS}")`);
		expect(said).toContain(`env.MAIL_SENDER ("hello@${OURS}")`);
		expect([code, said.includes('example.com')]).toEqual([0, false]);
		// Nothing of another environment.
		const names = [...said.matchAll(/\((mailsonar[\w-]*)\)/g)].map(([, name = '']) => name);
		expect(names.length).toBeGreaterThan(4);
		expect(names.filter((name) => /^mailsonar[-_]staging/.test(name))).toEqual([]);
		const own = configOf('production').env?.['production'];
		expect(own?.routes).toEqual([{ pattern: `verify.${OURS}`, custom_domain: true }]);
		expect([own?.vars?.['JURISDICTION'], own?.r2_buckets?.[0]?.jurisdiction]).toEqual(['eu', 'eu']);
	});

	test.each([
		['staging', []],
		['production', ['d1 list --json', 'd1 create mailsonar --update-config=false --jurisdiction eu']],
	])('deploys %s up to the upload, with its secrets', async (environment, first) => {
		begin({ ...noWorker(), fails: { call: 'd1 migrations apply', says: 'no further here' } });
		const line = block('--first')
			.replaceAll('staging', environment)
			.split('\n')
			.find((one) => one.includes('--first'));
		const { code, said } = await command([...(line ?? '').split(' ').slice(4), '--tested']);
		expect([code, said]).toEqual([1, expect.stringContaining('no further here')]);
		const state = stateNow();
		expect(state.calls).toEqual([
			'deployments status --json',
			...first,
			expect.stringMatching(/^deploy --tag bbbbbbbbbbbb\.[0-9a-f]{8} /),
			expect.stringContaining('d1 execute'),
			'd1 migrations apply DB --remote',
		]);
		expect([state.secrets, said.includes(TOKEN)]).toEqual([`../mailsonar.${environment}.secrets`, false]);
	});

	test('and of docs/payments.md deploys the prices, and then each secret with the code that answers', async () => {
		begin({ ...inUse(MIGRATIONS), jurisdiction: 'eu' });
		const [, section = ''] = PAYMENTS.split('## Setting it up');
		const blocks = [...section.matchAll(/```sh\n(echo[^`]+|npm run deploy[^`]+)```/g)].map(
			([, text]) => text,
		);
		const lines = [...blocks, 'npm run deploy -- production status'].join('');
		const { code, said } = await run('bash', ['-euc', lines], ANSWERED, TOKEN);
		expect([code, said.match(/^✓ promote/gm)?.length]).toEqual([0, 3]);
		expect(said).toMatch(/commit bbbbbbbbbbbb jobs: go faster\n$/);
		const state = stateNow();
		// What the first command finds in its pipe is the secret, which is Wrangler's alone.
		expect([state.inputs, said.includes(TOKEN)]).toEqual([[TOKEN, ''], false]);
		expect(state.calls.filter((call) => call.includes('secret put'))).toEqual([
			'versions secret put STRIPE_SECRET_KEY',
			'versions secret put STRIPE_WEBHOOK_SECRET',
		]);
		const newest = state.versions.at(-1);
		expect([sharesIn(state), newest?.secrets]).toEqual([{ [newest?.id ?? '']: 100 }, 2]);
		const settings = configOf('production').env?.['production']?.vars ?? {};
		const secrets = { STRIPE_SECRET_KEY: 'rk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_xyz' };
		const sells = readConfig({ ...settings, ...secrets });
		expect([sells.switchedOff, sells.CREDIT_PACKS.length]).toEqual([[], 2]);
	});
});

describe('the workflow’s step', () => {
	const script = (
		/name: Deploy or roll back[\s\S]*run: \|\n((?: {10}.*\n?)+)/.exec(WORKFLOW)?.[1] ?? ''
	).replaceAll(/^ {10}/gm, '');
	const SETTINGS = `PUBLIC_URL=https://verify.${OURS}\nJURISDICTION=eu`;

	test('deploys with the settings of its environment', async () => {
		begin({
			...inUse(MIGRATIONS),
			jurisdiction: 'eu',
			fails: { call: 'versions upload', says: 'no further here' },
		});
		const { code, said } = await run('bash', ['-ec', script], {
			SETTINGS,
			WHERE: 'production',
			WHAT: 'deploy',
		});
		expect([code, said]).toEqual([1, expect.stringContaining('no further here')]);
		expect(said).toContain(`mailsonar at https://verify.${OURS}`);
		expect(configOf('production').env?.['production']?.vars).toEqual({
			PUBLIC_URL: `https://verify.${OURS}`,
			JURISDICTION: 'eu',
		});
	});

	test('rolls back, and refuses an old secret', async () => {
		const state = inUse();
		const [one] = state.versions;
		if (one === undefined) throw new Error('there is a version');
		const changed = { ...one, id: 'version-2', tag: null, secrets: 1 };
		begin({
			...state,
			versions: [one, changed],
			deployments: [...state.deployments, { at: state.now, shares: { 'version-2': 100 } }],
		});
		const { code, said } = await run('bash', ['-ec', script], {
			SETTINGS,
			WHERE: 'production',
			WHAT: 'rollback',
		});
		expect([code, said]).toEqual([1, expect.stringContaining('version-1 has older secrets')]);
		expect(sharesIn(stateNow())).toEqual({ 'version-2': 100 });
	});
});

describe('the command', () => {
	const settings = (text: string): string => {
		writeFileSync(path.join(folder, 'settings.env'), text);
		return '--settings=../settings.env';
	};

	test.each([
		['no environment', [], 'Name an environment: staging or production'],
		['another environment', ['local'], 'Name an environment'],
		['another verb', ['staging', 'undo'], 'There is no command `staging undo`'],
		['no secret', ['staging', 'secret'], 'There is no command `staging secret`'],
		['another secret', ['staging', 'secret', 'MAIL_SENDER'], 'MAIL_SENDER is no secret'],
		['an unknown switch', ['staging', '--fast'], "Unknown option '--fast'"],
		['--first without secrets', ['staging', '--first'], '--first and --secrets-file go together'],
		['a key that costs credits', ['staging'], 'SMOKE_KEY is no test key'],
		['settings that do not exist', ['staging', '--settings', 'none'], 'The settings none do not exist'],
	])('refuses %s, and calls nobody', async (what, words, told) => {
		begin(noWorker());
		const key = what === 'a key that costs credits' ? 'ms_live_x' : 'ms_test_1';
		const { code, said } = await command(words, { SMOKE_KEY: key });
		expect([code, said]).toEqual([1, expect.stringContaining(told)]);
		expect(stateNow().calls).toEqual([]);
	});

	test.each([
		['no PUBLIC_URL', 'MAIL_SENDER=a@b.example', 'PUBLIC_URL is not https://'],
		['an address without TLS', 'PUBLIC_URL=http://a.example', 'PUBLIC_URL is not https://'],
		['an address with a path', 'PUBLIC_URL=https://a.example/api', 'PUBLIC_URL is not https://'],
		['a secret', `PUBLIC_URL=https://a.example\nOPERATOR_TOKENS=${TOKEN}`, 'OPERATOR_TOKENS is a secret'],
		['a misspelt name', 'PUBLIC_URL=https://a.example\nMAIL_SENDR=x', 'MAIL_SENDR is no variable'],
		['a value that no Worker takes', 'PUBLIC_URL=https://a.example\nTRIAL_CREDITS=many', 'TRIAL_CREDITS: '],
		['DEVELOPMENT', 'PUBLIC_URL=https://a.example\nDEVELOPMENT=true', 'belongs in .dev.vars'],
	])('refuses settings with %s', async (_, text, told) => {
		const { code, said } = await command(['staging', settings(text)]);
		expect([code, said]).toEqual([1, expect.stringContaining(told)]);
		expect(said).not.toContain(TOKEN);
	});
});
