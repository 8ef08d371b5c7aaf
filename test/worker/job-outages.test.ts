import { expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { createJob } from '../../src/operations/jobs/start.ts';
import type { CreateJobRequest } from '../../src/operations/jobs/start.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { KEY } from '../support/account-jobs.ts';
import { jobWorld, listedAccount } from '../support/job-world.ts';
import { failsOnPurpose } from '../support/on-purpose.ts';

// Our own means fail here and there: what was answered stays answered, and only who was not asked is asked again.

failsOnPurpose();

/** One address at each of so many domains. */
const listOf = (domains: number): string[] =>
	Array.from({ length: domains }, (_, n) => `ada@d${String(n).padStart(4, '0')}.test`);

const noConnection = (): never => {
	throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
};

test.each([
	['ends within a day is asked until it does, and answered', 2 * HOUR_MS, 'accepted_email'],
	['lasts longer gives the address back as unknown', 25 * HOUR_MS, 'no_capacity'],
])('a fault of ours that befalls one domain and %s', async (_, lastsMs, expected) => {
	const emails = listOf(40);
	const struck = emails[3] ?? '';
	let until = Infinity;
	let now = (): number => 0;
	const world = await jobWorld(40, (email) =>
		email === struck && now() < until ? noConnection() : 'accepted_email',
	);
	now = () => world.clock.now;
	until = now() + lastsMs;
	const begun = now();
	const { jobId } = await world.submit(emails);
	// It holds up nobody else: all others are answered, charged and shown at once.
	await world.drain();
	expect(await world.account.findJob(jobId)).toMatchObject({
		...{ status: 'processing', processed: 39, waiting: 1 },
		...{ creditsUsed: 39, creditsReserved: 1 },
	});
	await world.finish(jobId);
	expect((await world.expectExact(jobId, emails))[3]).toBe(expected);
	expect(now() - begun).toBeLessThanOrEqual(24 * HOUR_MS + MINUTE_MS);
	for (const email of emails) if (email !== struck) expect(world.asked.get(`${email} never`)).toBe(1);
	// Twice a turn, at pauses that grow to a quarter of an hour.
	expect(world.asked.get(`${struck} never`)).toBeLessThan(250);
	// Nothing was written while nothing was learnt.
	expect(world.used.bucketWrites).toBeLessThan(40);
});

test('a database that is out for hours delays no list: it comes in, is charged and completed, and is listed afterwards', async () => {
	const emails = listOf(100);
	const world = await jobWorld(100, (_, nth) => (nth === 1 ? 'greylisted' : 'accepted_email'));
	world.out.database = true;
	const { jobId } = await world.submit(emails);
	const begun = world.clock.now;
	const isRunning = async () => (await world.account.findJob(jobId))?.status === 'processing';
	for (await world.drain(); await isRunning(); await world.drain()) await world.advance();
	expect(world.clock.now - begun).toBeLessThanOrEqual(2 * MINUTE_MS);
	while (world.clock.now < begun + 120 * MINUTE_MS) await world.advance();
	expect(await listedAccount(jobId)).toBeNull();
	expect(await world.stub.check()).toEqual([]);
	world.out.database = false;
	expect(new Set(await world.expectExact(jobId, emails))).toEqual(new Set(['accepted_email']));
});

test('a repeated list gets its first answer, to the byte, without the bucket and without a prober; a new one is refused', async () => {
	const emails = listOf(100);
	const world = await jobWorld(300, () => 'accepted_email');
	const requireProber = (): never => {
		throw new ServiceError('upstream_unavailable', 'No prober is configured');
	};
	const services = { ...world.launching(), requireProber };
	const again = (more: Partial<CreateJobRequest> = {}) =>
		createJob(
			services,
			{ accountId: world.accountId, keyId: KEY.id },
			{ emails, name: null, rescuesCatchAll: false, idempotencyKey: 'once', ...more },
		);
	const first = await world.submit(emails, world.healthy, 'once');
	world.out.bucket = true;
	expect(await again()).toEqual({ ...first, replayed: true });
	await expect(again({ name: 'July' })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
	await expect(again({ idempotencyKey: 'twice' })).rejects.toThrow('No prober');
	world.out.bucket = false;
	await world.finish(first.jobId);
	expect(await again()).toEqual({ ...first, replayed: true });
	expect(new Set(await world.expectExact(first.jobId, emails))).toEqual(new Set(['accepted_email']));
});
