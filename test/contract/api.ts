import { randomInt } from 'node:crypto';
import { expect, inject } from 'vitest';
import { z } from 'zod';
import { credits, success, verification } from '../../src/http/schemas.ts';
import { call } from '../support/service.ts';

// What the contract tests share: the endpoints as functions, and the promises that hold for every answer.

export type Answer = Awaited<ReturnType<typeof call>>;
export type Balance = z.infer<typeof credits>;

const verifyResponse = success(verification, { creditsUsed: z.int(), creditsRemaining: z.int() });
const creditsResponse = success(credits, {});

/** POST /v1/verify with `email` of any kind. */
export async function verify(
	apiKey: string | null,
	email: unknown,
	url: string = inject('service').url,
): Promise<Answer> {
	return call(url, apiKey, 'POST', '/v1/verify', { email });
}

/** POST /v1/verify that must succeed: its body, read by the schema that the OpenAPI document publishes. */
export async function verified(
	apiKey: string,
	email: string,
	url: string = inject('service').url,
): Promise<z.infer<typeof verifyResponse>> {
	const answer = await verify(apiKey, email, url);
	expect(answer.status, answer.text).toBe(200);
	return verifyResponse.parse(answer.body);
}

/** GET /v1/credits that must succeed. */
export async function balanceOf(apiKey: string, url: string = inject('service').url): Promise<Balance> {
	const answer = await call(url, apiKey, 'GET', '/v1/credits');
	expect(answer.status, answer.text).toBe(200);
	return creditsResponse.parse(answer.body).data;
}

/** The error envelope and nothing else; gives its text. */
export function expectFailure(answer: Answer, status: number): string {
	expect(answer.status, answer.text).toBe(status);
	expect(answer.body).toEqual({ success: false, error: expect.stringMatching(/\S/) });
	expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
	return z.object({ error: z.string() }).parse(answer.body).error;
}

/** What is not in the required state: the error says so, and `status` in which state it is. Gives the text. */
export function expectNotReady(answer: Answer, status: 'processing' | 'failed'): string {
	expect(answer.status, answer.text).toBe(409);
	expect(answer.body).toEqual({ success: false, error: expect.stringMatching(/\S/), status });
	return z.object({ error: z.string() }).parse(answer.body).error;
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
