import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answering, inUse, sharesIn } from '../../support/deployment/fake-platform.ts';
import type { FakeState } from '../../support/deployment/fake-platform.ts';
import { healthy } from '../../support/deployment/world.ts';

// The command itself, in a project of its own: with a script in Wrangler's place, one in git's, and a service on loopback.

const ROOT = path.join(import.meta.dirname, '../../..');
const TEST_KEY = 'ms_test_only';
let project: string;
let platform: string;
let service: Server;

const stateNow = (): FakeState => JSON.parse(readFileSync(platform, 'utf8')) as FakeState;
const begin = (state: FakeState): void => writeFileSync(platform, JSON.stringify(state));

beforeAll(async () => {
	project = mkdtempSync(path.join(tmpdir(), 'command-'));
	platform = path.join(project, 'platform.json');
	service = createServer((request, response) => {
		const override = String(request.headers['cloudflare-workers-version-overrides'] ?? '');
		const version = answering(stateNow(), /^mailsonar-staging="(.*)"$/.exec(override)?.[1] ?? null) ?? '';
		const answer = healthy(version, request.url ?? '');
		const isKnown = request.url !== '/v1/verify' || request.headers.authorization === `Bearer ${TEST_KEY}`;
		response.writeHead(isKnown ? answer.status : 401, Object.fromEntries(answer.headers));
		void answer.text().then((text) => response.end(text));
	});
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
	const { port } = service.address() as AddressInfo;
	mkdirSync(path.join(project, 'bin'));
	mkdirSync(path.join(project, 'migrations'));
	writeFileSync(path.join(project, 'migrations/0000_one.sql'), 'CREATE TABLE `a` (`b` text);');
	writeFileSync(
		path.join(project, 'wrangler.toml'),
		`name = "mailsonar-local"
		[env.staging]
		name = "mailsonar-staging"
		routes = [{ pattern = "127.0.0.1:${port}", custom_domain = true }]
		[env.staging.vars]
		PUBLIC_URL = "http://127.0.0.1:${port}"
		[[env.staging.d1_databases]]
		binding = "DB"
		database_name = "mailsonar-staging"
		[[env.staging.r2_buckets]]
		binding = "BLOBS"
		bucket_name = "mailsonar-staging"
		[env.production]
		name = "mailsonar"`,
	);
	const git = path.join(project, 'bin/git');
	writeFileSync(git, '#!/bin/sh\n[ "$1" = log ] && echo "bbbbbbbbbbbb jobs: go faster"\nexit 0\n');
	chmodSync(git, 0o755);
});
beforeEach(() => begin(inUse([])));
afterAll(() => {
	service.close();
	rmSync(project, { recursive: true });
});

function command(words: readonly string[], smokeKey = TEST_KEY): Promise<{ code: number; said: string }> {
	const wrangler = path.join(ROOT, 'test/support/deployment/fake-wrangler.ts');
	const child = spawn(
		process.execPath,
		[path.join(ROOT, 'tools/deploy.ts'), ...words, '--wrangler', wrangler],
		{
			cwd: project,
			env: {
				...process.env,
				PATH: `${path.join(project, 'bin')}:${process.env['PATH']}`,
				FAKE_PLATFORM: platform,
				SMOKE_KEY: smokeKey,
			},
		},
	);
	let said = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
	return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, said })));
}

test('deploys, and says each step', async () => {
	const { code, said } = await command(['staging', '--tested']);
	expect(said.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([
		expect.stringContaining('Deploying to staging: mailsonar-staging at http://127.0.0.1:'),
		'✓ check',
		'– test',
		'✓ add',
		'✓ upload',
		'✓ trial',
		'✓ smoke',
		'✓ promote',
		'✓ triggers',
		'✓ smoke',
		'– take away',
		expect.stringContaining('Done: '),
		'',
	]);
	expect([code, sharesIn(stateNow())]).toEqual([0, { 'version-2': 100 }]);
	expect(said).not.toContain(TEST_KEY);
});

test('goes back', async () => {
	const state = inUse([]);
	begin({
		...state,
		deployments: [...state.deployments, { at: state.now + 1, shares: { 'version-2': 100 } }],
	});
	const { code } = await command(['staging', 'rollback']);
	expect([code, sharesIn(stateNow())]).toEqual([0, { 'version-1': 100 }]);
});

test('ends with 1, what is wrong and what to do, when a step fails', async () => {
	begin({ ...inUse([]), fails: { call: 'deployments status', says: 'the network is away' } });
	const { code, said } = await command(['staging', '--tested']);
	expect(code).toBe(1);
	expect(said).toContain('the network is away\nMend that, and give the same command again.');
});

test.each([
	['no environment', [], TEST_KEY, 'Name an environment: staging or production'],
	['another environment', ['local'], TEST_KEY, 'Name an environment'],
	['another verb', ['staging', 'undo'], TEST_KEY, 'There is no command `staging undo`'],
	['an unknown switch', ['staging', '--fast'], TEST_KEY, "Unknown option '--fast'"],
	['--first without secrets', ['staging', '--first'], TEST_KEY, '--first and --secrets-file go together'],
	[
		'secrets that are not there',
		['staging', '--first', '--secrets-file', 'none'],
		TEST_KEY,
		'none is not there',
	],
	['a key that costs credits', ['staging'], 'ms_live_x', 'SMOKE_KEY is no test key'],
	['an environment that nobody can reach', ['production'], TEST_KEY, 'not an address that its routes name'],
])('refuses %s, and calls nobody', async (_, words, key, told) => {
	const { code, said } = await command(words, key);
	expect(code).toBe(1);
	expect(said).toContain(told);
	expect(stateNow().calls).toEqual([]);
});
