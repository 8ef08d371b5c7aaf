import { spawnSync } from 'node:child_process';
import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { runOps } from '../support/ops.ts';
import { balanceOf } from './api.ts';
import { completed, submitted } from './jobs-api.ts';
import { shapeOf } from '../golden/shape.ts';
import { keysOf } from './operator.ts';

// `npm run ops -- …`: the operator's tool.

const service = inject('service');

const run = (words: readonly string[], env = { OPERATOR_TOKEN: service.token }) => runOps(words, env);

// What other tests leave behind decides whether these hold anything.
const VARIES = /^(?:guessers|sources|jobs|silent|probers\[\]\.(?:paused|operators))\[/;

/** What each command printed, by its words. */
const printed = new Map<string, unknown[]>();

/** Runs a command against the shared service; its JSON, which is all it prints. */
async function json(...words: string[]): Promise<Record<string, unknown>> {
	const { code, stdout, stderr } = await run([...words, '--url', service.url, '--json']);
	expect([code, stderr]).toEqual([0, '']);
	const answer = JSON.parse(stdout) as Record<string, unknown>;
	const command = words.filter((word) => /^(?:--)?[a-z-]+$/.test(word)).join(' ');
	printed.set(command, [...(printed.get(command) ?? []), answer]);
	return answer;
}

test('account create prints the id and a key that works; account show and attach tell what the API tells', async () => {
	const created = await json('account', 'create', '--email', 'cli@example.com', '--credits', '25');
	expect(Object.keys(created)).toEqual(['accountId', 'apiKey']);
	const accountId = String(created['accountId']);
	const { body } = await call(service.url, service.token, 'GET', `/ops/accounts/${accountId}`);
	expect(await json('account', 'show', accountId)).toEqual((body as { data: unknown }).data);
	const email = `attached-${Date.now()}@example.com`;
	const listed = { accountId, suspendedAt: null, closedAt: null };
	expect(await json('account', 'attach', accountId, '--email', email)).toEqual(listed);
	expect(await json('account', 'show', accountId)).toMatchObject({ email, check: [] });
	expect(await balanceOf(String(created['apiKey']))).toMatchObject({ balance: 25 });
	const near = ['account', 'create', '--email', 'cli@example.com', '--location', 'oc', '--url', service.url];
	expect((await run(near)).code).toBe(0);
});

test('account restore says what it would do and changes nothing; a local service goes no further', async () => {
	const { accountId } = await makeAccount(service, 5);
	const at = new Date().toISOString();
	const told = await json('account', 'restore', accountId, '--at', at);
	expect(told).toMatchObject({ accountId, to: { at }, before: { credits: { balance: 5 } }, restored: null });
	const shown = await run(['account', 'restore', accountId, '--at', at, '--url', service.url]);
	expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Nothing has changed.')]);
	const meant = await run(['account', 'restore', accountId, '--at', at, '--confirm', '--url', service.url]);
	expect([meant.code, meant.stderr]).toEqual([1, 'A local service has no point-in-time recovery\n']);
});

test('refuse takes a domain, lists it and removes it; guessers tells what the API tells', async () => {
	expect(await json('refuse', 'CLI-Peace.test')).toMatchObject({ domain: 'cli-peace.test' });
	const { domains } = (await json('refuse', '--list')) as { domains: { domain: string }[] };
	expect(domains.map(({ domain }) => domain)).toContain('cli-peace.test');
	for (const removed of [true, false])
		expect(await json('refuse', '--remove', 'cli-peace.test')).toMatchObject({ removed });
	const { body } = await call(service.url, service.token, 'GET', '/ops/guessers');
	expect(await json('guessers')).toEqual((body as { data: unknown }).data);
});

test('jobs show and retry tell what the API tells', async () => {
	const { apiKey } = await makeAccount(service, 5);
	const { jobId } = (await submitted(apiKey, ['ada@inbox.test'])).data;
	await completed(apiKey, jobId);
	expect(await json('jobs', 'show', jobId)).toMatchObject({
		job: { jobId, status: 'completed' },
		openParts: [],
	});
	const retried = await run(['jobs', 'retry', jobId, '--url', service.url]);
	expect([retried.code, retried.stderr]).toEqual([1, 'The job is completed: nothing is left to do\n']);
});

test('account find tells the accounts of an address, and account suspend shuts one until account unsuspend', async () => {
	const email = `cli-${Date.now()}@example.com`;
	const { accountId } = await json('account', 'create', '--email', email);
	const { suspendedAt } = await json('account', 'suspend', String(accountId));
	expect(suspendedAt).toEqual(expect.any(String));
	expect(await json('account', 'find', email)).toMatchObject({ accounts: [{ accountId, suspendedAt }] });
	expect(await json('account', 'unsuspend', String(accountId))).toEqual({ accountId, suspendedAt: null });
	expect(await json('account', 'find', email)).toMatchObject({ accounts: [{ suspendedAt: null }] });
});

test('credits grant adds once for each id, limits set changes what it names', async () => {
	const { accountId, apiKey } = await makeAccount(service, 5);
	for (const [credits, id, repeated] of [
		['10', 'cli-1', false],
		['10', 'cli-1', true],
		['-3', 'cli-2', false],
	] as const)
		expect(await json('credits', 'grant', accountId, credits, '--id', id)).toMatchObject({ repeated });
	expect(await balanceOf(apiKey)).toMatchObject({ balance: 12 });
	const limits = { default: 3, batch: 30, polling: 9 };
	expect(await json('limits', 'set', accountId, '--default', '3', '--polling', '9')).toEqual({ limits });
});

test('key revoke ends a key by its id, or by itself and says whose it is, live or for tests', async () => {
	const { accountId, apiKey } = await makeAccount(service);
	const { accountId: other, apiKey: otherKey } = await makeAccount(service);
	const [keyId = ''] = await keysOf(other);
	expect(await json('key', 'revoke', other, keyId)).toEqual({ keyId, revoked: true });
	const { apiKey: testKey } = await json('key', 'test', accountId);
	for (const key of [apiKey, String(testKey)]) {
		const whose = { accountId, keyId: expect.stringMatching(/^key_/) as string, revoked: true };
		expect(await json('key', 'revoke', key)).toEqual(whose);
	}
	for (const key of [otherKey, apiKey, String(testKey)])
		expect((await call(service.url, key, 'GET', '/v1/credits')).status).toBe(401);
});

test('abuse names the accounts that asked about a domain on a day', async () => {
	const { accountId, apiKey } = await makeAccount(service, 5);
	const { jobId } = (await submitted(apiKey, ['ada@inbox.test', 'bob@inbox.test', 'ada@full.test'])).data;
	await completed(apiKey, jobId);
	const { accounts, silent } = await json('abuse', 'INBOX.test');
	expect([accounts, silent]).toEqual([expect.arrayContaining([{ accountId, addresses: 2 }]), []]);
	expect(await json('abuse', 'inbox.test', '--day', '2020-01-01')).toEqual({ accounts: [], silent: [] });
});

test('the JSON of each command keeps its fields and their types', async () => {
	const { accountId, apiKey } = await makeAccount(service, 5);
	const { jobId } = (await submitted(apiKey, ['ada@inbox.test'])).data;
	await completed(apiKey, jobId);
	for (const words of ['key test', 'account suspend', 'trail']) await json(...words.split(' '), accountId);
	await json('egress');
	const shapes = [...printed].toSorted(([one], [other]) => (one < other ? -1 : 1));
	const text = shapes.map(([command, answers]) => `## ${command}\n${shapeOf(answers, VARIES)}`).join('\n');
	await expect(text).toMatchFileSnapshot('../golden/ops.txt');
});

describe('a command that fails', () => {
	test.each<[string, string[], number, RegExp]>([
		['no such account', ['account', 'show', 'acc_nobody'], 1, /no such account/],
		['no credits to take back', ['credits', 'grant', 'ACCOUNT', '-1000', '--id', 'cli-3'], 1, /5 credits/],
		['no command', [], 2, /Usage/],
		['an unknown command', ['account', 'delete', 'ACCOUNT'], 2, /Usage/],
		['an unknown switch', ['account', 'create', '--emial', 'a@example.com'], 2, /Usage/],
		['no email', ['account', 'create'], 2, /--email/],
		['no address to find', ['account', 'find'], 2, /address/],
		['no region', ['account', 'create', '--email', 'a@b.test', '--location', 'mars'], 1, /one of wnam, enam/],
		['no time to restore', ['account', 'restore', 'ACCOUNT'], 2, /^Name either --at or --bookmark/],
		['no domain', ['refuse'], 2, /^the domain is missing/],
		['no key', ['key', 'revoke', 'ACCOUNT'], 2, /^the key id is missing/],
		['no day', ['abuse', 'inbox.test', '--day', 'monday'], 1, /day must be like 2026-11-22/],
		['nobody to suspend', ['account', 'suspend', 'acc_nobody'], 1, /no such account/],
		['no grant id', ['credits', 'grant', 'ACCOUNT', '5'], 2, /--id/],
		['half a credit', ['credits', 'grant', 'ACCOUNT', '0.5', '--id', 'cli-4'], 2, /whole number/],
	])('says why on stderr, prints nothing and tells by its exit code: %s', async (_, words, code, why) => {
		const { accountId, apiKey } = await makeAccount(service, 5);
		const filled = words.map((word) => (word === 'ACCOUNT' ? accountId : word));
		const { stdout, stderr, ...ended } = await run([...filled, '--url', service.url, '--json']);
		expect([ended.code, stdout]).toEqual([code, '']);
		expect(stderr).toMatch(why);
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 5 });
	});

	test('as a program says when nothing answers, without a stack trace', () => {
		const args = ['tools/ops.ts', 'account', 'show', 'acc_x', '--url', 'http://127.0.0.1:1'];
		const env = { ...process.env, OPERATOR_TOKEN: service.token };
		const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
		expect([status, stdout]).toEqual([1, '']);
		expect(stderr).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:1.*\n$/);
	});

	test('says when the token is wrong', async () => {
		const wrong = { OPERATOR_TOKEN: 'wrong-token-that-has-32-characters-or-more' };
		const { code, stderr } = await run(['account', 'show', 'acc_x', '--url', service.url], wrong);
		expect([code, stderr]).toEqual([1, 'Operator token missing or wrong\n']);
	});
});
