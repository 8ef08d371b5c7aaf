import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { createJob } from '../../src/operations/jobs/start.ts';
import type { CreateJobRequest } from '../../src/operations/jobs/start.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { KEY } from '../support/account-jobs.ts';
import { jobWorld, listedAccount } from '../support/job-world.ts';
import type { JobWorld } from '../support/job-world.ts';
import { sum } from '../support/statistics.ts';
import { failsOnPurpose } from '../support/on-purpose.ts';

// Our own means fail here and there: what was answered stays answered, and only who was not asked is asked again.

failsOnPurpose();

/** One address at each of so many domains. */
const listOf = (domains: number): string[] =>
	Array.from({ length: domains }, (_, n) => `ada@d${String(n).padStart(4, '0')}.test`);

/** The same for the same text: a fault that a test can be run again with. */
function chance(text: string): number {
	let hash = 0x811c9dc5;
	for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

const noConnection = (): never => {
	throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
};

const asks = (world: JobWorld): number[] => [...world.asked.values()];

test('one connection in fifty that our way out fails at costs one in fifty questions more, and minutes at most', async () => {
	const emails = listOf(1_000);
	const world = await jobWorld(1_000, (email, nth) =>
		chance(`${email} ${nth}`) < 0.02 ? noConnection() : 'accepted_email',
	);
	const { jobId } = await world.submit(emails);
	const begun = world.clock.now;
	const job = await world.finish(jobId);
	expect(new Set(await world.expectExact(jobId, emails))).toEqual(new Set(['accepted_email']));
	expect(Math.max(...asks(world))).toBeLessThanOrEqual(4);
	expect(sum(asks(world))).toBeLessThan(1_000 * 1.05);
	expect((job.completedAt ?? Infinity) - begun).toBeLessThanOrEqual(3 * MINUTE_MS);
});

describe('a fault of ours that befalls one domain', () => {
	const EMAILS = listOf(40);
	const STRUCK = EMAILS[3] ?? '';
	const others = EMAILS.filter((email) => email !== STRUCK);

	test.each([
		['ends within a day is asked until it does, and answered', 5 * HOUR_MS, 'accepted_email'],
		['lasts longer gives the address back as unknown', 25 * HOUR_MS, 'no_capacity'],
	])('that %s', async (_, lastsMs, expected) => {
		let until = Infinity;
		let now = (): number => 0;
		const world = await jobWorld(40, (email) =>
			email === STRUCK && now() < until ? noConnection() : 'accepted_email',
		);
		now = () => world.clock.now;
		until = now() + lastsMs;
		const begun = now();
		const { jobId } = await world.submit(EMAILS);
		// It holds up nobody else: all others are answered, charged and shown at once.
		await world.drain();
		expect(await world.account.findJob(jobId)).toMatchObject({
			...{ status: 'processing', processed: 39, waiting: 1 },
			...{ creditsUsed: 39, creditsReserved: 1 },
		});
		await world.finish(jobId);
		expect((await world.expectExact(jobId, EMAILS))[3]).toBe(expected);
		expect(now() - begun).toBeLessThanOrEqual(24 * HOUR_MS + MINUTE_MS);
		for (const email of others) expect(world.asked.get(`${email} never`)).toBe(1);
		// Twice a turn, at pauses that grow to a quarter of an hour.
		expect(world.asked.get(`${STRUCK} never`)).toBeLessThan(250);
		// Nothing was written while nothing was learnt.
		expect(world.used.bucketWrites).toBeLessThan(40);
	});

	test('does not wait for what a mail server asked for, nor the other way round', async () => {
		const GREYLISTING = EMAILS[4] ?? '';
		const world = await jobWorld(40, (email, nth) => {
			if (email === STRUCK && nth <= 2) return noConnection();
			return email === GREYLISTING && nth <= 2 ? 'greylisted' : 'accepted_email';
		});
		const { jobId } = await world.submit(EMAILS);
		const begun = world.clock.now;
		const job = await world.finish(jobId);
		await world.expectExact(jobId, EMAILS);
		expect(world.asked.get(`${GREYLISTING} never`)).toBe(3);
		expect(world.asked.get(`${STRUCK} never`)).toBe(3);
		// The pauses of a small job, and nothing beside them.
		expect((job.completedAt ?? Infinity) - begun).toBeLessThanOrEqual(3_000 + 8_000 + 1_000);
	});
});

// One that lasts for longer than a day ends as that of one domain does.
test('no way out at all for ten minutes puts the job off, with a few attempts a part', async () => {
	const parts = 4;
	let back = Infinity;
	let now = (): number => 0;
	const world = await jobWorld(20 * parts, () => (now() < back ? noConnection() : 'accepted_email'));
	now = () => world.clock.now;
	back = now() + 10 * MINUTE_MS;
	const emails = listOf(20 * parts);
	const { jobId } = await world.submit(emails);
	await world.drain();
	// Each part tries until a dozen failed in a row.
	expect(sum(asks(world))).toBeLessThanOrEqual(2 * parts * 18);
	const job = await world.finish(jobId);
	expect(new Set(await world.expectExact(jobId, emails))).toEqual(new Set(['accepted_email']));
	expect((job.completedAt ?? 0) - back).toBeLessThanOrEqual(20 * MINUTE_MS);
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
