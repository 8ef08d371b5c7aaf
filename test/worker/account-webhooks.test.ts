import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { ENDED_MAX, FORMER_SECRET_MS, WAITING_MAX, dueAfterDeath } from '../../src/core/webhooks/delivery.ts';
import type { DeliveryReply } from '../../src/core/webhooks/delivery.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { WEBHOOKS_MAX } from '../../src/operations/webhooks/port.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { errorOf, jobOf, settlementOf, sqlIn, tallyOf } from '../support/account-jobs.ts';
import { BROKEN, GONE, OK, bodiesOf, complete, openWithWebhooks } from '../support/webhooks.ts';
import type { World } from '../support/webhooks.ts';
import { eventually } from '../support/patience.ts';

// What an account tells its endpoints: written with what happened, sent by the alarm, at least once.

/** Lets an attempt take for ever, until the object dies amid it: nothing of what it would do then is done. */
function mortal({ stub, answers, evict }: World): () => Promise<void> {
	let end = (): void => {};
	answers.answer = () => new Promise((_, reject) => (end = () => reject(new Error('died'))));
	return async () => {
		await runInDurableObject(stub, () => end());
		await evict();
	};
}

describe('a job that ends', () => {
	test('is told to each endpoint with the object that GET gives, at once and once', async () => {
		const world = await openWithWebhooks(10, 2);
		const { start, heard, nextAlarm, ringUntil, deliveries } = world;
		await complete(world);
		expect(await nextAlarm()).toBe(start);
		expect(await deliveries()).toMatchObject([{ status: 'waiting', attempts: 0, dueAt: start }]);
		await ringUntil(start, 2);
		expect(heard.map(({ webhookId }) => webhookId).toSorted()).toEqual(['whk_0', 'whk_1']);
		expect(new Set(heard.map(({ eventId, body }) => `${eventId} ${body}`)).size).toBe(1);
		expect(bodiesOf(world)[0]).toMatchObject({
			type: 'job.completed',
			timestamp: new Date(start).toISOString(),
			data: {
				jobId: 'job_1',
				status: 'completed',
				creditsUsed: 1,
				creditsReserved: 0,
				resultsExpired: false,
			},
		});
		for (const id of ['whk_0', 'whk_1'])
			expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 1, lastCode: 200 }]);
	});

	test('is a task, with and without addresses: the task is told, as itself', async () => {
		const world = await openWithWebhooks(10);
		const { stub, start, ringUntil } = world;
		const task = { kind: 'catchall', sourceJobId: 'job_0' } as const;
		await stub.openJob(jobOf(start, [], { ...task, jobId: 'cat_empty' }));
		await stub.openJob(jobOf(start, [2], { ...task, jobId: 'cat_failed' }));
		await stub.failJob({ jobId: 'cat_failed', now: start, error: 'input gone' });
		await ringUntil(start, 2);
		const told = bodiesOf(world).map(
			({ type, data }) => `${type} ${String(data['taskId'])} of ${String(data['sourceJobId'])}`,
		);
		expect(told.toSorted()).toEqual([
			'catchall.completed cat_empty of job_0',
			'catchall.failed cat_failed of job_0',
		]);
	});

	test('and what is told of it are one step: both are there or neither is', async () => {
		const world = await openWithWebhooks(10);
		const { stub, start, deliveries } = world;
		await stub.openJob(jobOf(start, [1]));
		await stub.settlePart(settlementOf(0, 1, tallyOf({ deliverable: 1 }), start));
		await sqlIn(stub, 'ALTER TABLE outbox RENAME TO elsewhere');
		const completing = (account: Account) => account.completeJob({ jobId: 'job_1', now: start });
		expect(await errorOf(stub, completing)).toContain('outbox');
		await sqlIn(stub, 'ALTER TABLE elsewhere RENAME TO outbox');
		expect(await stub.findJob('job_1')).toMatchObject({ status: 'processing' });
		expect(await deliveries()).toEqual([]);
		await stub.completeJob({ jobId: 'job_1', now: start });
		expect(await deliveries()).toHaveLength(1);
	});

	test('is told to those who asked for it alone, and costs no row where nobody did', async () => {
		const { stub, start, deliveries, rowsOf } = await openWithWebhooks(10, 2);
		await stub.changeWebhook({ webhookId: 'whk_0', events: ['job.failed'], now: start });
		await stub.changeWebhook({ webhookId: 'whk_1', enabled: false, now: start });
		await stub.openJob(jobOf(start, [1]));
		await stub.settlePart(settlementOf(0, 1, tallyOf({ deliverable: 1 }), start));
		const asEver = await openWithWebhooks(10, 0);
		await asEver.stub.openJob(jobOf(asEver.start, [1]));
		await asEver.stub.settlePart(settlementOf(0, 1, tallyOf({ deliverable: 1 }), asEver.start));
		const completing = (of: World['stub'], now: number) => () => of.completeJob({ jobId: 'job_1', now });
		expect(await rowsOf(completing(stub, start))).toBe(
			await asEver.rowsOf(completing(asEver.stub, asEver.start)),
		);
		expect([...(await deliveries('whk_0')), ...(await deliveries('whk_1'))]).toEqual([]);
	});
});

