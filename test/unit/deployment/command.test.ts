import { spawn } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { experimental_readRawConfig as readRawConfig } from 'wrangler';
import type { Unstable_RawConfig as RawConfig } from 'wrangler';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inUse, noWorker, sharesIn } from '../../support/deployment/fake-platform.ts';
import type { FakeState } from '../../support/deployment/fake-platform.ts';
import { readConfig } from '../../../src/config.ts';
import { deploy } from '../../../tools/deploy.ts';
import { WRANGLER_ENVIRONMENT } from '../../../tools/wrangler-dev.ts';

// The command itself, in a copy of the project: follows docs/deploy.md with other names. The pinned Wrangler judges the
// configuration; a script stands in for it where Cloudflare would answer.

const ROOT = path.join(import.meta.dirname, '../../..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const FAKE = path.join(ROOT, 'test/support/deployment/fake-wrangler.ts');
const ANSWERS = path.join(ROOT, 'test/support/deployment/fake-answers.ts');
const TOKEN = 'f'.repeat(64);
const OURS = 'postbote.example';
const COPIED = [
	'CHANGELOG.md',
	'src',
	'clients',
	'deploy',
	'docs',
	'migrations',
	'tsconfig.json',
	'wrangler.toml',
];
let folder: string;
let project: string;
let platform: string;

const stateNow = (): FakeState => JSON.parse(readFileSync(platform, 'utf8')) as FakeState;
const begin = (state: FakeState): void => writeFileSync(platform, JSON.stringify(state));
const sectionOf = (environment: string) =>
	(JSON.parse(readFileSync(path.join(project, `wrangler.${environment}.json`), 'utf8')) as RawConfig).env?.[
		environment
	];

beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'command-'));
	project = path.join(folder, 'project');
	platform = path.join(folder, 'platform.json');
	for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(project, name), { recursive: true });
	for (const name of ['node_modules', 'tools', 'package.json'])
		symlinkSync(path.join(ROOT, name), path.join(project, name));
	mkdirSync(path.join(folder, 'bin'));
	const scripts = {
		// The working copy of the tests may have changes.
		git: '[ "$1" = log ] && echo "bbbbbbbbbbbb jobs: go faster"; exit 0',
		npx: 'exit 0',
		npm: `[ "$1" = run ] || exit 0; shift 3; exec ${process.execPath} tools/deploy.ts "$@" --wrangler ${FAKE}`,
	};
	for (const [name, script] of Object.entries(scripts)) {
		writeFileSync(path.join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
		chmodSync(path.join(folder, 'bin', name), 0o755);
	}
	writeFileSync(
		path.join(folder, 'raw.json'),
		JSON.stringify(readRawConfig({ config: 'wrangler.toml' }, {})),
	);
	begin(noWorker());
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string, args: readonly string[], { env = {}, input = '' } = {}) {
	const child = spawn(program, args, {
		cwd: project,
		env: {
			...process.env,
			...WRANGLER_ENVIRONMENT,
			NODE_OPTIONS: `--import ${ANSWERS}`,
			PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}`,
			FAKE_PLATFORM: platform,
			RAW_CONFIG: path.join(folder, 'raw.json'),
			SMOKE_KEY: 'ms_test_only',
			...env,
		},
	});
	// A command may end before it has read all.
	child.stdin.on('error', () => {}).end(input);
	let said = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
	return new Promise<{ code: number; said: string }>((resolve) =>
		child.once('close', (code) => resolve({ code: code ?? 1, said })),
	);
}

describe('a reader of docs/deploy.md with other names', () => {
	test('deploys production from nothing to a verified address', async () => {
		const block = /```sh\n(npm ci\ncp [\s\S]*?)```/.exec(read('docs/deploy.md'))?.[1] ?? '';
		const [before = '', after = ''] = block.split(/(?<=\.env .*\n)/);
		expect(await run('bash', ['--norc', '-euc', before])).toEqual({ code: 0, said: '' });
		const settings = path.join(project, 'deploy/production.env');
		const text = `${readFileSync(settings, 'utf8')}JURISDICTION=eu\n`;
		writeFileSync(settings, text.replaceAll('example.com', OURS));
		const input = `https://${TOKEN}@prober1.${OURS}\n`;
		const { code, said } = await run('bash', ['--norc', '-euc', after], { input, env: { SMOKE_KEY: '' } });
		expect([code, said]).toEqual([
			0,
			expect.stringContaining(`✓ verified   postmaster@${OURS} is deliverable`),
		]);
		const state = stateNow();
		expect(state.calls.map((call) => call.split(' ').slice(0, 3).join(' '))).toEqual([
			'deployments list --json',
			'd1 list --json',
			'd1 create mailsonar',
			'deploy --secrets-file ../mailsonar.production.secrets',
			'versions list --json',
			'd1 migrations apply',
			'r2 bucket lifecycle',
		]);
		expect([state.databases, said.includes(TOKEN)]).toEqual([['mailsonar'], false]);
	});

	test('has a configuration that Wrangler accepts', { timeout: 120_000 }, async () => {
		const { code, said } = await run(process.execPath, ['tools/deploy.ts', 'production', 'check']);
		expect(said).toContain(`env.PUBLIC_URL ("https://verify.${OURS}")`);
		expect(said).toContain(`env.MAIL_SENDER ("hello@${OURS}")`);
		expect([code, said.match(/\bexample\.com|env\.METRICS/g)]).toEqual([0, null]);
		// Nothing of another environment.
		const names = [...said.matchAll(/\((mailsonar[\w-]*)\)/g)].map(([, name = '']) => name);
		expect(names.length).toBeGreaterThan(3);
		expect(names.filter((name) => /^mailsonar[-_]staging/.test(name))).toEqual([]);
		const { routes, vars, r2_buckets: buckets } = sectionOf('production') ?? {};
		expect(routes).toEqual([{ pattern: `verify.${OURS}`, custom_domain: true }]);
		expect([vars?.['JURISDICTION'], buckets?.[0]?.jurisdiction]).toEqual(['eu', 'eu']);
	});

	test('and of docs/payments.md deploys the prices, and then each secret with the code that answers', async () => {
		begin({ ...inUse(), jurisdiction: 'eu' });
		const [, section = ''] = read('docs/payments.md').split('## Setting it up');
		const blocks = [...section.matchAll(/```sh\n(echo[^`]+|npm run deploy[^`]+)```/g)].map(
			([, text]) => text,
		);
		const lines = [...blocks, 'npm run deploy -- production status'].join('');
		const { code, said } = await run('bash', ['--norc', '-euc', lines], { input: TOKEN });
		expect([code, said.match(/^✓ promote/gm)?.length]).toEqual([0, 3]);
		expect(said).toMatch(/commit bbbbbbbbbbbb jobs: go faster\n$/);
		const state = stateNow();
		// The first command finds the secret in its pipe, which is Wrangler's alone.
		expect([state.inputs, said.includes(TOKEN)]).toEqual([[TOKEN, ''], false]);
		expect(state.calls.filter((call) => call.includes('secret put'))).toEqual([
			'versions secret put STRIPE_SECRET_KEY',
			'versions secret put STRIPE_WEBHOOK_SECRET',
		]);
		const newest = state.versions.at(-1);
		expect([sharesIn(state), newest?.secrets]).toEqual([{ [newest?.id ?? '']: 100 }, 2]);
		const secrets = { STRIPE_SECRET_KEY: 'rk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_xyz' };
		const sells = readConfig({ ...sectionOf('production')?.vars, ...secrets });
		expect([sells.switchedOff, sells.CREDIT_PACKS.length]).toEqual([[], 2]);
	});
});

