import { expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure } from './api.ts';
import { completed, getResults, submit, submitted } from './jobs-api.ts';

// POST /v1/verify-batch with `dedupe`: what counts once.

const service = inject('service');
const EMAILS = ['j.doe+x@gmail.com', 'jdoe@gmail.com', 'ada@inbox.test', 'ADA@inbox.test', 'a.da@inbox.test'];

test('a mailbox counts once where that is asked for, each repetition names the first, and never by default', async () => {
	const { apiKey } = await makeAccount(service, 20);
	const usual = await submitted(apiKey, EMAILS);
	expect(usual.data).toMatchObject({ acceptedEmails: 4, duplicateEmails: 1 });
	const answer = await submit(apiKey, { emails: EMAILS, dedupe: 'mailbox' });
	expect(answer.status, answer.text).toBe(202);
	const { data } = answer.body as { data: { jobId: string } };
	expect(data).toMatchObject({ acceptedEmails: 3, duplicateEmails: 2, creditsReserved: 3 });
	const { body } = await call(service.url, apiKey, 'GET', `/v1/jobs/${data.jobId}/rejected`);
	expect(body).toMatchObject({
		data: {
			rejected: [
				{ index: 1, value: 'jdoe@gmail.com', reason: 'duplicate', duplicateOf: 0 },
				{ index: 3, value: 'ADA@inbox.test', reason: 'duplicate', duplicateOf: 2 },
			],
		},
	});
	await completed(apiKey, data.jobId);
	const results = (await getResults(apiKey, data.jobId)).body as { data: { results: { email: string }[] } };
	expect(results.data.results.map(({ email }) => email)).toEqual([EMAILS[0], EMAILS[2], EMAILS[4]]);
});

test('it is part of what an Idempotency-Key stands for, and a wrong word is refused', async () => {
	const { apiKey } = await makeAccount(service, 20);
	const send = async (more: object) =>
		call(
			service.url,
			apiKey,
			'POST',
			'/v1/verify-batch',
			{ emails: EMAILS, ...more },
			{ 'idempotency-key': 'k' },
		);
	expectFailure(await send({ dedupe: 'person' }), 400, 'invalid_parameter');
	const first = await send({ dedupe: 'address' });
	expect((await send({})).text).toBe(first.text);
	expectFailure(await send({ dedupe: 'mailbox' }), 409, 'idempotency_key_reused');
});