describe('whoever dies', () => {
	test('amid an attempt: it is sent again, with the same id and body, after the time an attempt takes', async () => {
		const world = await openWithWebhooks(10);
		const { start, heard, answers, ring, nextAlarm, ringUntil, deliveries } = world;
		await complete(world);
		const die = mortal(world);
		await ring(start);
		await eventually(() => expect(heard).toHaveLength(1));
		expect(await deliveries()).toMatchObject([
			{ status: 'waiting', attempts: 1, dueAt: dueAfterDeath(1, start) },
		]);
		await die();
		answers.answer = () => Promise.resolve(OK);
		expect(await nextAlarm()).toBeLessThanOrEqual(dueAfterDeath(1, start));
		await ring(dueAfterDeath(1, start) - 1);
		expect(heard).toHaveLength(1);
		await ringUntil(dueAfterDeath(1, start), 2);
		expect(heard[1]).toMatchObject({ eventId: heard[0]?.eventId, body: heard[0]?.body });
		expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
	});

	test('amid the last attempt: it ends, and says that it may have arrived', async () => {
		const world = await openWithWebhooks(10);
		const { start, heard, ring, deliveries } = world;
		await complete(world);
		const die = mortal(world);
		let now = start;
		for (let attempt = 1; attempt <= 7; attempt += 1) {
			await ring(now);
			await eventually(() => expect(heard).toHaveLength(attempt));
			await die();
			now = dueAfterDeath(attempt, now);
		}
		await ring(now);
		await eventually(async () =>
			expect(await deliveries()).toMatchObject([{ status: 'failed', attempts: 7, fault: 'unfinished' }]),
		);
		expect(heard).toHaveLength(7);
	});
});

describe('a delivery', () => {
	test('is sent again on request, with the same id and body and all its attempts', async () => {
		const world = await openWithWebhooks(10);
		const { stub, start, heard, answers, ringUntil, deliveries } = world;
		await complete(world);
		await ringUntil(start, 1);
		const { eventId } = heard[0]!;
		const again = { webhookId: 'whk_0', eventId, now: start + 1 };
		expect(await stub.replayDelivery(again)).toMatchObject({ status: 'waiting', attempts: 0 });
		answers.answer = () => Promise.resolve(BROKEN);
		await ringUntil(start + 1, 2);
		expect(heard[1]).toMatchObject({ eventId, body: heard[0]?.body });
		expect(await deliveries()).toMatchObject([{ attempts: 1, dueAt: start + 5_001 }]);
		expect(await stub.replayDelivery({ ...again, eventId: 'evt_none' })).toBe('delivery_not_found');
		expect(await stub.replayDelivery({ ...again, webhookId: 'whk_none' })).toBe('webhook_not_found');
		await stub.changeWebhook({ webhookId: 'whk_0', enabled: false, now: start });
		expect(await stub.replayDelivery(again)).toBe('webhook_disabled');
	});

	test('that was replayed amid an attempt is not ended by what comes of that attempt', async () => {
		const world = await openWithWebhooks(10);
		const { stub, start, heard, answers, ring, settled, deliveries } = world;
		let answer: (reply: DeliveryReply) => void = () => {};
		answers.answer = () => new Promise((resolve) => (answer = resolve));
		await complete(world);
		await ring(start);
		await eventually(() => expect(heard).toHaveLength(1));
		const { eventId } = heard[0]!;
		await stub.replayDelivery({ webhookId: 'whk_0', eventId, now: start });
		answers.answer = () => Promise.resolve(OK);
		await runInDurableObject(stub, () => answer(BROKEN));
		await settled(start, 2);
		expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
	});

	test('is kept among the newest five hundred, for thirty days', async () => {
		// Without credits there is no line of a ledger, which the alarm would keep an eye on.
		const world = await openWithWebhooks(0);
		const { stub, start, ring, deliveries, nextAlarm } = world;
		await fill(stub, ENDED_MAX + 5, start - 1_000_000, 'delivered');
		await stub.testWebhook({ webhookId: 'whk_0', eventId: 'evt_new', now: start });
		expect(await deliveries()).toHaveLength(ENDED_MAX + 1);
		await ring(start + 31 * 24 * HOUR_MS);
		await eventually(async () => expect(await deliveries()).toMatchObject([{ id: 'evt_new' }]));
		await ring(start + 31 * 24 * HOUR_MS + MINUTE_MS);
		expect(await deliveries()).toEqual([]);
		expect(await nextAlarm()).toBeNull();
	});

	test('waits among at most three thousand: the oldest end, and say why', async () => {
		const world = await openWithWebhooks(10);
		const { stub, start, deliveries } = world;
		await fill(stub, WAITING_MAX, start - 1_000_000, 'waiting');
		await stub.testWebhook({ webhookId: 'whk_0', eventId: 'evt_new', now: start });
		const all = await deliveries();
		expect(all.filter(({ status }) => status === 'waiting')).toHaveLength(WAITING_MAX);
		expect(all.at(-1)).toMatchObject({ id: 'evt_0', status: 'failed', fault: 'too_many' });
	});
});

