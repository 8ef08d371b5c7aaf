import { describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { feedback } from '../../src/http/account.ts';
import { success } from '../../src/http/schemas/envelope.ts';
import { call, makeAccount } from '../support/service.ts';
import { expectSums } from '../support/sums.ts';
import { balanceOf, bodyOf, expectFailure, verified } from './api.ts';
import type { Answer } from './api.ts';
import { completed, finishedTask, resultsOf, submitted, verdictsOf } from './jobs-api.ts';

// POST /v1/feedback. Which outcome decides what, and until when: test/unit/outcomes, test/worker/account-outcomes.test.ts.

const service = inject('service');
const response = success(feedback, {});

const send = (apiKey: string | null, outcomes: readonly object[]): Promise<Answer> =>
	call(service.url, apiKey, 'POST', '/v1/feedback', { outcomes });

async function tell(apiKey: string, ...outcomes: readonly object[]): Promise<z.infer<typeof feedback>> {
	return bodyOf(await send(apiKey, outcomes), response).data;
}

const delivered = (email: string) => ({ email, outcome: 'delivered' });
const bounced = (email: string) => ({ email, outcome: 'hard_bounce' });

/** Status and reason of a single call. */
async function verdictOf(apiKey: string, email: string): Promise<[status: string, reason: string]> {
	const { data } = await verified(apiKey, email);
	return [data.status, data.details.sub_status];
}

describe('an outcome', () => {
	test('is taken free of charge, and is the reason of the next answer to its own account alone', async () => {
		const [{ apiKey }, other] = [await makeAccount(service, 10), await makeAccount(service, 5)];
		const told = await tell(apiKey, delivered('ada@catch-all.test'), bounced('bob@catch-all.test'));
		expect(told).toEqual({ accepted: 2, recorded: 2, unchanged: 0, expired: 0 });
		expect(await balanceOf(apiKey)).toMatchObject({ balance: 10, totalConsumed: 0 });
		const good = await verified(apiKey, 'Ada@Catch-All.test');
		const valid = { catch_all_score: 98, catch_all_verdict: 'valid', deliverability_score: 98 };
		expect(good.data).toMatchObject(valid);
		expect(good.data.details.general.reason).toMatch(/^A message of yours to this address was delivered/);
		expect(good.meta.creditsUsed).toBe(1);
		const bad = await verified(apiKey, 'bob@catch-all.test');
		expect(bad.data).toMatchObject({ catch_all_score: 2, catch_all_verdict: 'invalid' });
		expect(bad.data.details.general.reason).toMatch(
			/^Mailbox does not exist\. A message of yours .* bounced/,
		);
		await tell(apiKey, bounced('ada@inbox.test'), delivered('nobody@inbox.test'));
		expect(await verdictOf(apiKey, 'ada@inbox.test')).toEqual(['undeliverable', 'rejected_email']);
		// The server refuses the mailbox now: a delivery is over.
		expect(await verdictOf(apiKey, 'nobody@inbox.test')).toEqual(['undeliverable', 'rejected_email']);
		expect(await verdictOf(other.apiKey, 'ada@inbox.test')).toEqual(['deliverable', 'accepted_email']);
		expect(await verdictOf(other.apiKey, 'ada@catch-all.test')).toEqual(['unknown', 'catch_all_unresolved']);
	});

	test('decides the rows of a list and of a task alike', async () => {
		const { apiKey } = await makeAccount(service, 50);
		const emails = ['ada', 'bob', 'eve'].map((name) => `${name}@catch-all.test`);
		const others = [bounced('bob@catch-all.test'), bounced('kim@inbox.test')];
		await tell(apiKey, delivered('ada@catch-all.test'), ...others);
		const { data } = await submitted(apiKey, [...emails, 'kim@inbox.test']);
		await completed(apiKey, data.jobId);
		const { results } = await resultsOf(apiKey, data.jobId, '?limit=500');
		expect(results.map(({ status, details }) => [status, details.sub_status])).toEqual([
			['deliverable', 'accepted_email'],
			['undeliverable', 'rejected_email'],
			['risky', 'catch_all'],
			['undeliverable', 'rejected_email'],
		]);
		const rows = (await verdictsOf(apiKey, await finishedTask(apiKey, emails))).results;
		rows.forEach(expectSums);
		expect(rows.map(({ verdict, score, breakdown }) => [verdict, score, breakdown.list.signals])).toEqual([
			['valid', 98, ['gate:own_delivery']],
			['invalid', 2, ['gate:own_bounce']],
			['unknown', expect.any(Number), []],
		]);
	});
});

// Which requests are refused: errors.test.ts.
test('a request takes a thousand outcomes; of one more, or with a malformed one among them, nothing is recorded', async () => {
	const { apiKey } = await makeAccount(service, 1);
	const many = Array.from({ length: 1001 }, (_, n) => delivered(`user${n}@inbox.test`));
	expect(expectFailure(await send(apiKey, many), 400, 'invalid_parameter')).toMatch(/too many/);
	const bad = await send(apiKey, [many[1]!, delivered('ada')]);
	expect(expectFailure(bad, 400)).toMatch(/^Malformed email: outcomes\[1\]\.email: .* no @/);
	expect(await tell(apiKey, ...many.slice(1))).toMatchObject({ accepted: 1000, recorded: 1000 });
});
