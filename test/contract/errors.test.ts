import { gzipSync } from 'node:zlib';
import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { ERROR_STATUSES } from '../../src/core/errors/error-table.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { balanceOf, expectFailure, newClient, verify } from './api.ts';
import type { Answer } from './api.ts';
import { many } from './jobs-api.ts';

// Spec §7: the envelope of errors, and what is answered where nothing is served.

const service = inject('service');

const request = async (apiKey: string | null, method: string, path: string): Promise<Answer> =>
	call(service.url, apiKey, method, path, undefined, apiKey === null ? newClient() : {});

const TEXT = { 'content-type': 'text/plain' };
const GZIP = { 'content-encoding': 'gzip' };
const GAP = ['ada@inbox.test', 'x', '', null];

const UNKNOWN_PATHS = [
	'/v1',
	'/v1/',
	'/v1/nothing',
	'/v1/verify/',
	'/v1/credits/',
	'/v1/verify/extra',
	'/v1//credits',
	'/v1/Credits',
	'/v1/credits%00',
	'/v1/%zz',
	'/v1/%2e%2e%2fops',
];

describe('an unknown path under /v1', () => {
	test.each(UNKNOWN_PATHS)('%s is 404 with a valid key', async (path) => {
		const { apiKey } = await makeAccount(service);
		expectFailure(await request(apiKey, 'GET', path), 404);
		expectFailure(await request(apiKey, 'POST', path), 404);
	});

	test.each(UNKNOWN_PATHS)('%s is 401 without a key, so that nobody can look around', async (path) => {
		expectFailure(await request(null, 'GET', path), 401);
	});

	test('is 404 with a HEAD too, without a body', async () => {
		const { apiKey } = await makeAccount(service);
		const answer = await request(apiKey, 'HEAD', '/v1/nothing');
		expect([answer.status, answer.text]).toEqual([404, '']);
	});
});

