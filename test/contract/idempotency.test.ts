import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure } from './api.ts';
import type { Answer } from './api.ts';
import { patient, many, sourceJob, submit } from './jobs-api.ts';

// Calls that spend credits, with an Idempotency-Key.

const service = inject('service');
const key = (value: string): Record<string, string> => ({ 'idempotency-key': value });
const replayed = ({ headers }: Answer): string | null => headers.get('idempotent-replayed');

interface Spending {
	readonly path: string;
	readonly status: number;
	/** What is asked; `jobId` is a job of the account that has ended. */
	readonly body: (jobId: string) => object;
	/** What may stand beside it in the same request. */
	readonly same?: object;
	/** Other requests. */
	readonly others: (jobId: string) => readonly object[];
	readonly malformed: object;
}

const NOBODY = { email: 'nobody@inbox.test', explain: true };
const LIST = { emails: ['ada@inbox.test', patient()], name: 'twice' };
const CALLS: readonly Spending[] = [
	{
		path: '/v1/verify',
		status: 200,
		body: () => NOBODY,
		// `full` is what a call without a mode asks for.
		same: { mode: 'full' },
		others: () => [
			{ email: NOBODY.email },
			{ ...NOBODY, email: 'bob@inbox.test' },
			{ ...NOBODY, mode: 'quick' },
		],
		malformed: { email: 'nobody', explain: true },
	},
	{
		path: '/v1/domains',
		status: 200,
		body: () => ({ domains: ['inbox.test'] }),
		others: () => [{ domains: ['null-mx.test'] }],
		malformed: { domains: [] },
	},
	{
		path: '/v1/verify-batch',
		status: 202,
		body: () => LIST,
		same: { dedupe: 'address', validationFlags: {} },
		others: () => [
			{ ...LIST, dedupe: 'mailbox' },
			{ ...LIST, validationFlags: { auto_catchall_rescue: true } },
			{ ...LIST, emails: ['ada@inbox.test'] },
			{ ...LIST, emails: LIST.emails.toReversed() },
			{ ...LIST, name: 'thrice' },
			{ emails: LIST.emails },
		],
		malformed: { emails: [] },
	},
	{
		path: '/v1/catchall',
		status: 202,
		body: (jobId) => ({ jobId, name: 'twice' }),
		others: (jobId) => [{ jobId, name: 'two' }, { jobId }, { jobId: 'job_nobody', name: 'twice' }],
		malformed: { jobId: '' },
	},
];

/** An account with a job that has ended, and the call that it makes. */
async function caller({ path, body }: Spending) {
	const { apiKey } = await makeAccount(service, 20);
	const jobId = await sourceJob(apiKey, ['jane.doe@google-catch-all.test']);
	// Every account has the same key.
	const send = (given: unknown): Promise<Answer> =>
		call(service.url, apiKey, 'POST', path, given, key('k 1'));
	return { apiKey, jobId, send, body: body(jobId) };
}

describe.each(CALLS)('$path under an Idempotency-Key', (spending) => {
	test('repeats its answer byte for byte, at once and after its end, and costs once', async () => {
		const { apiKey, send, body } = await caller(spending);
		const first = await send(body);
		expect([first.status, replayed(first)], first.text).toEqual([spending.status, null]);
		const again = async (given: unknown): Promise<void> => {
			const answer = await send(given);
			expect([answer.status, answer.text, replayed(answer)]).toEqual([first.status, first.text, 'true']);
			expect(answer.headers.get('content-type')).toBe(first.headers.get('content-type'));
		};
		await again(body);
		await expect.poll(() => balanceOf(apiKey)).toMatchObject({ reservedCredits: 0, totalConsumed: 2 });
		const ended = await balanceOf(apiKey);
		await again(body);
		// White space and extras of the JSON do not make another request of it.
		await again(JSON.stringify({ ...body, ...spending.same, status: 'any' }, null, 2));
		expect(await balanceOf(apiKey)).toEqual(ended);
	});

	test('is a 409 with another request; what was refused is not remembered', async () => {
		const { apiKey, jobId, send, body } = await caller(spending);
		expectFailure(await send(spending.malformed), 400);
		expect((await send(body)).status).toBe(spending.status);
		await expect.poll(() => balanceOf(apiKey)).toMatchObject({ reservedCredits: 0 });
		const before = await balanceOf(apiKey);
		for (const other of spending.others(jobId))
			expectFailure(await send(other), 409, 'idempotency_key_reused');
		expect(await balanceOf(apiKey)).toEqual(before);
	});
});

test('one key is another for each call', async () => {
	const { apiKey, jobId } = await caller(CALLS[0]!);
	for (const { path, status, body } of CALLS) {
		const answer = await call(service.url, apiKey, 'POST', path, body(jobId), key('same'));
		expect([answer.status, replayed(answer)], answer.text).toEqual([status, null]);
	}
});

const verify = (apiKey: string, email: string, value: string): Promise<Answer> =>
	call(service.url, apiKey, 'POST', '/v1/verify', { email }, key(value));

test('a verification under an Idempotency-Key in racing requests is one answer and one charge, also with a single credit: the others come again', async () => {
	const { apiKey } = await makeAccount(service, 1);
	const answers = await Promise.all(
		Array.from({ length: 5 }, () => verify(apiKey, 'ada@tarpit.test', 'race')),
	);
	const [first, ...others] = answers.toSorted((a, b) => a.status - b.status);
	expect(first?.status).toBe(200);
	for (const other of others) {
		expectFailure(other, 409, 'request_in_progress');
		expect(Number(other.headers.get('retry-after'))).toBeGreaterThan(0);
	}
	const again = await verify(apiKey, 'ada@tarpit.test', 'race');
	expect([again.status, again.text]).toEqual([200, first?.text]);
	expect(again.headers.get('idempotent-replayed')).toBe('true');
	expect(await balanceOf(apiKey)).toMatchObject({ totalConsumed: 1, reservedCredits: 0 });
});

describe('a client that goes away', () => {
	const emails = many(400);

	test.each([1, 10, 40])(
		'%i ms after it began to send finds one job, charged once, under its key',
		async (ms) => {
			const { apiKey } = await makeAccount(service, 1_000);
			const gone = submit(apiKey, { emails }, key('gone'), service.url, AbortSignal.timeout(ms));
			await gone.catch(() => {});
			const [answer, again] = [
				await submit(apiKey, { emails }, key('gone')),
				await submit(apiKey, { emails }, key('gone')),
			];
			expect([answer.status, again.text]).toEqual([202, answer.text]);
			const { reservedCredits, totalConsumed, totalRefunded } = await balanceOf(apiKey);
			expect(reservedCredits + totalConsumed + totalRefunded).toBe(emails.length);
		},
	);

	test('in the middle of its body leaves nothing behind', async () => {
		const { apiKey } = await makeAccount(service, 1_000);
		const before = await balanceOf(apiKey);
		const { hostname, port } = new URL(service.url);
		const socket = connect(Number(port), hostname);
		const body = JSON.stringify({ emails });
		socket.write(
			`POST /v1/verify-batch HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${apiKey}\r\n` +
				`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, body.length / 2)}`,
		);
		socket.destroy();
		await once(socket, 'close');
		expect((await submit(apiKey, { emails: ['ada@inbox.test'] })).status).toBe(202);
		await expect.poll(async () => (await balanceOf(apiKey)).totalConsumed).toBe(before.totalConsumed + 1);
		expect(await balanceOf(apiKey)).toMatchObject({ reservedCredits: 0 });
	});
});
