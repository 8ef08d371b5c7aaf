import { describe, expect, test } from 'vitest';
import { Mailsonar, MailsonarError } from '../../../clients/typescript/src/index.ts';
import { failure, rateLimited, scripted, success } from './scripted-service.ts';
import type { Step } from './scripted-service.ts';

const broken = (): TypeError =>
	new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });

async function errorOf(promise: Promise<unknown>): Promise<MailsonarError> {
	const error: unknown = await promise.then(
		() => null,
		(reason: unknown) => reason,
	);
	expect(error).toBeInstanceOf(MailsonarError);
	return error as MailsonarError;
}

describe('a call', () => {
	test.each(['https://api.test', 'https://api.test/', 'https://api.test/v1', 'https://api.test/v1/'])(
		'goes to the service at %s with the key',
		async (baseUrl) => {
			const { client, seen } = scripted([success({ status: 'deliverable' }, { creditsUsed: 1 })], {
				baseUrl,
			});
			const answer = await client.verify('ada@x.test');
			expect(answer).toMatchObject({ status: 'deliverable', meta: { requestId: 'req_1', creditsUsed: 1 } });
			expect(seen[0]?.url.href).toBe('https://api.test/v1/verify');
			expect(seen[0]?.headers.get('authorization')).toBe('Bearer ms_test_x');
			expect(seen[0]?.body).toEqual({ email: 'ada@x.test' });
		},
	);

	const ADA = 'a@x.test';
	const callbackUrl = 'https://x.test/';
	const csv = { type: 'text/csv', text: `name,email\nAda,${ADA}` } as const;
	test.each<[string, unknown, (client: Mailsonar) => Promise<unknown>]>([
		['/v1/verify', { email: ADA, mode: 'quick' }, (c) => c.verify(ADA, { mode: 'quick' })],
		['/v1/verify', { email: ADA, timeoutMs: 800 }, (c) => c.verify(ADA, { answerWithinMs: 800 })],
		['/v1/verify', { email: ADA, explain: true }, (c) => c.verify(ADA, { explain: true })],
		[
			'/v1/verify-batch',
			{ emails: [ADA], dedupe: 'mailbox' },
			(c) => c.verifyBatch([ADA], { dedupe: 'mailbox' }),
		],
		['/v1/verify-batch', csv.text, (c) => c.verifyBatch(csv, { name: 'July' })],
		['/v1/catchall', { jobId: 'job_1', callbackUrl }, (c) => c.catchall.start('job_1', { callbackUrl })],
		['/v1/domains', { domains: ['x.test'] }, (c) => c.domains(['x.test'])],
	])('to %s sends %j, and what spends has a key of its own', async (path, body, send) => {
		const { client, seen } = scripted([success({}, {})]);
		await send(client);
		expect([seen[0]?.url.pathname, seen[0]?.body]).toEqual([path, body]);
		expect(seen[0]?.headers.has('idempotency-key')).toBe(true);
	});

	test.each(['ftp://api.test', 'https://user:secret@api.test', 'https://api.test?key=1', 'no url'])(
		'%s is no service',
		(baseUrl) => {
			expect(() => new Mailsonar({ baseUrl, apiKey: 'x' })).toThrow(TypeError);
		},
	);

	test('never carries the key along a redirect', async () => {
		const elsewhere = new Response(null, { status: 302, headers: { location: 'https://elsewhere.test/' } });
		const { client, seen } = scripted([elsewhere]);
		expect(await errorOf(client.credits())).toMatchObject({ code: 'unexpected_response', status: 302 });
		expect(seen.map(({ init }) => init.redirect)).toEqual(['manual']);
	});
});

describe('an error', () => {
	const fourTimes = (step: () => Step): Step[] => [step(), step(), step(), step()];
	const page = () => new Response('<html><h1>Bad gateway</h1></html>', { status: 502 });
	const none = { code: 'unexpected_response', status: 502, requestId: null };
	test.each<[string, readonly Step[], object]>([
		[
			'has the code, the status, the id of the request and what else the service says',
			[failure(402, 'insufficient_credits', { required: 17, available: 5 })],
			{
				...{ message: 'it is insufficient_credits', code: 'insufficient_credits', status: 402 },
				...{ requestId: 'req_2', retryAfter: null, details: { required: 17, available: 5 } },
			},
		],
		[
			'of a code that this version does not know is told all the same',
			[failure(418, 'teapot')],
			{ code: 'teapot', status: 418 },
		],
		[
			"that is a proxy's page names the status and what the page says",
			fourTimes(page),
			{ ...none, message: 'The service answered 502: Bad gateway' },
		],
		[
			'of the network says what it was',
			fourTimes(broken),
			{ code: 'network_error', status: null, message: 'The service was not reached: ECONNRESET' },
		],
		[
			'after which to wait longer than allowed is left to the caller, who is told how long',
			[rateLimited(61)],
			{ code: 'rate_limited', status: 429, retryAfter: 61, requestId: 'req_3' },
		],
	])('%s', async (_, steps, told) => {
		const { client, seen } = scripted(steps);
		expect(await errorOf(client.credits())).toMatchObject(told);
		expect(seen).toHaveLength(steps.length);
	});
});