/** Writes deliveries to the first endpoint as the object would have. */
function fill(stub: World['stub'], count: number, from: number, status: 'delivered' | 'waiting') {
	return sqlIn(
		stub,
		`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
			INSERT INTO outbox (target, id, kind, at, body, status, attempts, dueAt)
			SELECT 'whk_0', 'evt_' || i, 'job.completed', ?2 + i, '{}', ?3, 1, ?4 FROM n`,
		count,
		from,
		status,
		status === 'waiting' ? from + 24 * HOUR_MS : null,
	);
}

describe('endpoints', () => {
	test('are at most five, and one that is added again is the same', async () => {
		const { stub, start } = await openWithWebhooks(0, WEBHOOKS_MAX);
		const request = { url: 'https://x.example/', events: [], secret: 'sealed', now: start };
		expect(await stub.addWebhook({ ...request, webhookId: 'whk_more' })).toEqual({
			kind: 'too_many',
			max: 5,
		});
		expect(await stub.addWebhook({ ...request, webhookId: 'whk_0' })).toMatchObject({
			kind: 'added',
			webhook: { url: 'https://whk-0.example/' },
		});
		await stub.removeWebhook({ webhookId: 'whk_0' });
		expect(await stub.addWebhook({ ...request, webhookId: 'whk_more' })).toMatchObject({ kind: 'added' });
	});

	test('are signed for by the new secret and, for a day after a rotation, by the one before it', async () => {
		const world = await openWithWebhooks(0);
		const { stub, start, heard, ringUntil } = world;
		const rotate = (secret: string, now: number) => stub.rotateSecret({ webhookId: 'whk_0', secret, now });
		const signedAt = async (now: number) => {
			await stub.testWebhook({ webhookId: 'whk_0', eventId: `evt_${now}`, now });
			await ringUntil(now, heard.length + 1);
			return heard.at(-1)?.secrets;
		};
		expect(await signedAt(start)).toEqual(['sealed']);
		expect(await rotate('second', start)).toMatchObject({ formerSecretUntil: start + FORMER_SECRET_MS });
		expect(await signedAt(start + FORMER_SECRET_MS - 1)).toEqual(['second', 'sealed']);
		await rotate('second', start + 9);
		expect(await signedAt(start + FORMER_SECRET_MS)).toEqual(['second']);
		await rotate('third', start + FORMER_SECRET_MS);
		expect(await signedAt(start + FORMER_SECRET_MS + 1)).toEqual(['third', 'second']);
		expect(FORMER_SECRET_MS).toBe(24 * HOUR_MS);
	});

	test('end with their account, which tells nobody that its jobs ended', async () => {
		const world = await openWithWebhooks(10);
		const { stub, start, heard, ring } = world;
		await complete(world);
		await stub.openJob(jobOf(start, [4], { jobId: 'job_2' }));
		await stub.close({ now: start });
		await ring(start);
		expect(await stub.findJob('job_2')).toMatchObject({ status: 'failed' });
		expect(heard).toEqual([]);
		expect(await stub.listWebhooks()).toEqual({ webhooks: [], creditsLowBelow: null });
		const request = { webhookId: 'whk_9', url: 'https://x.example/', events: [], now: start };
		expect(await stub.addWebhook({ ...request, secret: 'sealed' })).toEqual({
			kind: 'shut',
		});
	});
});