test.each([
	['deploy', 'versions upload', 'no further here'],
	['rollback', 'versions deploy', 'has older secrets'],
])(
	'the workflow’s step does what it is asked, with the settings of its environment: %s',
	async (WHAT, call, told) => {
		const step = /name: Deploy or roll back[\s\S]*run: \|\n((?: {10}.*\n?)+)/.exec(
			read('.github/workflows/deploy.yml'),
		);
		const state = { ...inUse('bbbbbbbbbbbb'), jurisdiction: 'eu', fails: { call, says: 'no further here' } };
		if (WHAT === 'rollback') Object.assign(state.versions[1] ?? {}, { tag: null, secrets: 1 });
		begin(state);
		const settings = { PUBLIC_URL: `https://verify.${OURS}`, JURISDICTION: 'eu', RDAP_SPACING_MS: '7' };
		const SETTINGS = Object.entries(settings)
			.map((one) => one.join('='))
			.join('\n');
		const script = (step?.[1] ?? '').replaceAll(/^ {10}/gm, '');
		const { code, said } = await run('bash', ['--norc', '-ec', script], {
			env: { SETTINGS, WHERE: 'production', WHAT },
		});
		expect([code, said]).toEqual([1, expect.stringContaining(told)]);
		expect([sectionOf('production')?.vars, sharesIn(stateNow())]).toEqual([settings, { 'version-2': 100 }]);
	},
);

test.each([
	['no environment', [], 'Name an environment: staging or production'],
	['another verb', ['staging', 'undo'], 'There is no command `staging undo`'],
	['no secret', ['staging', 'secret'], 'There is no command `staging secret`'],
	['another secret', ['staging', 'secret', 'MAIL_SENDER'], 'MAIL_SENDER is no secret'],
	['an unknown switch', ['staging', '--fast'], "Unknown option '--fast'"],
	['secrets of a later deploy', ['staging', '--secrets-file', 'x'], '--first and --secrets-file go together'],
	['a key that costs credits', ['staging'], 'SMOKE_KEY is no test key', 'ms_live_x'],
	['settings that do not exist', ['staging', '--settings', 'none'], 'The settings none do not exist'],
])('the command refuses %s, and calls nobody', async (_, words, told, key = 'ms_test_1') => {
	vi.stubEnv('SMOKE_KEY', key);
	const refused = deploy([...words, '--wrangler', 'none']).finally(() => vi.unstubAllEnvs());
	await expect(refused).rejects.toThrow(told);
});