describe('another attempt', () => {
	test('of a call that spends has the same Idempotency-Key; another call has another', async () => {
		const fine = () => success({ status: 'deliverable' });
		const { client, seen } = scripted([broken(), failure(500, 'internal_error'), fine(), fine()]);
		await client.verify('a@x.test');
		await client.verify('a@x.test');
		const keys = seen.map(({ headers }) => headers.get('idempotency-key'));
		expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
		expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
		expect(keys[3]).not.toBe(keys[0]);
	});

	test.each(['verifyBatch', 'catchall'] as const)("of %s has the caller's own key", async (call) => {
		const { client, seen } = scripted([broken(), success({}, {}, 202)]);
		const options = { idempotencyKey: 'mine' };
		await (call === 'catchall'
			? client.catchall.start('job_1', options)
			: client.verifyBatch(['a@x.test'], options));
		expect(seen.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine', 'mine']);
	});

	test('is not made of what may have been done and has no key, unless the service refused it', async () => {
		const outcomes = [{ email: 'a@x.test', outcome: 'delivered' }] as const;
		const once = scripted([broken()]);
		expect(await errorOf(once.client.feedback(outcomes))).toMatchObject({ code: 'network_error' });
		expect(once.seen).toHaveLength(1);
		const twice = scripted([rateLimited(1), success({})]);
		await twice.client.feedback(outcomes);
		expect(twice.seen).toHaveLength(2);
	});

	const down = () => failure(502, 'upstream_nonsense');
	const under = () => failure(409, 'request_in_progress', {}, { 'retry-after': '2' });
	const misconfigured = () => failure(503, 'misconfigured', {}, { 'retry-after': '1' });
	const fine = () => success({ balance: 1 });
	test.each<[string, readonly (() => Step)[], readonly number[]]>([
		['after a 429 comes when RateLimit-Reset says so', [() => rateLimited(37), fine], [0, 37_000]],
		['comes after pauses that double, and not a fifth time', [down, down, down, down], [0, 250, 750, 1_750]],
		['comes when the service says, while the first is under way', [broken, under, fine], [0, 250, 2_250]],
		['is not made where the service is not set up', [misconfigured], [0]],
		...[400, 401, 402, 404, 405, 409, 410].map((status): [string, (() => Step)[], number[]] => [
			`is not made after a ${status}`,
			[() => failure(status, 'refused')],
			[0],
		]),
	])('%s', async (_, steps, ats) => {
		const { client, seen } = scripted(steps.map((step) => step()));
		const call = client.verify('a@x.test');
		if (steps.includes(fine)) await call;
		else await errorOf(call);
		expect(seen.map(({ at }) => at)).toEqual(ats);
	});
});

describe('time', () => {
	test('a service that says nothing is left after the time-out, and asked again, which is a `timeout` in the end', async () => {
		const { client, seen } = scripted(['silence', success({ balance: 1 })], { timeoutMs: 5_000 });
		await client.credits();
		expect(seen.map(({ at }) => at)).toEqual([0, 5_250]);
		const silent = scripted(['silence', 'silence'], { timeoutMs: 5_000, retries: 1 });
		expect(await errorOf(silent.client.credits())).toMatchObject({ code: 'timeout', status: null });
	});

	test.each([
		['on its way', ['silence'] as const],
		['waiting for another attempt', [rateLimited(30)] as const],
	])('a call %s ends with the reason of its signal', async (_, steps) => {
		const stop = new AbortController();
		const { client } = scripted(steps, {
			clock: { now: () => 0, after: () => () => {} },
		});
		const call = client.credits({ signal: stop.signal });
		setImmediate(() => stop.abort(new Error('enough')));
		await expect(call).rejects.toThrow('enough');
	});

	test('a signal that was aborted before sends nothing', async () => {
		const { client, seen } = scripted([success({})]);
		await expect(client.credits({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
			'enough',
		);
		expect(seen).toEqual([]);
	});
});