// The callback of one job: a delivery like that of a webhook, to the job's own URL.

const CALLBACK = { url: 'https://shop.example/done?list=7', secret: 'sealed' };

const completeCalled = (world: World, jobId = 'job_1', callback = CALLBACK) =>
	complete(world, jobId, world.start, { callback });

/** The delivery that the job shows, once no attempt is under way. */
const shown = async ({ stub }: World, status: string, jobId = 'job_1') =>
	eventually(async () => {
		const job = await stub.findJob(jobId);
		expect(job?.callbackDelivery).toMatchObject({ status });
		return job?.callbackDelivery;
	}, 5);

describe('the callback of a job', () => {
	test('is called once when the job ends, beside all webhooks, and the job shows what came of it', async () => {
		const world = await openWithWebhooks(10, 5);
		const { stub, start, heard, ring } = world;
		await stub.openJob(jobOf(start, [1], { callback: CALLBACK }));
		expect(await stub.findJob('job_1')).toMatchObject({ callbackUrl: CALLBACK.url, callbackDelivery: null });
		await completeCalled(world);
		await stub.completeJob({ jobId: 'job_1', now: start + 1 });
		const waiting = { id: 'job_1', kind: 'job.completed', status: 'waiting', attempts: 0, dueAt: start };
		expect(await shown(world, 'waiting')).toMatchObject(waiting);
		await ring(start);
		expect(await shown(world, 'delivered')).toMatchObject({ attempts: 1, lastCode: 200, dueAt: null });
		await eventually(() => expect(heard).toHaveLength(6), 5);
		const ours = heard.filter(({ url }) => url === CALLBACK.url);
		expect(ours).toMatchObject([{ eventId: 'job_1', secrets: ['sealed'] }]);
		expect(bodiesOf({ ...world, heard: ours })).toMatchObject([
			{ type: 'job.completed', data: { jobId: 'job_1', status: 'completed', callbackUrl: CALLBACK.url } },
		]);
		expect((await stub.listWebhooks()).webhooks).toHaveLength(5);
	});

	test('ends with a 410 that disables nothing, so the next job is told all the same', async () => {
		const world = await openWithWebhooks(10, 0);
		const { start, answers, ring, evict } = world;
		answers.answer = () => Promise.resolve(GONE);
		for (const jobId of ['job_1', 'job_2']) {
			await completeCalled(world, jobId);
			await evict();
			await ring(start);
			expect(await shown(world, 'failed', jobId)).toMatchObject({ attempts: 1, lastCode: 410 });
		}
		expect(world.told).toEqual([]);
	});
});

test('callbacks are signed with the first secret until it is renewed, then with both for a day', async () => {
	const world = await openWithWebhooks(10, 0);
	const { stub, start, heard, ring, answers } = world;
	answers.answer = () => Promise.resolve(OK);
	expect(await stub.callbackSecret()).toBeNull();
	await completeCalled(world, 'job_1');
	await completeCalled(world, 'job_2', { ...CALLBACK, secret: 'another' });
	await ring(start);
	await shown(world, 'delivered', 'job_2');
	expect(heard.map(({ secrets }) => secrets)).toEqual([['sealed'], ['sealed']]);
	const until = start + FORMER_SECRET_MS;
	for (let times = 0; times < 2; times += 1)
		expect(await stub.renewCallbackSecret({ secret: 'new', now: start })).toEqual({
			secret: 'new',
			formerSecret: 'sealed',
			formerSecretUntil: until,
		});
	const signing = async (jobId: string, now: number) => {
		await stub.openJob(jobOf(now, [], { kind: 'catchall', sourceJobId: 'job_1', jobId, callback: CALLBACK }));
		await ring(now);
		await shown(world, 'delivered', jobId);
		return heard.at(-1)?.secrets;
	};
	expect(await signing('cat_1', start)).toEqual(['new', 'sealed']);
	expect(await signing('cat_2', until)).toEqual(['new']);
});
