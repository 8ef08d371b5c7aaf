import { describe, expect, test } from 'vitest';
import { FORMER_SECRET_MS } from '../../src/core/webhooks/delivery.ts';
import { jobOf } from '../support/account-jobs.ts';
import { GONE, OK, bodiesOf, complete as completeJob, openWithWebhooks } from '../support/webhooks.ts';
import type { World } from '../support/webhooks.ts';
import { eventually } from '../support/patience.ts';

// The callback of one job: a delivery like that of a webhook, to the job's own URL.

const CALLBACK = { url: 'https://shop.example/done?list=7', secret: 'sealed' };

const complete = (world: World, jobId = 'job_1', callback = CALLBACK) =>
	completeJob(world, jobId, world.start, { callback });

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
		await complete(world);
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

	// How deliveries are tried again, and what of them survives a death: account-webhooks.test.ts.
	test('ends with a 410 that disables nothing, so the next job is told all the same', async () => {
		const world = await openWithWebhooks(10, 0);
		const { start, answers, ring, evict } = world;
		answers.answer = () => Promise.resolve(GONE);
		for (const jobId of ['job_1', 'job_2']) {
			await complete(world, jobId);
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
	await complete(world, 'job_1');
	await complete(world, 'job_2', { ...CALLBACK, secret: 'another' });
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