describe('a known path with another method is 405 with Allow', () => {
	test.each([
		['/v1/verify', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
		['/v1/credits', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
	])('%s allows %s', async (path, allowed, methods) => {
		const { apiKey } = await makeAccount(service);
		for (const method of methods) {
			const answer = await request(apiKey, method, path);
			expect(expectFailure(answer, 405)).toContain(method);
			expect(answer.headers.get('allow')).toBe(allowed);
		}
	});

	test('HEAD /v1/verify is one of them, without a body', async () => {
		const { apiKey } = await makeAccount(service);
		const answer = await request(apiKey, 'HEAD', '/v1/verify');
		expect([answer.status, answer.headers.get('allow'), answer.text]).toEqual([405, 'POST', '']);
	});

	test('HEAD /v1/credits is a GET without the body', async () => {
		const { apiKey } = await makeAccount(service);
		const answer = await request(apiKey, 'HEAD', '/v1/credits');
		expect([answer.status, answer.text]).toEqual([200, '']);
		expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
	});

	test('a 404 and a success have no Allow', async () => {
		const { apiKey } = await makeAccount(service);
		expect((await request(apiKey, 'GET', '/v1/nothing')).headers.get('allow')).toBeNull();
		expect((await request(apiKey, 'GET', '/v1/credits')).headers.get('allow')).toBeNull();
	});
});

describe('an unknown path outside /v1', () => {
	test.each(['/nothing', '/v2/verify', '/V1/credits', '/verify', '/.env', '/v1x'])(
		'%s is 404 in the same envelope, with and without a key',
		async (path) => {
			const { apiKey } = await makeAccount(service);
			expectFailure(await request(null, 'GET', path), 404);
			expectFailure(await request(apiKey, 'POST', path), 404);
		},
	);
});

const VERIFY = 'POST /v1/verify';
const BATCH = 'POST /v1/verify-batch';
const CATCH_ALL = 'POST /v1/catchall';
const FEEDBACK = 'POST /v1/feedback';
const RESCUE = 'validationFlags.auto_catchall_rescue';
const EMAILS = 'an array of 1 to 50000 strings';
const NAME = 'name must be a string of at most 255 characters';
const PAGE = 'page must be a whole number from 1 to 999999999';
const LIMIT = 'limit must be a whole number from 1 to 500';

describe('each situation has a word of its own, and its text names the bounds', () => {
	test.each<[string, string, ErrorCode, string, unknown, Readonly<Record<string, string>>?]>([
		['a body that is no JSON', VERIFY, 'invalid_json', 'not valid JSON', '{'],
		['bytes that are no UTF-8', VERIFY, 'invalid_json', 'UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
		['another media type', VERIFY, 'unsupported_media_type', 'application/json', '{}', TEXT],
		['a body over a megabyte', VERIFY, 'body_too_large', '1048576', ' '.repeat(1_048_577)],
		['a compressed body', VERIFY, 'unsupported_encoding', 'Content-Encoding', gzipSync('{}'), GZIP],
		['an array', VERIFY, 'invalid_body', 'JSON object', ['ada@inbox.test']],
		['no email', VERIFY, 'missing_parameter', 'email', {}],
		['a number for an email', VERIFY, 'invalid_parameter', 'email', { email: 1 }],
		['a text that is no address', VERIFY, 'malformed_email', '@', { email: 'ada' }],
		['no emails', BATCH, 'missing_parameter', EMAILS, {}],
		['one text for emails', BATCH, 'invalid_parameter', EMAILS, { emails: 'ada@inbox.test' }],
		['an empty list', BATCH, 'no_emails', EMAILS, { emails: [] }],
		['50,001 addresses', BATCH, 'too_many_emails', EMAILS, { emails: many(50_001) }],
		['nothing well-formed', BATCH, 'no_valid_emails', 'well-formed', { emails: ['ada', ''] }],
		['a number first', BATCH, 'invalid_parameter', 'emails[0] must be a string', { emails: [1, 'x'] }],
		['a null as the fourth', BATCH, 'invalid_parameter', 'emails[3] must be a string', { emails: GAP }],
		['a number for a name', BATCH, 'invalid_parameter', NAME, { emails: ['ada@inbox.test'], name: 7 }],
		['256 letters', BATCH, 'invalid_parameter', NAME, { emails: ['x'], name: 'n'.repeat(256) }],
		['256 emoji', BATCH, 'invalid_parameter', NAME, { emails: ['x'], name: '\u{1F600}'.repeat(256) }],
		['no jobId', CATCH_ALL, 'missing_parameter', 'jobId', {}],
		['a number for a jobId', CATCH_ALL, 'invalid_parameter', 'jobId', { jobId: 1 }],
		['an empty jobId', CATCH_ALL, 'invalid_parameter', 'jobId', { jobId: '' }],
		['no such job', CATCH_ALL, 'job_not_found', 'job', { jobId: 'job_1' }],
		['no such job', 'GET /v1/jobs/job_1', 'job_not_found', 'job', undefined],
		['no such job', 'GET /v1/jobs/job_1/results', 'job_not_found', 'job', undefined],
		['no such task', 'GET /v1/catchall/cat_1', 'task_not_found', 'task', undefined],
		['no such task', 'GET /v1/catchall/cat_1/download', 'task_not_found', 'task', undefined],
		['no such webhook', 'GET /v1/webhooks/whk_1', 'webhook_not_found', 'webhook', undefined],
		[
			'no webhook to replay to',
			'POST /v1/webhooks/whk_1/deliveries/evt_1/replay',
			'webhook_not_found',
			'webhook',
			undefined,
		],
		['page 0', 'GET /v1/jobs/job_1/results?page=0', 'invalid_parameter', PAGE, undefined],
		['page 1e9', 'GET /v1/jobs/job_1/results?page=1000000000', 'invalid_parameter', PAGE, undefined],
		['page 1.5', 'GET /v1/catchall/cat_1/results?page=1.5', 'invalid_parameter', PAGE, undefined],
		['limit 0', 'GET /v1/jobs/job_1/results?limit=0', 'invalid_parameter', LIMIT, undefined],
		['limit 501', 'GET /v1/catchall/cat_1/results?limit=501', 'invalid_parameter', LIMIT, undefined],
		['limit ten', 'GET /v1/jobs/job_1/results?limit=ten', 'invalid_parameter', LIMIT, undefined],
		['no such path', 'GET /v1/nothing', 'path_not_found', '/v1/nothing', undefined],
		['another method', 'GET /v1/verify', 'method_not_allowed', 'POST', undefined],
		['a path without /v1', 'POST /verify', 'path_not_found', 'paths of the API begin with /v1', {}],
	])('%s: %s is %s', async (_, route, code, says, body, headers) => {
		const { apiKey } = await makeAccount(service, 1);
		const [method = '', path = ''] = route.split(' ');
		const answer = await call(service.url, apiKey, method, path, body, headers);
		expect(expectFailure(answer, ERROR_STATUSES[code], code)).toContain(says);
	});

	test.each<[string, string, string, unknown, Readonly<Record<string, string>>?]>([
		['email', 'verifyAddress', VERIFY, {}],
		['email', 'verifyAddress', VERIFY, { email: 'ada' }],
		['mode', 'verifyAddress', VERIFY, { email: 'ada@inbox.test', mode: 'fast' }],
		['explain', 'verifyAddress', VERIFY, { email: 'ada@inbox.test', explain: 1 }],
		...[499, 20_001, 1_000.5, '1000'].map((timeoutMs): [string, string, string, unknown] => [
			'timeoutMs',
			'verifyAddress',
			VERIFY,
			{ email: 'ada@inbox.test', timeoutMs },
		]),
		['domains', 'describeDomains', 'POST /v1/domains', { domains: [] }],
		['domains', 'describeDomains', 'POST /v1/domains', { domains: Array.from({ length: 1_001 }, () => 'x') }],
		['domains[1]', 'describeDomains', 'POST /v1/domains', { domains: ['inbox.test', 7] }],
		['emails', 'createJob', BATCH, {}],
		['emails', 'createJob', BATCH, { emails: [] }],
		['emails', 'createJob', BATCH, { emails: many(50_001) }],
		['emails', 'createJob', BATCH, { emails: ['ada'] }],
		['emails[3]', 'createJob', BATCH, { emails: GAP }],
		['name', 'createJob', BATCH, { emails: ['ada@inbox.test'], name: 7 }],
		[RESCUE, 'createJob', BATCH, { emails: ['x'], validationFlags: { auto_catchall_rescue: 'yes' } }],
		['validationFlags', 'createJob', BATCH, { emails: ['x'], validationFlags: ['auto_catchall_rescue'] }],
		['validationFlags', 'createJob', BATCH, { emails: ['x'], validationFlags: 'auto_catchall_rescue' }],
		[RESCUE, 'createJob', BATCH, { emails: ['x'], validationFlags: { autoCatchallRescue: 1 } }],
		['jobId', 'createTask', CATCH_ALL, { jobId: '' }],
		['limit', 'getJobResults', 'GET /v1/jobs/job_1/results?limit=0', undefined],
		['outcomes[0].email', 'sendFeedback', FEEDBACK, { outcomes: [{ email: 'x', outcome: 'delivered' }] }],
		['outcomes', 'sendFeedback', FEEDBACK, { outcomes: [] }],
		['outcomes[0]', 'sendFeedback', FEEDBACK, { outcomes: ['ada@inbox.test'] }],
		['outcomes[0].outcome', 'sendFeedback', FEEDBACK, { outcomes: [{ email: 'ada@inbox.test' }] }],
		['url', 'createWebhook', 'POST /v1/webhooks', { url: 'http://shop.example' }],
		['Idempotency-Key', 'createJob', BATCH, { emails: ['ada@inbox.test'] }, { 'idempotency-key': '\u00e4' }],
	])(
		'%s is named in `param`, and %s in `docs`: %s',
		async (param, operationId, route, body, headers = {}) => {
			const { apiKey } = await makeAccount(service, 1);
			const [method = '', path = ''] = route.split(' ');
			const answer = await call(service.url, apiKey, method, path, body, headers);
			expectFailure(answer, 400);
			expect(answer.body).toMatchObject({
				param,
				docs: expect.stringMatching(`/docs/reference/${operationId}$`),
			});
			expect(await balanceOf(apiKey)).toMatchObject({ availableCredits: 1, reservedCredits: 0 });
		},
	);

	test.each([
		['255 letters', 'n'.repeat(255)],
		['255 emoji', '\u{1F600}'.repeat(255)],
	])('a name of %s is within them', async (_, name) => {
		const { apiKey } = await makeAccount(service, 1);
		const answer = await call(service.url, apiKey, 'POST', '/v1/verify-batch', {
			emails: ['ada@inbox.test'],
			name,
		});
		expect([answer.status, answer.body], answer.text).toMatchObject([202, { data: { name } }]);
	});
});

test('a 402 says how many credits the work needs and how many there are', async () => {
	const { apiKey } = await makeAccount(service, 2);
	const list = await call(service.url, apiKey, 'POST', '/v1/verify-batch', { emails: many(3) });
	expectFailure(list, 402, 'insufficient_credits');
	expect(list.body).toMatchObject({ required: 3, available: 2 });
	const poor = await verify((await makeAccount(service, 0)).apiKey, 'ada@inbox.test');
	expectFailure(poor, 402, 'insufficient_credits');
	expect(poor.body).toMatchObject({ required: 1, available: 0 });
});

describe('X-Request-Id', () => {
	test('is new for every response', async () => {
		const { apiKey } = await makeAccount(service);
		const answers = await Promise.all([
			...Array.from({ length: 20 }, () => request(apiKey, 'GET', '/v1/credits')),
			...Array.from({ length: 5 }, () => request(null, 'GET', '/v1/credits')),
			request(null, 'GET', '/nothing'),
			request(null, 'GET', '/healthz'),
		]);
		const ids = answers.map(({ headers }) => headers.get('x-request-id'));
		expect(ids).not.toContain(null);
		expect(new Set(ids).size).toBe(answers.length);
	});

	test('is the requestId of meta', async () => {
		const { apiKey } = await makeAccount(service);
		for (const answer of [
			await verify(apiKey, 'ada@inbox.test'),
			await request(apiKey, 'GET', '/v1/credits'),
		]) {
			expect(answer.body).toMatchObject({ meta: { requestId: answer.headers.get('x-request-id') } });
		}
	});

	test('is ours: one that a client sends is not taken over', async () => {
		const { apiKey } = await makeAccount(service);
		const headers = { 'x-request-id': 'req_of_the_client' };
		const answer = await call(service.url, apiKey, 'GET', '/v1/credits', undefined, headers);
		expect(answer.headers.get('x-request-id')).not.toContain('req_of_the_client');
	});
});

test('a path in an error text is never shown as anything but JSON', async () => {
	const { apiKey } = await makeAccount(service);
	const answer = await request(apiKey, 'GET', '/v1/nothing<script>alert(1)</script>');
	expectFailure(answer, 404);
	expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
});
