import { randomInt } from 'node:crypto';
import { expect, inject } from 'vitest';
import { z } from 'zod';
import { ERROR_STATUSES } from '../../src/core/errors/error-table.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { credits } from '../../src/http/schemas/credits.ts';
import { success } from '../../src/http/schemas/envelope.ts';
import { verification } from '../../src/http/schemas/verification.ts';
import { call } from '../support/service.ts';

// What the contract tests share: the endpoints as functions, and the promises that hold for every answer.

export type Answer = Awaited<ReturnType<typeof call>>;

const verifyResponse = success(verification, { creditsUsed: z.int(), creditsRemaining: z.int() });
const creditsResponse = success(credits, {});

/** A moment as the API writes it. */
export const anyTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Where the service is that all files share. */
export const ours = (): string => inject('service').url;

/** The body of an answer that must succeed, read by the schema that the OpenAPI document publishes. */
export function bodyOf<S extends z.ZodType>(answer: Answer, schema: S, status = 200): z.output<S> {
	expect(answer.status, answer.text).toBe(status);
	return schema.parse(answer.body);
}

/** POST /v1/verify with `email` of any kind. */
export async function verify(apiKey: string | null, email: unknown, url = ours()): Promise<Answer> {
	return call(url, apiKey, 'POST', '/v1/verify', { email });
}

/** POST /v1/verify that must succeed. */
export async function verified(apiKey: string, email: string, url = ours(), more: object = {}) {
	return bodyOf(await call(url, apiKey, 'POST', '/v1/verify', { email, ...more }), verifyResponse);
}

/** GET /v1/credits that must succeed, and add up, whatever is going on meanwhile. */
export async function balanceOf(apiKey: string, url = ours()): Promise<z.infer<typeof credits>> {
	const { data } = bodyOf(await call(url, apiKey, 'GET', '/v1/credits'), creditsResponse);
	const { lastTransactionAt, ...numbers } = data;
	for (const [name, value] of Object.entries(numbers))
		expect(Number.isSafeInteger(value) && value >= 0, `${name} is ${value}`).toBe(true);
	expect(data.balance).toBe(data.availableCredits + data.reservedCredits);
	expect(data.balance).toBe(data.totalPurchased - data.totalConsumed);
	expect(lastTransactionAt === null).toBe(data.transactionCount === 0);
	return data;
}

/** The error envelope and nothing else; gives its text. A 402 also says how many credits are missing. */
export function expectFailure(answer: Answer, status: number, code?: ErrorCode): string {
	const beside = status === 402 ? { required: expect.any(Number), available: expect.any(Number) } : {};
	return expectError(answer, { status, code, beside });
}

/** What is not in the required state: the error says so, and `status` in which state it is. Gives the text. */
export function expectNotReady(
	answer: Answer,
	status: 'processing' | 'failed',
	what: 'job' | 'task' = 'job',
): string {
	const code = status === 'failed' ? (`${what}_failed` as const) : (`${what}_not_completed` as const);
	return expectError(answer, { status: 409, code, beside: { status } });
}

function expectError(
	answer: Answer,
	{ status, code, beside }: { status: number; code: ErrorCode | undefined; beside: object },
): string {
	expect(answer.status, answer.text).toBe(status);
	const { body, headers } = answer;
	const requestId = headers.get('x-request-id');
	const error = expect.stringMatching(/\S/);
	const { param, docs, ...rest } = z
		.looseObject({ param: z.string().optional(), docs: z.string().optional() })
		.parse(body);
	const message = error;
	expect(rest).toEqual({ success: false, error, message, code: expect.any(String), requestId, ...beside });
	// Only where one field is meant, and under /v1 with the page that describes it.
	if (param === undefined) expect(docs).toBeUndefined();
	else expect([status, docs]).toEqual([400, docs && expect.stringMatching(/\/docs\/reference\/[a-zA-Z]+$/)]);
	expect(headers.get('content-type')).toMatch(/^application\/json/);
	const told = z.object({ error: z.string(), message: z.string(), code: z.string() }).parse(body);
	expect(told.message).toBe(told.error);
	if (code !== undefined) expect(told.code).toBe(code);
	// Each word belongs to one status.
	expect(ERROR_STATUSES[told.code as ErrorCode], told.code).toBe(status);
	return told.error;
}

/** The body of a 429 is fixed to the letter. */
export function expectRateLimited(answer: Answer): void {
	expect(answer.status, answer.text).toBe(429);
	expect(answer.body).toEqual({ success: false, message: 'Developer API rate limit exceeded' });
	expect(answer.headers.get('retry-after')).toBe(answer.headers.get('ratelimit-reset'));
}

/** The three headers of every response, as numbers. */
export function rateLimitOf(answer: Answer): { limit: number; remaining: number; reset: number } {
	const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
		const value = answer.headers.get(`ratelimit-${name}`);
		expect(value, `RateLimit-${name} of a ${answer.status}`).toMatch(/^\d+$/);
		return Number(value);
	}) as [number, number, number];
	return { limit, remaining, reset };
}

const network = `10.${randomInt(256)}.${randomInt(256)}`;
let clients = 0;

/** A client address that no other test uses: requests without a valid key are counted by it. */
export function newClient(): Readonly<Record<string, string>> {
	clients += 1;
	return { 'cf-connecting-ip': `${network}.${clients}` };
}

/** What the sandbox's DNS and mail servers ever heard of a text. */
export async function sightingsOf(text: string): Promise<{ dns: number; smtp: number }> {
	const url = new URL(inject('service').witness);
	url.searchParams.set('text', text);
	return z.object({ dns: z.int(), smtp: z.int() }).parse(await (await fetch(url)).json());
}
