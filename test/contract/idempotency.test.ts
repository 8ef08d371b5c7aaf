import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure } from './api.ts';
import type { Answer } from './api.ts';
import { PATIENT, completed, many, submit } from './jobs-api.ts';

// POST /v1/verify-batch with an Idempotency-Key.

const service = inject('service');
const key = (value: string): Record<string, string> => ({ 'idempotency-key': value });

function jobIdOf(answer: Answer | undefined): string {
	return (answer?.body as { data: { jobId: string } } | undefined)?.data.jobId ?? '';
}

describe('Idempotency-Key', () => {
	const body = { emails: ['ada@inbox.test', 'bob@inbox.test'], name: 'twice' };

	test('repeats the first answer byte for byte, while the job runs and after its end', async () => {
		const { apiKey } = await makeAccount(service, 20);
		const list = { emails: ['ada@inbox.test', PATIENT] };
		const first = await submit(apiKey, list, key('k'));
		expect(first.status).toBe(202);
		expect(first.headers.get('idempotent-replayed')).toBeNull();
		const jobId = jobIdOf(first);
		const again = async (): Promise<void> => {
			const replay = await submit(apiKey, list, key('k'));
			expect([replay.status, replay.text]).toEqual([202, first.text]);
			expect(replay.headers.get('idempotent-replayed')).toBe('true');
			expect(replay.headers.get('content-type')).toMatch(/^application\/json/);
		};
		await again();
		await completed(apiKey, jobId);
		await again();
		// White space of the JSON does not make another request of it.
		expect((await submit(apiKey, JSON.stringify(list, null, 2), key('k'))).text).toBe(first.text);
		expect(await balanceOf(apiKey)).toMatchObject({ totalConsumed: 1, totalRefunded: 1, reservedCredits: 0 });
	});

	test.each([
		['other addresses', { ...body, emails: ['ada@inbox.test'] }],
		['another order', { ...body, emails: body.emails.toReversed() }],
		['another name', { ...body, name: 'thrice' }],
		['no name', { emails: body.emails }],
	])('with %s is a 409 that makes no job', async (_, other) => {
		const { apiKey } = await makeAccount(service, 20);
		const first = await submit(apiKey, body, key('k'));
		expect(first.status).toBe(202);
		await completed(apiKey, jobIdOf(first));
		const before = await balanceOf(apiKey);
		expectFailure(await submit(apiKey, other, key('k')), 409, 'idempotency_key_reused');
		expect(await balanceOf(apiKey)).toEqual(before);
	});

	test('in racing requests makes one job and one charge', async () => {
		const { apiKey } = await makeAccount(service, 20);
		const answers = await Promise.all(Array.from({ length: 6 }, () => submit(apiKey, body, key('race'))));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
		expect(replayed).toHaveLength(5);
		await completed(apiKey, jobIdOf(answers[0]));
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 18, reservedCredits: 0, totalConsumed: 2 });
	});

	test('belongs to an account, and only a 202 is remembered under it', async () => {
		const [one, two] = [await makeAccount(service, 2), await makeAccount(service, 2)];
		expectFailure(await submit(one.apiKey, { emails: [] }, key('k')), 400);
		expectFailure(await submit(one.apiKey, { emails: many(3) }, key('k')), 402);
		const texts = new Set<string>();
		for (const { apiKey } of [one, two]) {
			const { status, headers, text } = await submit(apiKey, body, key('k'));
			expect([status, headers.get('idempotent-replayed')]).toEqual([202, null]);
			texts.add(text);
		}
		expect(texts.size).toBe(2);
	});
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
