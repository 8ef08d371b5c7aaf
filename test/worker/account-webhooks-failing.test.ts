import { describe, expect, test } from 'vitest';
import { FAILING_MAX_MS, RETRY_DELAYS_MS } from '../../src/core/webhooks/delivery.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { jobOf } from '../support/account-jobs.ts';
import { BROKEN, GONE, OK, complete, openWithWebhooks } from '../support/webhooks.ts';
import { eventually } from '../support/patience.ts';

// Endpoints that fail.

const NEVER = new Promise<never>(() => {});

describe('an endpoint that fails', () => {
	test.each([
		[-1, null],
		[0, 'failing'],
	])(
		'is tried seven times by the table; after five days (%i ms) it is disabled: %s, and its owner is told once',
		async (early, because) => {
			const world = await openWithWebhooks(10);
			const { start, heard, told, answers, ring, ringUntil, webhook, deliveries } = world;
			answers.answer = () => Promise.resolve(BROKEN);
			await complete(world);
			await ringUntil(start, 1);
			let now = start;
			for (const [index, delay] of RETRY_DELAYS_MS.slice(0, -1).entries()) {
				now += delay;
				await ringUntil(now, index + 2);
			}
			expect(new Set(heard.map(({ eventId }) => eventId)).size).toBe(1);
			expect(await deliveries()).toMatchObject([{ status: 'waiting', attempts: 6, lastCode: 500 }]);
			expect(await webhook()).toMatchObject({ disabledAt: null, failingSince: start });
			const last = start + FAILING_MAX_MS + early;
			await complete(world, 'job_2', last - HOUR_MS);
			await ringUntil(last, heard.length + (because === null ? 2 : 1));
			expect(await webhook()).toMatchObject({ disabledBecause: because });
			await ring(last);
			await ring(last + HOUR_MS);
			const expected =
				because === null ? [] : [{ webhookId: 'whk_0', because, url: 'https://whk-0.example/' }];
			expect(told).toMatchObject(expected);
			expect(await deliveries()).toMatchObject([
				{ status: because === null ? 'waiting' : 'failed' },
				{ status: 'failed', attempts: 7 },
			]);
		},
	);

	test('with a 410 is disabled at once, and is enabled again by its owner', async () => {
		const world = await openWithWebhooks(10);
		const { stub, start, heard, told, answers, ring, ringUntil, webhook, deliveries } = world;
		answers.answer = () => Promise.resolve(GONE);
		await complete(world);
		await ringUntil(start, 1);
		expect(await webhook()).toMatchObject({ disabledAt: start, disabledBecause: 'gone' });
		expect(await deliveries()).toMatchObject([{ status: 'failed', lastCode: 410 }]);
		await ring(start);
		expect(told).toMatchObject([{ because: 'gone' }]);
		await complete(world, 'job_2');
		expect(await deliveries()).toHaveLength(1);
		answers.answer = () => Promise.resolve(OK);
		await stub.changeWebhook({ webhookId: 'whk_0', enabled: true, now: start });
		expect(await webhook()).toMatchObject({ disabledAt: null, disabledBecause: null, failingSince: null });
		await complete(world, 'job_3');
		await ringUntil(start, heard.length + 1);
		expect((await deliveries()).map(({ status }) => status).toSorted()).toEqual(['delivered', 'failed']);
	});

	test('that can not be tried by our own fault loses no attempt; once it works it is not failing any more', async () => {
		const world = await openWithWebhooks(10);
		const { start, answers, ringUntil, webhook, deliveries } = world;
		answers.answer = () => Promise.resolve({ kind: 'outage' });
		await complete(world);
		await ringUntil(start, 1);
		expect(await deliveries()).toMatchObject([{ attempts: 0, dueAt: start + MINUTE_MS }]);
		expect((await webhook())?.failingSince).toBeNull();
		answers.answer = () => Promise.resolve(BROKEN);
		await ringUntil(start + MINUTE_MS, 2);
		expect((await webhook())?.failingSince).toBe(start + MINUTE_MS);
		answers.answer = () => Promise.resolve(OK);
		await ringUntil(start + MINUTE_MS + 5_000, 3);
		expect((await webhook())?.failingSince).toBeNull();
	});

	test('slowly holds up neither the alarm nor another endpoint, and is asked one thing at a time', async () => {
		const world = await openWithWebhooks(10, 2);
		const { stub, start, heard, answers, ring, deliveries } = world;
		answers.answer = ({ webhookId }) => (webhookId === 'whk_0' ? NEVER : Promise.resolve(OK));
		await complete(world);
		await complete(world, 'job_2');
		await stub.openJob(jobOf(start, [1], { jobId: 'job_3' }));
		expect(await ring(start + 30_000)).toHaveLength(1);
		await eventually(async () =>
			expect((await deliveries('whk_1')).map(({ status }) => status)).toEqual(['delivered', 'delivered']),
		);
		await complete(world, 'job_4', start + 30_000);
		await ring(start + 30_001);
		await eventually(async () =>
			expect(await deliveries('whk_1')).toMatchObject([{ status: 'delivered' }, {}, {}]),
		);
		expect(heard.filter(({ webhookId }) => webhookId === 'whk_0')).toHaveLength(1);
	});
});
