import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure } from './api.ts';
import type { Answer } from './api.ts';
import { PATIENT, completed, submitted } from './jobs-api.ts';

// /ops/jobs: what an operator sees of bulk jobs, and can do about them.

const service = inject('service');

const ops = (method: string, path: string): Promise<Answer> =>
	call(service.url, service.token, method, `/ops/jobs/${path}`);

describe('the operators see', () => {
	test('a running job with the parts that still drive it, and may set it going again', async () => {
		const { accountId, apiKey } = await makeAccount(service, 10);
		const { jobId } = (await submitted(apiKey, ['ada@inbox.test', PATIENT])).data;
		const shown = await ops('GET', jobId);
		expect(shown.status, shown.text).toBe(200);
		expect(shown.body).toMatchObject({
			success: true,
			data: { accountId, job: { jobId, status: 'processing', totalEmails: 2 } },
		});
		const retried = await ops('POST', `${jobId}/retry`);
		expect(retried.status, retried.text).toBe(200);
		expect(retried.body).toMatchObject({ data: { openParts: [{ part: 0, addresses: 2, stuck: false }] } });
		await completed(apiKey, jobId);
		expect((await ops('GET', jobId)).body).toMatchObject({
			data: { job: { status: 'completed', creditsReserved: 0 }, openParts: [] },
		});
		expectFailure(await ops('POST', `${jobId}/retry`), 409, 'job_ended');
	});

	test('a job that they ended, or whose account they suspended, with what was not asked refunded', async () => {
		const ended = await makeAccount(service, 10);
		const { jobId } = (await submitted(ended.apiKey, [PATIENT])).data;
		const end = await ops('POST', `${jobId}/end`);
		expect(end.status, end.text).toBe(200);
		expect(end.body).toMatchObject({
			data: { job: { status: 'completed', creditsUsed: 0, creditsReserved: 0 }, openParts: [] },
		});
		expect((await ops('POST', `${jobId}/end`)).body).toMatchObject({
			data: { job: { status: 'completed' } },
		});
		expectFailure(await ops('POST', 'job_none/end'), 404, 'job_not_found');
		const shut = await makeAccount(service, 10);
		const running = (await submitted(shut.apiKey, [PATIENT])).data.jobId;
		await call(service.url, service.token, 'POST', `/ops/accounts/${shut.accountId}/suspend`);
		await expect
			.poll(async () => (await ops('GET', running)).body, { timeout: 60_000 })
			.toMatchObject({ data: { job: { status: 'completed', creditsUsed: 0, creditsReserved: 0 } } });
	});
});
