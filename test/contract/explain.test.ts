import { expect, inject, test } from 'vitest';
import { STEPS_MAX, TEXT_MAX } from '../../src/core/verification/evidence.ts';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure, verified } from './api.ts';
import { completed, resultsOf, submitted } from './jobs-api.ts';

// POST /v1/verify with `explain`: the steps that led to the answer.

const service = inject('service');
const explained = async (apiKey: string, email: string, more: object = {}) =>
	(await verified(apiKey, email, service.url, { explain: true, ...more })).data;

test('an answer holds its evidence where it is asked for, and not otherwise', async () => {
	const { apiKey } = await makeAccount(service, 3);
	expect((await verified(apiKey, 'ada@inbox.test')).data.evidence).toBeUndefined();
	const { evidence = [], details } = await explained(apiKey, 'nobody@inbox.test');
	expect(details.sub_status).toBe('rejected_email');
	expect(evidence.map(({ step }) => step)).toEqual(
		expect.arrayContaining(['list', 'dns', 'connect', 'rcpt', 'rule']),
	);
	const reply = evidence.find(({ step }) => step === 'rcpt');
	expect(reply).toMatchObject({ host: 'mx.inbox.test', code: 550, source: 'reply-rules' });
	expect(reply?.rule).toMatch(/\S/u);
	const times = evidence.map(({ at_ms: ms }) => ms);
	expect(Math.max(...times)).toBeLessThan(30_000);
	expect(times).toEqual(times.toSorted((one, other) => one - other));
	expect(evidence.at(-1)).toMatchObject({ step: 'rule', rule: 'rejected_email' });
});

test('a quick check has evidence of lists and DNS alone', async () => {
	const { apiKey } = await makeAccount(service, 1);
	const { evidence = [] } = await explained(apiKey, 'ada@inbox.test', { mode: 'quick' });
	expect(new Set(evidence.map(({ step }) => step))).toEqual(new Set(['list', 'dns', 'rule']));
});

test('evidence is bounded and printable, and names nothing of ours', async () => {
	const { apiKey } = await makeAccount(service, 20);
	for (const email of ['ada@blocked.test', 'jane.doe@google-catch-all.test', 'ada@tarpit.test']) {
		const { evidence = [] } = await explained(apiKey, email);
		expect(evidence.length).toBeLessThanOrEqual(STEPS_MAX);
		for (const { text = '' } of evidence) {
			expect(text.length).toBeLessThanOrEqual(TEXT_MAX);
			expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
			expect(text).not.toContain('verify@');
		}
	}
});

test('a repeat under an Idempotency-Key has the same evidence, byte for byte', async () => {
	const { apiKey } = await makeAccount(service, 2);
	const headers = { 'idempotency-key': 'explained' };
	const body = { email: 'nobody@inbox.test', explain: true };
	const first = await call(service.url, apiKey, 'POST', '/v1/verify', body, headers);
	const repeated = await call(service.url, apiKey, 'POST', '/v1/verify', body, headers);
	expect(repeated.text).toBe(first.text);
	expect(first.text).toContain('"evidence":[');
	const plain = { email: 'nobody@inbox.test' };
	const other = await call(service.url, apiKey, 'POST', '/v1/verify', plain, headers);
	expectFailure(other, 409, 'idempotency_key_reused');
});

test('a row of a list holds what is stored of it: code, status and rule', async () => {
	const { apiKey } = await makeAccount(service, 5);
	const { data } = await submitted(apiKey, ['nobody@inbox.test', 'ada@no-such-domain.test']);
	await completed(apiKey, data.jobId);
	const [refused, gone] = (await resultsOf(apiKey, data.jobId, '?explain=true')).results;
	expect(refused?.evidence).toMatchObject([
		{ step: 'rcpt', code: 550 },
		{ step: 'rule', rule: 'rejected_email' },
	]);
	expect(gone?.evidence).toEqual([{ step: 'rule', at_ms: 0, rule: 'invalid_domain' }]);
	const plain = await resultsOf(apiKey, data.jobId);
	for (const row of plain.results) expect(row.evidence).toBeUndefined();
});
