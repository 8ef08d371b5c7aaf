import { describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { feedback } from '../../src/http/account.ts';
import { success } from '../../src/http/schemas/envelope.ts';
import { call, makeAccount } from '../support/service.ts';
import { bodyOf, expectFailure, verified } from './api.ts';
import type { Answer } from './api.ts';
import { finishedTask, verdictsOf } from './catchall-api.ts';
import { completed, resultsOf, submitted } from './jobs-api.ts';

// POST /v1/feedback

const service = inject('service');
const response = success(feedback, {});
const DAY_MS = 86_400_000;

interface Told {
	readonly email: unknown;
	readonly outcome: unknown;
	readonly at?: unknown;
}

const send = (apiKey: string | null, body: unknown): Promise<Answer> =>
	call(service.url, apiKey, 'POST', '/v1/feedback', body);

async function tell(apiKey: string, ...outcomes: readonly Told[]): Promise<z.infer<typeof feedback>> {
	return bodyOf(await send(apiKey, { outcomes }), response).data;
}

const ago = (days: number, ms = 0): string => new Date(Date.now() - days * DAY_MS + ms).toISOString();

const delivered = (email: string, at?: string): Told => ({ email, outcome: 'delivered', ...(at && { at }) });
const bounced = (email: string, at?: string): Told => ({ email, outcome: 'hard_bounce', ...(at && { at }) });

/** Status and reason of a single call. */
async function verdictOf(apiKey: string, email: string): Promise<[status: string, reason: string]> {
	const { data } = await verified(apiKey, email);
	return [data.status, data.details.sub_status];
}

const UNRESOLVED: [string, string] = ['unknown', 'catch_all_unresolved'];

describe('an outcome', () => {
	test('is taken, and free of charge', async () => {
		const { apiKey } = await makeAccount(service, 5);
		const told = await tell(apiKey, delivered('ada@inbox.test'), bounced('bob@inbox.test'));
		expect(told).toEqual({ accepted: 2, recorded: 2, unchanged: 0, expired: 0 });
		const credits = await call(service.url, apiKey, 'GET', '/v1/credits');
		expect(credits.body).toMatchObject({ data: { balance: 5, totalConsumed: 0 } });
	});

	test.each<
		[string, email: string, before: [string, string], delivery: [string, string], bounce: [string, string]]
	>([
		[
			'at a catch-all',
			'ada@catch-all.test',
			UNRESOLVED,
			['deliverable', 'catch_all_valid'],
			['undeliverable', 'catch_all_invalid'],
		],
		[
			'where it exists',
			'ada@inbox.test',
			['deliverable', 'accepted_email'],
			['deliverable', 'accepted_email'],
			['undeliverable', 'rejected_email'],
		],
		[
			'where all are accepted',
			'ada@yahoo.test',
			['unknown', 'accepts_everything'],
			['deliverable', 'accepted_email'],
			['undeliverable', 'rejected_email'],
		],
		// The server refuses the mailbox now: a delivery is over.
		[
			'that is refused now',
			'nobody@inbox.test',
			['undeliverable', 'rejected_email'],
			['undeliverable', 'rejected_email'],
			['undeliverable', 'rejected_email'],
		],
	])('decides an address %s: %s', async (_, email, before, delivery, bounce) => {
		const { apiKey } = await makeAccount(service, 10);
		expect(await verdictOf(apiKey, email)).toEqual(before);
		await tell(apiKey, delivered(email, ago(2)));
		expect(await verdictOf(apiKey, email)).toEqual(delivery);
		await tell(apiKey, bounced(email, ago(1)));
		expect(await verdictOf(apiKey, email)).toEqual(bounce);
	});

	test('is named as the reason, with the score of certainty on a catch-all domain', async () => {
		const { apiKey } = await makeAccount(service, 10);
		await tell(apiKey, delivered('ada@catch-all.test'), bounced('bob@catch-all.test'));
		const good = await verified(apiKey, 'Ada@Catch-All.test');
		expect(good.data).toMatchObject({
			catch_all_score: 98,
			catch_all_verdict: 'valid',
			deliverability_score: 98,
		});
		expect(good.data.details.general.reason).toMatch(/^A message of yours to this address was delivered/);
		expect(good.meta.creditsUsed).toBe(1);
		const bad = await verified(apiKey, 'bob@catch-all.test');
		expect(bad.data).toMatchObject({ catch_all_score: 2, catch_all_verdict: 'invalid' });
		expect(bad.data.details.general.reason).toMatch(
			/^Mailbox does not exist\. A message of yours .* bounced/,
		);
	});

	test('decides the rows of a list and of a task alike', async () => {
		const { apiKey } = await makeAccount(service, 50);
		const emails = ['ada', 'bob', 'eve'].map((name) => `${name}@catch-all.test`);
		await tell(
			apiKey,
			delivered('ada@catch-all.test'),
			bounced('bob@catch-all.test'),
			bounced('kim@inbox.test'),
		);
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
		expect(rows.map(({ verdict, score }) => [verdict, score])).toEqual([
			['valid', 98],
			['invalid', 2],
			['unknown', expect.any(Number)],
		]);
		for (const { score, breakdown } of rows) {
			const { base, domain_triage, domain_age, mailbox, smtp, public_evidence, list } = breakdown;
			const sections = [domain_triage, domain_age, mailbox, smtp, public_evidence, list];
			expect(sections.reduce((sum, section) => sum + section.score, base)).toBe(score);
		}
		expect(rows.map(({ breakdown }) => breakdown.list.signals)).toEqual([
			['gate:own_delivery'],
			['gate:own_bounce'],
			[],
		]);
	});

	test('of one account never moves the verdicts of another', async () => {
		const [mine, other] = [await makeAccount(service, 5), await makeAccount(service, 5)];
		await tell(other.apiKey, bounced('ada@inbox.test'), delivered('ada@catch-all.test'));
		expect(await verdictOf(mine.apiKey, 'ada@inbox.test')).toEqual(['deliverable', 'accepted_email']);
		expect(await verdictOf(mine.apiKey, 'ada@catch-all.test')).toEqual(UNRESOLVED);
	});
});

describe('a request', () => {
	const good = delivered('ada@inbox.test');

	test.each<[string, unknown, RegExp]>([
		[
			'a malformed address',
			{ outcomes: [good, good, delivered('ada')] },
			/^Malformed email: outcomes\[2\]\.email: .* no @/,
		],
		[
			'a time to come',
			{ outcomes: [good, delivered('a@inbox.test', ago(-1))] },
			/outcomes\[1\]\.at is in the future/,
		],
	])('with %s is a 400 that names the place and records nothing', async (_, body, text) => {
		const { apiKey } = await makeAccount(service, 1);
		expect(expectFailure(await send(apiKey, body), 400)).toMatch(text);
		expect(await tell(apiKey, good)).toMatchObject({ recorded: 1 });
	});

	test('takes a thousand outcomes, and not one more', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const many = (count: number): Told[] =>
			Array.from({ length: count }, (_, n) => delivered(`user${n}@inbox.test`));
		expect(await tell(apiKey, ...many(1000))).toEqual({
			accepted: 1000,
			recorded: 1000,
			unchanged: 0,
			expired: 0,
		});
		expect(expectFailure(await send(apiKey, { outcomes: many(1001) }), 400, 'invalid_parameter')).toMatch(
			/too many/,
		);
	});

	test('needs a key, and counts in the default window', async () => {
		expectFailure(await send(null, { outcomes: [good] }), 401, 'api_key_missing');
		const { apiKey } = await makeAccount(service, 1);
		const { headers } = await send(apiKey, { outcomes: [good] });
		expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['300', '299']);
	});
});
