import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf } from './api.ts';
import { dataOf, ops } from './operator.ts';

// `/mcp` as the official client of the Model Context Protocol meets it.

const service = inject('service');
const at = (word: string): string => `${word}@test.mailsonar.example`;

/** A client that speaks to us with a key. */
async function connect(apiKey: string) {
	const client = new Client({ name: 'contract', version: '1' });
	const headers = { authorization: `Bearer ${apiKey}` };
	await client.connect(
		new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit: { headers } }),
	);
	onTestFinished(() => client.close());
	const use = async (name: string, args: Record<string, unknown> = {}) => {
		const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: args });
		const [first] = content as { type: string; text: string }[];
		const says = (structuredContent ?? {}) as Record<string, unknown>;
		if (structuredContent !== undefined) expect(JSON.parse(first?.text ?? '')).toEqual(structuredContent);
		return { isError, says };
	};
	return { client, use };
}

async function withTestKey() {
	const { accountId } = await makeAccount(service, 5);
	const made = dataOf(await ops('POST', `/accounts/${accountId}/test-keys`, { label: 'MCP' }), 201);
	return connect(String(made['apiKey']));
}

const SPENDING = ['verify_email', 'start_list', 'start_catchall'];

test('the tools are listed, and those that spend take a limit and a rehearsal', async () => {
	const { client } = await withTestKey();
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name).toSorted()).toEqual([
		'catchall_results',
		'catchall_status',
		'credits',
		'job_results',
		'job_status',
		'start_catchall',
		'start_list',
		'verify_email',
	]);
	for (const { name, inputSchema, annotations } of tools) {
		const takes = Object.keys(inputSchema.properties ?? {});
		const spends = SPENDING.includes(name);
		expect([takes.includes('maxCredits'), takes.includes('dryRun'), annotations?.readOnlyHint]).toEqual([
			spends,
			spends,
			!spends,
		]);
	}
});

test('an address is verified, with what it cost', async () => {
	const { use } = await withTestKey();
	const { isError, says } = await use('verify_email', { email: at('rejected_email') });
	expect([isError, says]).toEqual([
		false,
		expect.objectContaining({ status: 'undeliverable', meta: expect.objectContaining({ creditsUsed: 1 }) }),
	]);
});

test('a list is started, followed to its end, read, and its catch-all addresses are looked into', async () => {
	const { use } = await withTestKey();
	const emails = [at('deliverable'), at('mailbox_full'), at('valid'), at('invalid')];
	const { says: started } = await use('start_list', { emails, name: 'July', maxCredits: 4 });
	const { jobId } = started;
	await expect
		.poll(async () => (await use('job_status', { jobId })).says['status'], { timeout: 20_000 })
		.toBe('completed');
	const { says: page } = await use('job_results', { jobId, status: 'catch_all', limit: 1 });
	expect(page).toMatchObject({ results: [{ email: at('valid') }], pagination: { total: 2, pages: 2 } });
	const { says: task } = await use('start_catchall', { jobId, maxCredits: 2 });
	const { taskId } = task;
	await expect
		.poll(async () => (await use('catchall_status', { taskId })).says['status'], { timeout: 20_000 })
		.toBe('completed');
	const { says: verdicts } = await use('catchall_results', { taskId, verdict: 'invalid' });
	expect(verdicts).toMatchObject({ results: [{ email: at('invalid'), verdict: 'invalid' }] });
});

describe('nothing is spent', () => {
	test.each([
		[
			'by a rehearsal of one address',
			'verify_email',
			{ email: 'ada@inbox.test', dryRun: true },
			{ creditsRequired: 1 },
		],
		[
			'by a rehearsal of a list',
			'start_list',
			{ emails: ['ada@inbox.test', 'ADA@inbox.test', 'nobody'], dryRun: true, maxCredits: 0 },
			{ creditsRequired: 1, duplicateEmails: 1, invalidEmails: 1, availableCredits: 3, isEnough: true },
		],
	])('%s', async (_, tool, args, expected) => {
		const { apiKey } = await makeAccount(service, 3);
		const before = await balanceOf(apiKey);
		const { use } = await connect(apiKey);
		const { isError, says } = await use(tool, args);
		expect([isError, says]).toEqual([false, expect.objectContaining({ ...expected, dryRun: true })]);
		expect(await balanceOf(apiKey)).toEqual(before);
	});

	test.each([
		['one address', 'verify_email', { email: 'ada@inbox.test', maxCredits: 0 }],
		['a list', 'start_list', { emails: ['ada@inbox.test', 'bob@inbox.test'], maxCredits: 1 }],
	])('by %s that could cost more than allowed', async (_, tool, args) => {
		const { apiKey } = await makeAccount(service, 3);
		const before = await balanceOf(apiKey);
		const { use } = await connect(apiKey);
		const { isError, says } = await use(tool, args);
		expect([isError, says['code']]).toEqual([true, 'max_credits_exceeded']);
		expect(await balanceOf(apiKey)).toEqual(before);
	});
});

test('a call repeated with its key is paid once', async () => {
	const { apiKey } = await makeAccount(service, 3);
	const { use } = await connect(apiKey);
	const args = { emails: ['ada@inbox.test'], maxCredits: 1, idempotencyKey: 'july' };
	const [one, two] = [await use('start_list', args), await use('start_list', args)];
	expect(two.says['jobId']).toBe(one.says['jobId']);
	expect((await balanceOf(apiKey)).balance).toBeGreaterThanOrEqual(2);
});

describe('an error of the API', () => {
	test.each([
		['402', 'insufficient_credits'],
		['503', 'upstream_unavailable'],
		['429', 'rate_limited'],
	])('%s is told with its code: %s', async (word, code) => {
		const { use } = await withTestKey();
		const { isError, says } = await use('verify_email', { email: at(word) });
		expect([isError, says['code'], typeof says['message']]).toEqual([true, code, 'string']);
	});

	test('names what is not there', async () => {
		const { use } = await withTestKey();
		const { isError, says } = await use('job_status', { jobId: '../credits' });
		expect([isError, says['code']]).toEqual([true, 'job_not_found']);
	});
});

test.each([
	['no key', {}],
	['a wrong key', { authorization: 'Bearer ms_live_wrong' }],
])('%s is a 401 before anything is read', async (_, headers) => {
	const response = await fetch(new URL('/mcp', service.url), { method: 'POST', headers, body: '{' });
	expect([response.status, await response.json()]).toEqual([
		401,
		expect.objectContaining({ success: false }),
	]);
});
