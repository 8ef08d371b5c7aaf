import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { ServiceError } from '../../src/errors.ts';
import { createJob } from '../../src/operations/jobs/start.ts';
import type { CreateJobRequest } from '../../src/operations/jobs/start.ts';
import type { VerifyPartServices } from '../../src/operations/jobs/verify-part.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { KEY } from '../support/account-jobs.ts';
import { jobWorld, listedAccount } from '../support/job-world.ts';
import type { JobWorld, MailWorld } from '../support/job-world.ts';
import { randomFrom } from '../support/random.ts';
import { wrapAll } from '../support/wrap.ts';
import { failsOnPurpose } from '../support/on-purpose.ts';

// Parts of the platform that fail now and then, or answer late; and clocks that jump. Each run has a seed, which a failure
// prints. Afterwards every address is there once, every credit is accounted for, and an audit finds nothing off.

const EMAILS = ['calm.test', 'greylisting.test', 'mixed.test'].flatMap((domain) =>
	Array.from({ length: 6 }, (_, n) => `user${n}@${domain}`),
);
const CREDITS = 100;

const MAIL: MailWorld = (email, nth) => {
	if (email.endsWith('@greylisting.test') && nth === 1) return 'greylisted';
	return email.endsWith('@mixed.test') ? 'rejected_email' : 'accepted_email';
};

failsOnPurpose();

/** What becomes of a call. `after`: it took effect, and its answer was lost. */
type Fate = 'works' | 'before' | 'after' | 'slow';
// Longer than a lease.
const SLOW_MS = 20_000;

/** Calls whose fate is drawn; the same draws give the same run. */
function troubled({ healthy, clock }: JobWorld, draw: () => Fate): VerifyPartServices {
	const wrap =
		<A extends readonly unknown[], R>(method: (...args: A) => Promise<R>) =>
		async (...args: A): Promise<R> => {
			const fate = draw();
			if (fate === 'slow') clock.now += SLOW_MS;
			if (fate === 'before') throw lost();
			const answer = await method(...args);
			if (fate === 'after') throw lost();
			return answer;
		};
	return {
		...healthy,
		accounts: (id) => wrapAll(healthy.accounts(id), (_, method) => wrap(method)),
		jobBlobs: wrapAll(healthy.jobBlobs, (_, method) => wrap(method)),
	};
}

/** As the clients of the object and the bucket say it. */
function lost(): ServiceError {
	return new ServiceError('upstream_unavailable', 'out for a moment');
}

/** The account's own ways out in its alarm: queue and bucket. */
async function troubleAlarm({ stub }: JobWorld, draw: () => Fate): Promise<void> {
	await runInDurableObject(stub, (account: Account) => {
		const { sendParts, deleteBlobs } = account.outside;
		const fails = (): boolean => ['before', 'after'].includes(draw());
		account.outside = {
			...account.outside,
			sendParts: (...about) => (fails() ? Promise.reject(lost()) : sendParts(...about)),
			deleteBlobs: (...about) => (fails() ? Promise.reject(lost()) : deleteBlobs(...about)),
		};
	});
}

/** Draws fates until the given number of them were not good. */
function fates(seed: number, troubles: number): () => Fate {
	const random = randomFrom(seed);
	let left = troubles;
	return () => {
		if (left === 0 || random() > 0.3) return 'works';
		left -= 1;
		return (['before', 'after', 'slow'] as const)[Math.floor(random() * 3)] ?? 'slow';
	};
}

async function accepted(world: JobWorld, services: VerifyPartServices): Promise<string> {
	for (let time = 0; time < 40; time += 1) {
		try {
			return (await world.submit(EMAILS, services)).jobId;
		} catch (error) {
			// The client asks again, with the same key.
			expect(error).toMatchObject({ code: 'upstream_unavailable' });
		}
	}
	throw new Error('no request came through');
}

