import { afterAll, expect, test } from 'vitest';
import { shopAddresses } from '../sandbox/shops.ts';
import { allRows, ended } from './access.ts';
import type { Access, Job } from './access.ts';
import { expectNothingOff } from './books.ts';
import { expectExactCredits } from './credits.ts';
import { KilledService, order } from './killed-service.ts';

// Bulk jobs whose service dies again and again.

const CRASHES = 10;
const JOBS = 3;
// Enough for some seconds of work, so that a kill finds most jobs unfinished.
const ADDRESSES = 2_500;
const CREDITS = 50_000;
// A lease that a dead consumer left behind lasts 15 s.

interface Row {
	readonly email: string;
	readonly status: string;
}

// CRASH_SEED=… repeats a run's moments, if not the machine's.
const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const service = new KilledService(seed);

afterAll(() => service.remove());

const sample = shopAddresses(ADDRESSES);
const emails = sample.map(({ address }) => address);

test(`jobs whose service is killed ${CRASHES} times end with every address once and every credit`, async () => {
	console.log(`CRASH_SEED=${seed}`);
	const { access, orders, interrupted } = await service.survive(await service.start(CREDITS), {
		crashes: CRASHES,
		orders: JOBS,
		make: (way, nth) => order(way, '/v1/verify-batch', `crash-${nth}`, { emails, name: `job ${nth}` }),
		expectBooks: (state) => {
			const { creditsReserved, creditsUsed, creditsRefunded } = state as Job;
			expect(creditsReserved + creditsUsed + creditsRefunded).toBe(ADDRESSES);
		},
	});
	const back = Date.now();
	let unknown = 0;
	for (const { path } of orders) unknown += await expectWhole(access, path);
	console.log(
		`${orders.length} jobs, ${CRASHES} kills: ${interrupted} times a job was found unfinished; all done ${Date.now() - back} ms after the last kill`,
	);
	expect(interrupted).toBeGreaterThanOrEqual(CRASHES);
	const consumed = orders.length * ADDRESSES - unknown;
	await expectExactCredits(access, { purchased: CREDITS, consumed, refunded: unknown });
	await expectNothingOff(access.url);
});

/** Waits for the job's end and reads all of it; gives how many addresses are unknown. */
async function expectWhole(access: Access, path: string): Promise<number> {
	const job = await ended<Job>(access, path, `seed ${seed}`);
	const rows = await allRows<Row>(access, path, ADDRESSES);
	expect(rows.map(({ email }) => email)).toEqual(emails);
	// While it dies, the Worker may outlive its mail world by a moment, and then finds nobody at home.
	const wrong = rows.filter(
		({ status }, index) => status !== sample[index]?.expect.status && status !== 'unknown',
	);
	expect(wrong).toEqual([]);
	const unknown = rows.filter(({ status }) => status === 'unknown').length;
	expect(job).toMatchObject({
		processedEmails: ADDRESSES,
		creditsReserved: 0,
		creditsUsed: ADDRESSES - unknown,
		creditsRefunded: unknown,
		statusCounts: { unknown },
	});
	return unknown;
}
