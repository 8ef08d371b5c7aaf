import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf } from './api.ts';
import { dataOf, ops, revokeKeyOf } from './operator.ts';

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
		const text = first?.text ?? '';
		if (structuredContent !== undefined) expect(JSON.parse(text)).toEqual(structuredContent);
		return { isError, says, text };
	};
	return { client, use };
}

async function withTestKey() {
	const { accountId } = await makeAccount(service, 5);
	const made = dataOf(await ops('POST', `/accounts/${accountId}/test-keys`, { label: 'MCP' }), 201);
	return connect(String(made['apiKey']));
}

const SPENDING = ['look_up_domains', 'verify_email', 'start_list', 'start_catchall'];

test('the tools are listed with what they answer, and those that spend take a limit, a rehearsal and a key', async () => {
	const { client } = await withTestKey();
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name).toSorted()).toEqual([
		'catchall_results',
		'catchall_status',
		'credits',
		'job_results',
		'job_status',
		'look_up_domains',
		'quote_list',
		'start_catchall',
		'start_list',
		'verify_email',
	]);
	for (const { name, inputSchema, outputSchema, annotations } of tools) {
		const takes = Object.keys(inputSchema.properties ?? {});
		const spends = SPENDING.includes(name);
		const forSpending = ['dryRun', 'idempotencyKey', 'maxCredits'];
		expect(takes.filter((each) => forSpending.includes(each)).toSorted()).toEqual(spends ? forSpending : []);
		expect([annotations?.readOnlyHint, inputSchema['additionalProperties']]).toEqual([!spends, false]);
		// A field that is added later is none of its faults.
		expect(JSON.stringify(outputSchema), name).toMatch(/^\{(?!.*"additionalProperties":false).*"requestId"/);
	}
});

test('domains are looked up and a list is quoted', async () => {
	const { use } = await withTestKey();
	const domains = ['disposable.example.com', 'nothing'];
	const rehearsed = await use('look_up_domains', { domains, dryRun: true });
	expect(rehearsed.says).toMatchObject({ creditsRequired: 1, domains: 2 });
	expect(await use('look_up_domains', { domains, maxCredits: 1 })).toMatchObject({
		isError: false,
		says: { results: [{ disposable: true }, { exists: false }], meta: { creditsUsed: 0 } },
	});
	expect((await use('quote_list', { domains: { 'yahoo.com': 5 } })).says).toMatchObject({
		expected: { not_told_free: 5 },
	});
});

test('an address is verified, with what it cost', async () => {
	const { use } = await withTestKey();
	const { isError, says } = await use('verify_email', { email: at('rejected_email') });
	expect([isError, says]).toEqual([
		false,
		expect.objectContaining({ status: 'undeliverable', meta: expect.objectContaining({ creditsUsed: 0 }) }),
	]);
});

