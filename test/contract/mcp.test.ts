import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientOf1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOf1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, inject, onTestFinished, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf } from './api.ts';
import { newTestKey, revokeKeyOf } from './operator.ts';

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
		const text = first?.text ?? '';
		const says = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
		// What is refused has no other shape than its text: it fits no tool's schema.
		expect(structuredContent).toEqual(isError ? undefined : says);
		return { isError, says, text };
	};
	return { client, use };
}

async function withTestKey() {
	return connect((await newTestKey()).apiKey);
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

test('domains are looked up', async () => {
	const { use } = await withTestKey();
	const domains = ['disposable.example.com', 'nothing'];
	const rehearsed = await use('look_up_domains', { domains, dryRun: true });
	expect(rehearsed.says).toMatchObject({ creditsRequired: 1, domains: 2 });
	expect(await use('look_up_domains', { domains, maxCredits: 1 })).toMatchObject({
		isError: false,
		says: { results: [{ disposable: true }, { exists: false }], meta: { creditsUsed: 0 } },
	});
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

const LIST_OF_TWO = { emails: ['ada@inbox.test', 'bob@inbox.test'] };

test('nothing is spent by a rehearsal, and by what is refused', async () => {
	const { apiKey } = await makeAccount(service, 3);
	const before = await balanceOf(apiKey);
	const { use } = await connect(apiKey);
	const emails = ['ada@inbox.test', 'ADA@inbox.test', 'nobody'];
	const counts = { duplicateEmails: 1, invalidEmails: 1, availableCredits: 3, isEnough: true };
	const calls: [tool: string, args: Record<string, unknown>, says: object | string][] = [
		['verify_email', { email: 'ada@inbox.test', dryRun: true }, { dryRun: true, creditsRequired: 1 }],
		['start_list', { emails, dryRun: true }, { dryRun: true, creditsRequired: 1, ...counts }],
		['verify_email', { email: 'ada@inbox.test', maxCredits: 0 }, { code: 'max_credits_exceeded' }],
		['start_list', { ...LIST_OF_TWO, maxCredits: 1 }, { code: 'max_credits_exceeded' }],
		['start_list', LIST_OF_TWO, { code: 'max_credits_missing' }],
		['verify_email', { email: 'ada@inbox.test', idempotency_key: 'july' }, 'Invalid arguments'],
		['start_catchall', { jobId: '..', maxCredits: 3 }, 'Invalid arguments'],
	];
	for (const [tool, args, expected] of calls) {
		const { isError, says, text } = await use(tool, args);
		expect(isError, text).toBe(!('dryRun' in args));
		if (typeof expected === 'string') expect(text).toContain(expected);
		else expect(says).toMatchObject(expected);
		if ('code' in says) expect(says['requestId']).toMatch(/^req_/);
		expect(await balanceOf(apiKey), text).toEqual(before);
	}
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

const nowhere = { jobId: `job_${'0'.repeat(24)}`, taskId: `cat_${'0'.repeat(24)}` };

test('the official client of version 1, which has listed the tools, reads every refusal', async () => {
	const headers = { authorization: `Bearer ${(await newTestKey()).apiKey}` };
	const client = new ClientOf1({ name: 'contract', version: '1' });
	const transport = new TransportOf1(new URL('/mcp', service.url), { requestInit: { headers } });
	await client.connect(transport);
	onTestFinished(() => client.close());
	await client.listTools();
	const refusals: [tool: string, args: Record<string, unknown>, says: string][] = [
		['verify_email', { email: at('402') }, 'insufficient_credits'],
		['verify_email', { email: at('503') }, 'upstream_unavailable'],
		['verify_email', { email: at('429') }, 'rate_limited'],
		['verify_email', { email: 'nobody' }, 'malformed_email'],
		['verify_email', { email: at('deliverable'), mode: 'quick' }, 'Unrecognized key'],
		['start_list', LIST_OF_TWO, 'max_credits_missing'],
		['start_list', { ...LIST_OF_TWO, maxCredits: 1 }, 'max_credits_exceeded'],
		['job_status', { jobId: nowhere.jobId }, 'job_not_found'],
		['job_results', { jobId: nowhere.jobId }, 'job_not_found'],
		['start_catchall', { jobId: nowhere.jobId, maxCredits: 1 }, 'job_not_found'],
		['catchall_status', { taskId: nowhere.taskId }, 'task_not_found'],
		['catchall_results', { taskId: nowhere.taskId }, 'task_not_found'],
	];
	for (const [name, args, says] of refusals) {
		const text = expect.stringContaining(says);
		expect(await client.callTool({ name, arguments: args }), `${name}: ${says}`).toMatchObject({
			isError: true,
			content: [{ type: 'text', text }],
		});
	}
	const { structuredContent } = await client.callTool({
		name: 'verify_email',
		arguments: { email: at('deliverable') },
	});
	expect(structuredContent).toMatchObject({ status: 'deliverable' });
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

// A message with any framing, as no client of the protocol would send it.
const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const LIST = JSON.stringify(message('tools/list'));

function post(apiKey: string, body: string, isChunked = false): Promise<Response> {
	return fetch(new URL('/mcp', service.url), {
		method: 'POST',
		headers: {
			authorization: `Bearer ${apiKey}`,
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
		},
		...(isChunked ? { body: new Blob([body]).stream(), duplex: 'half' } : { body }),
	});
}

/** A message of so many levels. Brackets in its texts are none. */
const nested = (levels: number) =>
	LIST.replace('{}', `{"\\"[[[{{{":"[[[","deep":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}`);

test('every message is admitted by the account before its body is read, however it comes', async () => {
	const { accountId, apiKey } = await makeAccount(service, 0);
	const call = message('tools/call', { name: 'verify_email', arguments: { email: 1 } });
	const messages: [body: string, isChunked: boolean, status: number][] = [
		[LIST, false, 200],
		[LIST, true, 200],
		[`${LIST}${' '.repeat(100_000)}`, false, 200],
		[`${LIST}${' '.repeat(1_048_576)}`, true, 400],
		[nested(32), true, 200],
		[nested(33), true, 400],
		[`[${LIST},${LIST}]`, false, 400],
		[JSON.stringify(call), true, 200],
		['{', true, 400],
		['['.repeat(1_000_000), true, 400],
	];
	let left = 300;
	for (const [body, isChunked, status] of messages) {
		const response = await post(apiKey, body, isChunked);
		const remaining = Number(response.headers.get('ratelimit-remaining'));
		expect([response.status, remaining], body.slice(0, 80)).toEqual([status, (left -= 1)]);
	}
	await revokeKeyOf(accountId);
	// The local server may hang up on a caller that goes on to send a long body after a refusal.
	for (const [body, isChunked] of messages.filter(([{ length }]) => length < 100_000)) {
		const response = await post(apiKey, body, isChunked);
		expect([response.status, await response.json()], body.slice(0, 80)).toEqual([
			401,
			expect.objectContaining({ code: 'api_key_invalid' }),
		]);
	}
});
