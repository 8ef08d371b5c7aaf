import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ensureDevVars, operatorToken } from '../../tools/dev-vars.ts';
import { callOperator } from '../../tools/operator-client.ts';
import { balanceOf } from '../contract/api.ts';
import { SANDBOX_DOMAINS } from '../sandbox/domains.ts';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';
import { call } from '../support/service.ts';
import type { TestAccount } from '../support/service.ts';
import { ProcessGroup, readWelcome } from './process-group.ts';

// `npm start` as a person uses it, in a process group of its own as a terminal gives it one.

const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-start-'));
const otherFolder = mkdtempSync(join(tmpdir(), 'mailsonar-start-'));
const open = new Set<ProcessGroup>();

function npmStart(folder: string, ...args: readonly string[]): ProcessGroup {
	const group = new ProcessGroup('npm', ['start', '--', '--port', '0', '--persist-to', folder, ...args]);
	open.add(group);
	return group;
}

afterEach(async () => {
	await Promise.all([...open].map((group) => group.kill()));
	open.clear();
});
afterAll(() => {
	for (const folder of [stateFolder, otherFolder]) rmSync(folder, { recursive: true, force: true });
});

describe('a first start', () => {
	let apiKey = '';
	let spent = 0;

	test('prints a key, the dashboard, the table of the sandbox, and a curl line that works; Ctrl-C ends all of it', async () => {
		const group = npmStart(stateFolder);
		const welcome = await readWelcome(group);
		for (const { address, does } of SANDBOX_DOMAINS) {
			expect(group.output).toContain(`  ${address} `);
			expect(group.output).toContain(does);
		}
		const ours = /^Starting Mailsonar.*$/m.exec(group.output)?.[0] ?? '';
		const lines = group.output.slice(group.output.indexOf('Mailsonar   http'));
		const masked = `${ours}\n${lines.slice(0, lines.indexOf('The state is kept.'))}The state is kept.\n`
			.replaceAll(welcome.url, 'URL')
			.replaceAll(welcome.apiKey, 'KEY')
			.replaceAll(welcome.accountId, 'ACCOUNT')
			.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST:PORT')
			.replace(/(?:^ {2}\S+@.*\n)+/m, '  ADDRESS  DOES\n');
		await expect(masked).toMatchFileSnapshot('../golden/start.txt');

		// wrangler prints a curl line of its own where there is a cron trigger: ours is the one to try.
		const line = /^Try it:\n +(curl .*)$/m.exec(group.output)?.[1] ?? '';
		const { stdout, status } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
		expect(status).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { status: 'deliverable' } });

		({ apiKey } = welcome);
		({ totalConsumed: spent } = await balanceOf(apiKey, welcome.url));
		expect(spent).toBe(1);

		expect(group.members().length).toBeGreaterThan(2);
		group.signalAll('SIGINT');
		await group.gone();
	});

	test('is remembered by the second: same key, same balance; a --var of the caller wins over the sandbox’s own', async () => {
		const group = npmStart(stateFolder, '--var', 'ALLOW_PRIVATE_MX:false');
		const { url, apiKey: again } = await readWelcome(group);
		expect(again).toBe(apiKey);
		expect((await balanceOf(again, url)).totalConsumed).toBe(spent);
		const { body } = await call(url, apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' });
		// The sandbox's servers have addresses that nobody outside of it may use.
		expect(body).toMatchObject({ data: { details: { sub_status: 'unroutable_mx' } } });

		// SIGTERM to npm alone, as a supervisor sends it.
		group.signalLeader('SIGTERM');
		await group.gone();
	});
});

describe('a start that does not come to its end', () => {
	test('says why when it fails, ends with an error, and leaves nothing behind', async () => {
		const group = npmStart(otherFolder, '--var', 'KEY_SIGNING_SECRET:nonsense');
		expect(await group.exitCode).not.toBe(0);
		expect(group.output).toContain('misconfigured. KEY_SIGNING_SECRET: is a list of VERSION:HEX');
		await group.gone();
	});

	test.each(['Starting Mailsonar', 'wrangler.js dev'])(
		'Ctrl-C while it is still starting (%s) leaves nothing behind, and no stack trace',
		async (sign) => {
			const group = npmStart(stateFolder);
			await group.shows(sign);
			group.signalAll('SIGINT');
			await group.gone();
			expect(group.output).not.toContain('API key');
			expect(group.output).not.toMatch(/Error|at async|Node\.js v/);
		},
	);
});

describe('arguments', () => {
	test('--live starts no sandbox: without a name to ask under there is no prober, and the service says so', async () => {
		const group = npmStart(otherFolder, '--live');
		const { url, apiKey } = await readWelcome(group);
		expect(group.output).not.toMatch(/sandbox mail world|Addresses of the sandbox/);
		expect(group.output).toContain('--var HELO_NAME:');
		const health = await fetch(new URL('/healthz', url));
		expect(health.status).toBe(503);
		expect(await health.json()).toMatchObject({ problems: ['PROBERS is not configured'] });
		expect((await balanceOf(apiKey, url)).totalConsumed).toBe(0);

		// As a terminal that is closed.
		group.signalAll('SIGHUP');
		await group.gone();
	});

	test('--var DOH_URL:… starts no sandbox and asks the resolver named; other --vars reach the Worker too', async () => {
		const world = await startSandbox();
		try {
			const vars = [
				`DOH_URL:${world.dohUrl}`,
				`SMTP_EGRESS:${world.socksUrl}`,
				`ALLOW_PRIVATE_MX:${SANDBOX_RANGE}`,
				'HELO_NAME:probe.elsewhere.test',
				'MAIL_FROM:v@elsewhere.test',
				'TRIAL_CREDITS:7',
			];
			const group = npmStart(otherFolder, ...vars.flatMap((text) => ['--var', text]));
			const { url, apiKey } = await readWelcome(group);
			expect(group.output).not.toMatch(/sandbox mail world|Addresses of the sandbox/);
			const { body } = await call(url, apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' });
			expect(body).toMatchObject({ data: { status: 'deliverable' } });
			expect(world.counters.dns.size).toBeGreaterThan(0);
			expect(world.transcripts('inbox.test')[0]?.lines).toContain('< EHLO probe.elsewhere.test');

			const token = operatorToken(ensureDevVars());
			const newcomer = { email: 'newcomer@example.com' };
			const account = await callOperator<TestAccount>({ url, token }, 'POST', '/accounts', newcomer);
			expect((await balanceOf(account.apiKey, url)).availableCredits).toBe(7);
		} finally {
			await world.close();
		}
	});
});
