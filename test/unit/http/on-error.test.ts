import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigError } from '../../../src/variables.ts';
import { JOB_KINDS } from '../../../src/core/jobs/kinds.ts';
import { API_ERROR_CODES, ERROR_STATUSES, ERRORS } from '../../../src/core/errors/error-table.ts';
import { ServiceError, insufficientCredits } from '../../../src/errors.ts';
import type { ErrorCode } from '../../../src/errors.ts';
import type { AppEnv } from '../../../src/http/context.ts';
import { onError } from '../../../src/http/on-error.ts';
import type { Services } from '../../../src/services.ts';

// How failures become the envelope, those too that no test can bring about in a running service.

const SOURCE = path.join(import.meta.dirname, '../../../src');
const CODES = Object.keys(ERROR_STATUSES) as ErrorCode[];
// Made of the kind's noun, by `requireKind` and `requireResults`.
const COMPOSED: readonly string[] = Object.values(JOB_KINDS).flatMap(({ noun }) =>
	['not_found', 'not_completed', 'failed'].map((state) => `${noun}_${state}`),
);

async function answerTo(error: Error, variables: Partial<AppEnv['Variables']> = {}) {
	const app = new Hono<AppEnv>().onError(onError).get('/', (c) => {
		c.set('requestId', 'req_1');
		for (const [name, value] of Object.entries(variables)) c.set(name as 'services', value as Services);
		throw error;
	});
	const response = await app.request('/');
	return { status: response.status, headers: response.headers, body: await response.json() };
}

const told = (error: string, code: ErrorCode, beside: object = {}): object => {
	return { success: false, error, message: error, code, requestId: 'req_1', ...beside };
};

test.each(CODES.filter((code) => code !== 'rate_limited'))(
	'%s is told with its word, its status and the id of the request',
	async (code) => {
		const { status, body } = await answerTo(new ServiceError(code, 'What happened'));
		expect([status, body]).toEqual([ERROR_STATUSES[code], told('What happened', code)]);
	},
);

test('a 429 has a message and nothing else', async () => {
	const { status, headers, body } = await answerTo(new ServiceError('rate_limited', 'Too much'));
	expect([status, body]).toEqual([429, { success: false, message: 'Too much' }]);
	expect(headers.get('retry-after')).toMatch(/^\d+$/);
});

test.each([
	['https://mailsonar.example', 'https://mailsonar.example/docs/reference/createJob'],
	[undefined, '/docs/reference/createJob'],
])('an error of one field names it, and the page that describes it: at %s', async (PUBLIC_URL, docs) => {
	const services = { config: { PUBLIC_URL } } as unknown as Services;
	const error = new ServiceError('invalid_parameter', 'Not so', { details: { param: 'emails[3]' } });
	const called = await answerTo(error, { services, operationId: 'createJob' });
	expect(called.body).toEqual(told('Not so', 'invalid_parameter', { param: 'emails[3]', docs }));
	const elsewhere = await answerTo(error, { services });
	expect(elsewhere.body, 'no call of the API').toEqual(
		told('Not so', 'invalid_parameter', { param: 'emails[3]' }),
	);
});

test('a 402 says how many credits are needed and how many there are', async () => {
	const { status, body } = await answerTo(insufficientCredits(17, 5));
	const text = 'Insufficient credits: 17 required, 5 available';
	const beside = { required: 17, available: 5 };
	expect([status, body]).toEqual([402, told(text, 'insufficient_credits', beside)]);
});

describe('what is not a refusal of ours', () => {
	beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
	afterEach(() => void vi.restoreAllMocks());

	test('is a 500 that keeps to itself what went wrong', async () => {
		const { status, body } = await answerTo(new Error('SELECT secret FROM keys'));
		expect([status, body]).toEqual([500, told('Internal server error', 'internal_error')]);
	});

	test('is a 503 where the configuration is wrong, with Retry-After', async () => {
		const { status, headers, body } = await answerTo(new ConfigError('DOH_URL is not a URL'));
		expect([status, body]).toEqual([503, told('DOH_URL is not a URL', 'misconfigured')]);
		expect(headers.get('retry-after')).toMatch(/^\d+$/);
	});

	test.each([400, 413, 415] as const)('is a 400 where the framework says %i', async (status) => {
		const answer = await answerTo(new HTTPException(status, { message: 'Odd' }));
		expect([answer.status, answer.body]).toEqual([400, told('Odd', 'bad_request')]);
	});
});

describe('the table of errors', () => {
	const sentence = expect.stringMatching(/^[A-Z].*\.$/);

	test.each(API_ERROR_CODES)('says in whole sentences what %s means, its cause and its cure', (code) => {
		const { when, cause, cure, says } = ERRORS[code];
		expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
		expect([when, cause, cure]).toEqual([sentence, sentence, sentence]);
		expect(says).toMatch(/^[A-Za-z].*[^.]$/);
	});

	test('has no code that no error uses', () => {
		const texts = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
			.filter((name) => /\.tsx?$/.test(name) && !name.endsWith('error-table.ts'))
			.map((name) => readFileSync(path.join(SOURCE, name), 'utf8'));
		const isUsed = (code: string): boolean =>
			COMPOSED.includes(code) || texts.some((text) => text.includes(`'${code}'`));
		const unused = CODES.filter((code) => !isUsed(code));
		expect(unused).toEqual([]);
	});
});
