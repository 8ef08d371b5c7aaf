import { afterAll, expect, test } from 'vitest';
import type { Verdict } from '../../src/core/jobs/task-verdicts.ts';
import { expectSums } from '../support/sums.ts';
import { allRows, create, ended } from './access.ts';
import type { Access, Job, Task } from './access.ts';
import { expectNothingOff } from './books.ts';
import { expectExactCredits } from './credits.ts';
import { KilledService, order } from './killed-service.ts';

// Catch-all tasks whose service dies again and again.

const CRASHES = 8;
const TASKS = 2;
const CREDITS = 20_000;

const FIRST =
	'anna peter maria thomas laura martin julia stefan sandra daniel paul nina oscar clara felix emma leo ida hugo eva'.split(
		' ',
	);
const LAST =
	'schmidt becker wagner hoffmann novak rossi martinez kowalski dupont nilsson weber keller baker young king'.split(
		' ',
	);
/** What a catch-all domain of the sandbox comes to for well-shaped names. */
const VERDICTS = {
	'google-catch-all.test': 'valid',
	'parked.test': 'invalid',
	'catch-all.test': 'valid',
} as const;
const DOMAINS = Object.keys(VERDICTS) as (keyof typeof VERDICTS)[];
const catchAll = FIRST.flatMap((first, n) =>
	LAST.map((last, m) => `${first}.${last}@${DOMAINS[(n + m) % DOMAINS.length]}`),
);
const source = [...catchAll, 'ada@inbox.test', 'nobody@inbox.test'];

const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const service = new KilledService(seed);

afterAll(() => service.remove());

test(`tasks whose service is killed ${CRASHES} times end with every address once, every sum and every credit`, async () => {
	console.log(`CRASH_SEED=${seed}`);
	const first = await service.start(CREDITS);
	const sources = await Promise.all(
		Array.from({ length: TASKS }, async () => {
			const { id } = await create(first, '/v1/verify-batch', { emails: source });
			return ended<Job>(first, `/v1/jobs/${id}`);
		}),
	);
	for (const { statusCounts } of sources)
		expect(statusCounts).toMatchObject({ catchAll: catchAll.length, unknown: 0 });
	const { access, orders, interrupted } = await service.survive(first, {
		crashes: CRASHES,
		orders: TASKS,
		make: (way, nth) => order(way, '/v1/catchall', `task-${nth}`, { jobId: sources[nth % TASKS]?.jobId }),
		expectBooks: (state) => {
			const { verdictCounts, creditsUsed, creditsRefunded, processedEmails } = state as Task;
			const { valid = 0, invalid = 0, unknown = 0 } = verdictCounts;
			expect([valid + invalid, unknown]).toEqual([creditsUsed, creditsRefunded]);
			expect(valid + invalid + unknown).toBe(processedEmails);
		},
	});
	const back = Date.now();
	let unknown = 0;
	for (const { path } of orders) unknown += await expectWhole(access, path);
	console.log(
		`${orders.length} tasks, ${CRASHES} kills: ${interrupted} times a task was found unfinished; all done ${Date.now() - back} ms after the last kill; ${unknown} unknown`,
	);
	expect(interrupted).toBeGreaterThanOrEqual(6);
	const consumed = TASKS * source.length + orders.length * catchAll.length - unknown;
	await expectExactCredits(access, { purchased: CREDITS, consumed, refunded: unknown });
	await expectNothingOff(access.url);
});

/** Waits for the task's end and reads all of it; gives how many addresses are unknown. */
async function expectWhole(access: Access, path: string): Promise<number> {
	const task = await ended<Task>(access, path, `seed ${seed}`);
	const rows = await allRows<Verdict>(access, path, catchAll.length);
	expect(rows.map(({ email }) => email)).toEqual(catchAll);
	const counts = { valid: 0, invalid: 0, unknown: 0 };
	for (const row of rows) {
		expectSums(row);
		counts[row.verdict] += 1;
	}
	// While it dies, the Worker may outlive its mail world by a moment, and then finds nobody at home.
	const wrong = rows.filter(({ email, verdict }) => {
		const expected = VERDICTS[email.slice(email.indexOf('@') + 1) as keyof typeof VERDICTS];
		return verdict !== expected && verdict !== 'unknown';
	});
	expect(wrong).toEqual([]);
	expect(task).toMatchObject({
		processedEmails: catchAll.length,
		verdictCounts: counts,
		creditsUsed: counts.valid + counts.invalid,
		creditsRefunded: counts.unknown,
	});
	return counts.unknown;
}