test('bucket, database, queue and object that fail or are slow in three calls of ten delay a job, and cost neither an address nor a credit', async () => {
	await fc.assert(
		fc.asyncProperty(fc.nat({ max: 0xffffffff }), async (seed) => {
			const world = await jobWorld(CREDITS, MAIL);
			const draw = fates(seed, 30);
			const services = troubled(world, draw);
			await troubleAlarm(world, draw);
			const jobId = await accepted(world, services);
			expect((await world.finish(jobId, services)).status).toBe('completed');
			await world.expectExact(jobId, EMAILS);
		}),
		{ numRuns: 12 },
	);
});

/** The clock of the account's object alone. */
async function shiftObject({ stub, clock }: JobWorld, byMs: () => number): Promise<void> {
	await runInDurableObject(stub, (account: Account) => {
		account.outside = { ...account.outside, now: () => clock.now + byMs() };
	});
}

/** A list in mid-work: answered in part, a part in somebody's hands, the rest waiting. */
async function midway(): Promise<{ world: JobWorld; jobId: string }> {
	const world = await jobWorld(CREDITS, MAIL);
	const { jobId } = await world.submit(EMAILS);
	const [first] = world.queued();
	const lease = { jobId, part: first?.part ?? 0, token: 'lease_of_the_dead', leaseMs: 15_000 };
	await world.account.claimPart({ ...lease, now: world.clock.now });
	return { world, jobId };
}

describe('clocks that jump amid a job', () => {
	test.each([
		['back an hour', -HOUR_MS],
		['ahead a day', DAY_MS],
	])('%s, all of them, and stay there: the job is done within minutes by any clock', async (_, jump) => {
		const { world, jobId } = await midway();
		await world.drain();
		world.clock.now += jump;
		const jumped = world.clock.now;
		await world.drain();
		await world.finish(jobId);
		expect(world.clock.now - jumped).toBeLessThan(HOUR_MS + 10 * MINUTE_MS);
		await world.expectExact(jobId, EMAILS);
	});

	test.each([
		['an hour behind', -HOUR_MS],
		['a day ahead', DAY_MS],
	])('a consumer %s of everybody else holds a part up for no more than minutes', async (_, skew) => {
		const { world, jobId } = await midway();
		const odd: VerifyPartServices = {
			...world.healthy,
			clock: { ...world.healthy.clock, now: () => world.clock.now + skew },
		};
		// It takes what it can, and dies with one part in its hands.
		await world.drain(odd);
		const job = await world.account.inspectJob({ jobId, now: world.clock.now });
		const open = job?.parts.find(({ leaseUntil }) => leaseUntil === null)?.part ?? 0;
		const lease = { jobId, part: open, token: 'lease_of_the_odd', leaseMs: 15_000 };
		await world.account.claimPart({ ...lease, now: world.clock.now + skew });
		world.loseQueue();
		const begun = world.clock.now;
		await world.finish(jobId);
		expect(world.clock.now - begun).toBeLessThan(30 * MINUTE_MS);
		await world.expectExact(jobId, EMAILS);
	});

	test.each([
		['back an hour', -HOUR_MS, false, HOUR_MS + 10 * MINUTE_MS],
		['ahead a day', DAY_MS, false, DAY_MS + 10 * MINUTE_MS],
		['ahead a day, until an operator looks', DAY_MS, true, 20 * MINUTE_MS],
	])('the object’s alone, %s, for a while: the job goes on in time', async (_, jump, isRetried, withinMs) => {
		const { world, jobId } = await midway();
		let shift = jump;
		await shiftObject(world, () => shift);
		await world.drain();
		await runDurableObjectAlarm(world.stub);
		await world.drain();
		shift = 0;
		const begun = world.clock.now;
		if (isRetried) await world.account.retryJob({ jobId, now: begun });
		await world.finish(jobId);
		expect(world.clock.now - begun).toBeLessThan(withinMs);
		await world.expectExact(jobId, EMAILS);
	});
});

// Our own means fail here and there: what was answered stays answered, and only who was not asked is asked again.

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
