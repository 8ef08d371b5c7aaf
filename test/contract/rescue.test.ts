import { describe, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { balanceOf, expectFailure, verified } from './api.ts';
import { completed, jobOf, resultsOf, submit } from './jobs-api.ts';

// validationFlags.auto_catchall_rescue: the job runs the deep check on its catch-all rows itself.

const service = inject('service');
const RESCUE = { auto_catchall_rescue: true };

// Every way in which the domain or the deep check may answer.
const ADDRESSES = [
	'jane.doe@google-catch-all.test',
	'ada@parked.test',
	'ada@catch-all.test',
	'ada@catch-all-but-gone.test',
	'jane.doe@gateway.test',
	'ada@inbox.test',
	'ada@nxdomain.test',
];

async function rescued(apiKey: string, emails: readonly string[]): Promise<string> {
	const answer = await submit(apiKey, { emails, validationFlags: RESCUE });
	expect([answer.status, answer.body], answer.text).toMatchObject([
		202,
		{ data: { validationFlags: RESCUE } },
	]);
	const { jobId } = (answer.body as { data: { jobId: string } }).data;
	await completed(apiKey, jobId);
	return jobId;
}

describe('a job with auto_catchall_rescue', () => {
	test('says of each address what a single call says, for what the single call costs', async () => {
		const [list, single] = [await makeAccount(service, 20), await makeAccount(service, 20)];
		const answers = [];
		// One after the other and first, so that the facts about each domain are known when the list asks for all at once.
		for (const email of ADDRESSES) answers.push(await verified(single.apiKey, email));
		const jobId = await rescued(list.apiKey, ADDRESSES);
		const { results } = await resultsOf(list.apiKey, jobId, '?limit=500');
		const expected = answers.map(({ data }, index) => ({ index, ...data, verified_at: '' }));
		expect(results.map((row) => ({ ...row, verified_at: '' }))).toEqual(expected);
		const charged = answers.reduce((sum, { meta }) => sum + meta.creditsUsed, 0);
		const [one, other] = [await balanceOf(list.apiKey), await balanceOf(single.apiKey)];
		expect([one.totalConsumed, other.totalConsumed]).toEqual([charged, charged]);
		expect(one.totalRefunded).toBe(other.totalRefunded);
		const verdicts = results.map((row) => row.catch_all_verdict);
		expect(new Set(verdicts)).toEqual(new Set(['valid', 'invalid', 'unknown', undefined]));
	});

	test('shows it, counts by verdict, refunds what stays unknown, and leaves no row risky', async () => {
		const { apiKey } = await makeAccount(service, 3);
		const emails = ['jane.doe@google-catch-all.test', 'ada@parked.test', 'ada@catch-all.test'];
		const jobId = await rescued(apiKey, emails);
		expect(await jobOf(apiKey, jobId)).toMatchObject({
			validationFlags: RESCUE,
			statusCounts: { deliverable: 1, undeliverable: 1, risky: 0, unknown: 1, catchAll: 3 },
			creditsReserved: 0,
			creditsUsed: 2,
			creditsRefunded: 1,
		});
		const { results } = await resultsOf(apiKey, jobId, '?status=catch_all');
		expect(results.map(({ catch_all_verdict: verdict, status }) => [verdict, status])).toEqual([
			['valid', 'deliverable'],
			['invalid', 'undeliverable'],
			['unknown', 'unknown'],
		]);
	});

	test('counts against a name that the list spells in many ways, as a task does', async () => {
		const { apiKey } = await makeAccount(service, 20);
		const spellings = ['jane.doe', 'jdoe', 'doe.jane', 'janedoe', 'j.doe'];
		const emails = spellings.map((name) => `${name}@google-catch-all.test`);
		const alone: number[] = [];
		for (const email of emails) alone.push((await verified(apiKey, email)).data.catch_all_score ?? 0);
		const { results } = await resultsOf(apiKey, await rescued(apiKey, emails));
		const scores = results.map(({ catch_all_score: score = 100 }) => score);
		for (const [at, score] of scores.entries()) expect(score, emails[at]).toBeLessThanOrEqual(alone[at] ?? 0);
		// Two that are as high as an unknown may be stay there.
		expect(scores.filter((score, at) => score < (alone[at] ?? 0)).length).toBeGreaterThanOrEqual(3);
	});

	test('is another request than one without it, under the same Idempotency-Key', async () => {
		const { apiKey } = await makeAccount(service, 4);
		const key = { 'idempotency-key': 'flagged' };
		const body = { emails: ['ada@inbox.test'] };
		const first = await submit(apiKey, { ...body, validationFlags: RESCUE }, key);
		expect(first.status, first.text).toBe(202);
		const again = await submit(apiKey, { ...body, validationFlags: { autoCatchallRescue: true } }, key);
		expect([again.status, again.text]).toEqual([202, first.text]);
		expectFailure(await submit(apiKey, body, key), 409, 'idempotency_key_reused');
	});
});

// Clients send flags of their own making, which must never cost them their list. A known flag of another type is a 400.
test.each([
	['the flag in either spelling', { auto_catchall_rescue: true }, true],
	['the flag in the other spelling', { autoCatchallRescue: true }, true],
	[
		'both spellings that disagree: the first counts',
		{ auto_catchall_rescue: false, autoCatchallRescue: true },
		false,
	],
	['the flag off', { auto_catchall_rescue: false }, false],
	['null in its place', { auto_catchall_rescue: null }, false],
	['other flags alone', { check_syntax: true, depth: 7 }, false],
	['other flags beside it', { check_syntax: true, auto_catchall_rescue: true }, true],
	['null', null, false],
	['nothing', {}, false],
])('validationFlags with %s are taken', async (_, validationFlags, is) => {
	const { apiKey } = await makeAccount(service, 1);
	const answer = await submit(apiKey, { emails: ['ada@inbox.test'], validationFlags });
	expect([answer.status, answer.body], answer.text).toMatchObject([
		202,
		{ data: { validationFlags: { auto_catchall_rescue: is } } },
	]);
});
