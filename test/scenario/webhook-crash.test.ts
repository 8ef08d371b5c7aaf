import { afterAll, expect, test } from 'vitest';
import { call } from '../support/service.ts';
import { Receiver } from '../support/receiver.ts';
import { ended } from './access.ts';
import type { Job } from './access.ts';
import { expectNothingOff } from './books.ts';
import { KilledService, order } from './killed-service.ts';
import { eventually } from '../support/patience.ts';

// Events of a service that dies again and again, at an endpoint that takes its time to answer.

const CRASHES = 6;
const JOBS = 3;
const CREDITS = 5_000;
const emails = Array.from({ length: 40 }, (_, n) => `user${n}@inbox.test`);

const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const service = new KilledService(seed);
const receiver = new Receiver();

afterAll(async () => {
	await receiver.kill();
	await service.remove();
});

test(`jobs whose service is killed ${CRASHES} times are each told at least once, always with one id`, async () => {
	console.log(`CRASH_SEED=${seed}`);
	await receiver.start();
	receiver.slowMs = 400;
	const first = await service.start(CREDITS);
	const added = await call(first.url, first.apiKey, 'POST', '/v1/webhooks', { url: receiver.url });
	const { webhookId, secret } = (added.body as { data: { webhookId: string; secret: string } }).data;
	const { access, orders } = await service.survive(first, {
		crashes: CRASHES,
		orders: JOBS,
		make: (way, nth) => order(way, '/v1/verify-batch', `job-${nth}`, { emails }),
		expectBooks: () => {},
	});
	for (const { path } of orders) await ended<Job>(access, path, `seed ${seed}`);
	const jobIds = orders.map(({ path }) => path.split('/').at(-1) ?? '');
	const toldOf = (jobId: string) =>
		receiver.verified(secret).filter(({ data, type }) => type === 'job.completed' && data['jobId'] === jobId);
	await eventually(() => {
		for (const jobId of jobIds) expect(toldOf(jobId).length, jobId).toBeGreaterThan(0);
	}, 300);
	for (const jobId of jobIds) expect(new Set(toldOf(jobId).map(({ id }) => id)).size, jobId).toBe(1);
	await eventually(async () => {
		const sent = await call(
			access.url,
			access.apiKey,
			'GET',
			`/v1/webhooks/${webhookId}/deliveries?limit=500`,
		);
		const { deliveries } = (sent.body as { data: { deliveries: readonly { status: string }[] } }).data;
		expect(deliveries.map(({ status }) => status)).toEqual(jobIds.map(() => 'delivered'));
	}, 300);
	console.log(`${jobIds.length} jobs, ${CRASHES} kills: ${receiver.received.length} events arrived`);
	await expectNothingOff(access.url);
});
