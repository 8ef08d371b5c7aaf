import { gzipSync } from 'node:zlib';
import { beforeAll, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { ERROR_STATUSES } from '../../src/core/errors/error-table.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { balanceOf, expectFailure, newClient, verify } from './api.ts';
import type { Answer } from './api.ts';
import { many } from './jobs-api.ts';
import { setLimits } from './operator.ts';

// Spec §7: the envelope of errors, and what is answered where nothing is served.

const service = inject('service');
/** Of an account that spends nothing here. */
let apiKey = '';
beforeAll(async () => {
	const account = await makeAccount(service, 1);
	({ apiKey } = account);
	await setLimits(account.accountId, { default: 1_000, batch: 1_000 });
});

const request = async (key: string | null, method: string, path: string): Promise<Answer> =>
	call(service.url, key, method, path, undefined, key === null ? newClient() : {});

const GZIP = { 'content-encoding': 'gzip' };
const ADA = 'ada@inbox.test';
const NOTE = Buffer.from('{"email":"ada@inbox.test","note":"');
const DEEP = '['.repeat(32) + ']'.repeat(32);

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

test.each(UNKNOWN_PATHS)(
	'the unknown path %s is 404, and 401 without a key, so that nobody can look around',
	async (path) => {
		expectFailure(await request(apiKey, 'GET', path), 404);
		expectFailure(await request(apiKey, 'POST', path), 404);
		expectFailure(await request(null, 'GET', path), 401);
	},
);

test.each([
	['/v1/verify', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
	['/v1/credits', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
])('a known path with another method is 405 with Allow: %s allows %s', async (path, allowed, methods) => {
	for (const method of methods) {
		const answer = await request(apiKey, method, path);
		expect(expectFailure(answer, 405)).toContain(method);
		expect(answer.headers.get('allow')).toBe(allowed);
	}
});

test.each([
	['/v1/nothing', 404, null],
	['/v1/verify', 405, 'POST'],
	['/v1/credits', 200, null],
])('HEAD %s is %i without a body', async (path, status, allow) => {
	const { headers, text, ...answer } = await request(apiKey, 'HEAD', path);
	expect([answer.status, headers.get('allow'), text]).toEqual([status, allow, '']);
	expect(headers.get('content-type')).toMatch(/^application\/json/);
});

const VERIFY = 'POST /v1/verify';
const BATCH = 'POST /v1/verify-batch';
const CATCH_ALL = 'POST /v1/catchall';
const FEEDBACK = 'POST /v1/feedback';
const DOMAINS = 'POST /v1/domains';
const WEBHOOKS = 'POST /v1/webhooks';
const OPERATION: Readonly<Record<string, string>> = {
	[VERIFY]: 'verifyAddress',
	[BATCH]: 'createJob',
	[CATCH_ALL]: 'createTask',
	[FEEDBACK]: 'sendFeedback',
	[DOMAINS]: 'describeDomains',
	[WEBHOOKS]: 'createWebhook',
	'GET /v1/jobs/job_1/results?limit=0': 'getJobResults',
};
const RESCUE = 'validationFlags.auto_catchall_rescue';
const EMAILS = 'an array of 1 to 50000 strings';
const NAME = 'name must be a string of at most 255 characters';
const PAGE = 'page must be a whole number from 1 to 999999999';
const LIMIT = 'limit must be a whole number from 1 to 500';
const FLAGS = 'validationFlags';
const KEY = 'Idempotency-Key';

const [WRONG, MISSING] = ['invalid_parameter', 'missing_parameter'] as const;
const HOOK = 'https://a.example/';
const LONG_NAME = '\u{1F600}'.repeat(256);

type Row = [
	string,
	ErrorCode,
	says: string,
	body?: unknown,
	param?: string | null,
	headers?: Record<string, string>,
];

/** A call about what nobody has. */
const nobodys =
	(what: 'job' | 'webhook', path: string) =>
	(of: string): Row => [of.replace(' ', path), `${what}_not_found`, what];

/** The same refusal of several bodies of POST /v1/verify. */
const each = (code: ErrorCode, says: string, bodies: readonly unknown[], param: string | null = null) =>
	bodies.map((body): Row => [VERIFY, code, says, body, param]);

const typed = (type: string): Record<string, string> => ({ 'content-type': type });
const MEDIA_TYPES = [
	'text/plain',
	'application/x-www-form-urlencoded',
	'multipart/form-data; boundary=x',
	'json',
];

test.each<Row>([
	[VERIFY, 'invalid_json', 'not valid JSON', '{'],
	// In a field that is ignored: nothing else is wrong with it.
	...[[0xff], [0xc0, 0xaf], [0xe2, 0x82]].flatMap((octets) =>
		each('invalid_json', 'UTF-8', [Uint8Array.from([...NOTE, ...octets, 0x22, 0x7d])]),
	),
	...each('invalid_json', 'JSON', [
		'',
		'{"email":"ada@inbox.te',
		`{"email":"${ADA}"}{}`,
		`{"email":"${ADA}\r\n"}`,
	]),
	...each('invalid_body', ' 32 levels deep', [
		'['.repeat(60_000),
		`{"email":"ada@inbox.test","deep":${DEEP}}`,
		`["\\"]]]]",${'{"a":'.repeat(32)}1${'}'.repeat(32)}]`,
	]),
	...MEDIA_TYPES.map((type): Row => [
		...([VERIFY, 'unsupported_media_type', 'application/json', '{}', null] as const),
		typed(type),
	]),
	[VERIFY, 'body_too_large', '1048576', ' '.repeat(1_048_577)],
	[VERIFY, 'unsupported_encoding', 'Content-Encoding', gzipSync('{}'), null, GZIP],
	...each('invalid_body', 'JSON object', [`[{"email":"${ADA}"}]`, 'null', `"${ADA}"`]),
	...each(MISSING, 'email', ['{}', `{"Email":"${ADA}"}`, `{"__proto__":{"email":"${ADA}"}}`], 'email'),
	...each(
		WRONG,
		'email',
		[{ email: 1 }, { email: null }, { email: [ADA] }, { email: { address: ADA } }],
		'email',
	),
	[VERIFY, 'malformed_email', '@', { email: 'ada' }, 'email'],
	[VERIFY, WRONG, 'mode', { email: ADA, mode: 'fast' }, 'mode'],
	[VERIFY, WRONG, 'explain', { email: ADA, explain: 1 }, 'explain'],
	...[499, 20_001, 1_000.5, '1000'].flatMap((timeoutMs) =>
		each(WRONG, 'timeoutMs', [{ email: ADA, timeoutMs }], 'timeoutMs'),
	),
	[DOMAINS, WRONG, 'domains', { domains: [] }, 'domains'],
	[DOMAINS, WRONG, 'domains', { domains: Array.from({ length: 1_001 }, () => 'x') }, 'domains'],
	[DOMAINS, WRONG, 'domains[1]', { domains: ['inbox.test', 7] }, 'domains[1]'],
	[BATCH, MISSING, EMAILS, {}, 'emails'],
	[BATCH, WRONG, EMAILS, { emails: ADA }, 'emails'],
	[BATCH, 'no_emails', EMAILS, { emails: [] }, 'emails'],
	[BATCH, 'too_many_emails', EMAILS, { emails: many(50_001) }, 'emails'],
	[BATCH, 'no_valid_emails', 'well-formed', { emails: ['ada', ''] }, 'emails'],
	[BATCH, WRONG, 'emails[0] must be a string', { emails: [1, 'x'] }, 'emails[0]'],
	[BATCH, WRONG, 'emails[3] must be a string', { emails: [ADA, 'x', '', null] }, 'emails[3]'],
	[BATCH, WRONG, NAME, { emails: [ADA], name: 7 }, 'name'],
	[BATCH, WRONG, NAME, { emails: ['x'], name: 'n'.repeat(256) }, 'name'],
	[BATCH, WRONG, NAME, { emails: ['x'], name: LONG_NAME }, 'name'],
	[BATCH, WRONG, 'dedupe', { emails: [ADA], dedupe: 'person' }, 'dedupe'],
	[BATCH, WRONG, RESCUE, { emails: ['x'], validationFlags: { auto_catchall_rescue: 'yes' } }, RESCUE],
	[BATCH, WRONG, RESCUE, { emails: ['x'], validationFlags: { autoCatchallRescue: 1 } }, RESCUE],
	[BATCH, WRONG, FLAGS, { emails: ['x'], validationFlags: ['auto_catchall_rescue'] }, FLAGS],
	[BATCH, WRONG, FLAGS, { emails: ['x'], validationFlags: 'auto_catchall_rescue' }, FLAGS],
	[BATCH, MISSING, '1 (Email), 2 (Boss)', 'Email,Boss\na@x.test,b@x.test\n', 'column', typed('text/csv')],
	[BATCH, 'unsupported_media_type', '--data-binary', 'x', null, typed('application/x-www-form-urlencoded')],
	[BATCH, 'unsupported_media_type', 'text/csv', 'x', null, typed('multipart/form-data; boundary=x')],
	[BATCH, 'invalid_idempotency_key', KEY, { emails: [ADA] }, KEY, { [KEY]: '\u00e4' }],
	[CATCH_ALL, MISSING, 'jobId', {}, 'jobId'],
	[CATCH_ALL, WRONG, 'jobId', { jobId: 1 }, 'jobId'],
	[CATCH_ALL, WRONG, 'jobId', { jobId: '' }, 'jobId'],
	[CATCH_ALL, 'job_not_found', 'job', { jobId: 'job_1' }],
	[FEEDBACK, WRONG, 'outcomes', { outcomes: [] }, 'outcomes'],
	[FEEDBACK, WRONG, 'outcomes[0]', { outcomes: [ADA] }, 'outcomes[0]'],
	[FEEDBACK, MISSING, 'outcomes[0].outcome', { outcomes: [{ email: ADA }] }, 'outcomes[0].outcome'],
	[
		FEEDBACK,
		WRONG,
		'outcomes[0].at is in the future',
		{ outcomes: [{ email: ADA, outcome: 'delivered', at: new Date(Date.now() + 86_400_000).toISOString() }] },
	],
	[WEBHOOKS, WRONG, 'https', { url: 'http://shop.example' }, 'url'],
	[WEBHOOKS, WRONG, 'events', { url: HOOK, events: [] }],
	[WEBHOOKS, WRONG, 'events', { url: HOOK, events: ['job.begun'] }],
	...['http://shop.example/', 'https://10.0.0.1/', 7].flatMap((callbackUrl): Row[] => [
		[BATCH, WRONG, 'callbackUrl', { emails: [ADA], callbackUrl }, 'callbackUrl'],
		[CATCH_ALL, WRONG, 'callbackUrl', { jobId: 'job_1', callbackUrl }, 'callbackUrl'],
	]),
	...['GET ', 'GET /download', 'GET /rejected', 'POST /finish'].map(nobodys('job', ' /v1/jobs/job_1')),
	['GET /v1/catchall/cat_1', 'task_not_found', 'task'],
	...['GET ', 'GET /deliveries', 'POST /test', 'POST /rotate-secret'].map(
		nobodys('webhook', ' /v1/webhooks/whk_1'),
	),
	['PATCH /v1/webhooks', WRONG, 'creditsLowBelow', { creditsLowBelow: -1 }],
	['GET /v1/jobs/job_1/results?page=0', WRONG, PAGE],
	['GET /v1/jobs/job_1/results?page=1000000000', WRONG, PAGE],
	['GET /v1/catchall/cat_1/results?page=1.5', WRONG, PAGE],
	['GET /v1/jobs/job_1/results?limit=0', WRONG, LIMIT, undefined, 'limit'],
	['GET /v1/catchall/cat_1/results?limit=501', WRONG, LIMIT],
	['GET /v1/jobs?status=done', WRONG, 'status'],
	['GET /v1/jobs?limit=501', WRONG, LIMIT],
	['GET /v1/catchall?page=x', WRONG, PAGE],
	['GET /v1/jobs/job_1/rejected?page=0', WRONG, PAGE],
	['GET /v1/webhooks/whk_1/deliveries?page=0', WRONG, PAGE],
	['GET /v1/nothing', 'path_not_found', '/v1/nothing'],
	['GET /v1/verify', 'method_not_allowed', 'POST'],
	['POST /verify', 'path_not_found', 'paths of the API begin with /v1', {}],
])('each situation has a word, and its text names the bounds: %s, %s, %s', async (...row) => {
	const [route, code, says, body, param = null, headers = {}] = row;
	const [method = '', path = ''] = route.split(' ');
	const answer = await call(service.url, apiKey, method, path, body, headers);
	expect(expectFailure(answer, ERROR_STATUSES[code], code)).toContain(says);
	const docs = expect.stringMatching(`/docs/reference/${OPERATION[route]}$`);
	if (param !== null) expect(answer.body).toMatchObject({ param, docs });
	expect(await balanceOf(apiKey)).toMatchObject({ availableCredits: 1, reservedCredits: 0 });
});

test('X-Request-Id is new for every response, the requestId of meta, and none that a client sends', async () => {
	const { apiKey: key } = await makeAccount(service);
	const theirs = { 'x-request-id': 'req_of_the_client' };
	const answers = await Promise.all([
		...Array.from({ length: 20 }, () => call(service.url, key, 'GET', '/v1/credits', undefined, theirs)),
		verify(key, 'ada@inbox.test'),
		...Array.from({ length: 5 }, () => request(null, 'GET', '/v1/credits')),
		request(null, 'GET', '/nothing'),
		request(null, 'GET', '/healthz'),
	]);
	const ids = answers.map(({ headers }) => headers.get('x-request-id'));
	for (const id of ids) expect(id).toMatch(/^(?!req_of_the_client).+/);
	expect(new Set(ids).size).toBe(answers.length);
	for (const [n, { body }] of answers.slice(0, 21).entries())
		expect(body).toMatchObject({ meta: { requestId: ids[n] } });
});