test('a list is started, followed to its end, read, and its catch-all addresses are looked into', async () => {
	const { use } = await withTestKey();
	const emails = [at('deliverable'), at('mailbox_full'), at('valid'), at('invalid')];
	const { says: started } = await use('start_list', { emails, name: 'July', maxCredits: 4 });
	const { jobId } = started;
	await expect.poll(async () => (await use('job_status', { jobId })).says['status']).toBe('completed');
	const { says: page } = await use('job_results', { jobId, status: 'catch_all', limit: 1 });
	const row = {
		email: at('valid'),
		status: 'risky',
		sub_status: 'catch_all',
		deliverability_score: 50,
		action: 'hold',
	};
	expect(page).toMatchObject({ pagination: { total: 2, pages: 2 } });
	expect(page['results']).toEqual([row]);
	const { says: whole } = await use('job_results', { jobId, status: 'catch_all', rows: 'full' });
	expect(whole).toMatchObject({ results: [{ details: { sub_status: 'catch_all' } }, {}] });
	const { says: task } = await use('start_catchall', { jobId, maxCredits: 2 });
	const { taskId } = task;
	await expect.poll(async () => (await use('catchall_status', { taskId })).says['status']).toBe('completed');
	const { says: verdicts } = await use('catchall_results', { taskId, verdict: 'invalid' });
	const score = expect.any(Number);
	expect(verdicts['results']).toEqual([{ email: at('invalid'), score, verdict: 'invalid' }]);
	const { says: explained } = await use('catchall_results', { taskId, rows: 'full' });
	expect(explained).toMatchObject({ results: [{ breakdown: { base: score } }, {}] });
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
			{ emails: ['ada@inbox.test', 'ADA@inbox.test', 'nobody'], dryRun: true },
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

	const list = { emails: ['ada@inbox.test', 'bob@inbox.test'] };
	test.each([
		['an address above its limit', 'verify_email', { email: 'ada@inbox.test', maxCredits: 0 }, 'exceeded'],
		['a list above its limit', 'start_list', { ...list, maxCredits: 1 }, 'exceeded'],
		['a list without a limit', 'start_list', list, 'missing'],
	])('by %s', async (_, tool, args, why) => {
		const { apiKey } = await makeAccount(service, 3);
		const before = await balanceOf(apiKey);
		const { use } = await connect(apiKey);
		const { isError, says } = await use(tool, args);
		const requestId = expect.stringMatching(/^req_/);
		expect([isError, says]).toEqual([
			true,
			expect.objectContaining({ code: `max_credits_${why}`, requestId }),
		]);
		expect(await balanceOf(apiKey)).toEqual(before);
	});

	test.each([
		['an unknown argument', 'verify_email', { email: 'ada@inbox.test', idempotency_key: 'july' }],
		['an id that leaves its path', 'start_catchall', { jobId: '..', maxCredits: 3 }],
	])('where %s is refused', async (_, tool, args) => {
		const { apiKey } = await makeAccount(service, 3);
		const before = await balanceOf(apiKey);
		const { use } = await connect(apiKey);
		expect(await use(tool, args)).toMatchObject({
			isError: true,
			text: expect.stringContaining('Invalid arguments'),
		});
		expect(await balanceOf(apiKey)).toEqual(before);
	});
});

test.each([
	['verify_email', { email: 'ada@inbox.test' }, 'verified_at'],
	['start_list', { emails: ['ada@inbox.test'], maxCredits: 1 }, 'jobId'],
])('%s repeated with its key is paid once', async (tool, args, same) => {
	const { apiKey } = await makeAccount(service, 3);
	const { use } = await connect(apiKey);
	const [one, two] = [
		await use(tool, { ...args, idempotencyKey: 'july' }),
		await use(tool, { ...args, idempotencyKey: 'july' }),
	];
	expect([one.isError, typeof one.says[same], two.says[same]]).toEqual([false, 'string', one.says[same]]);
	expect((await balanceOf(apiKey)).balance).toBeGreaterThanOrEqual(2);
});

describe('an error of the API', () => {
	test.each([
		['402', 'insufficient_credits'],
		['503', 'upstream_unavailable'],
		['429', 'rate_limited'],
	])('%s is told with its code, %s, and its request', async (word, code) => {
		const { use } = await withTestKey();
		const { isError, says } = await use('verify_email', { email: at(word) });
		const [message, requestId] = [expect.any(String), expect.stringMatching(/^req_/)];
		expect([isError, says]).toEqual([true, expect.objectContaining({ code, message, requestId })]);
	});

	test('names what is not there', async () => {
		const { use } = await withTestKey();
		const { isError, says } = await use('job_status', { jobId: `job_${'0'.repeat(24)}` });
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

test('a revoked key is a 401 before the tools are listed', async () => {
	const { accountId, apiKey } = await makeAccount(service, 0);
	const { client } = await connect(apiKey);
	await client.listTools();
	await revokeKeyOf(accountId);
	await expect(client.listTools()).rejects.toThrow(/API key invalid or revoked/);
});
