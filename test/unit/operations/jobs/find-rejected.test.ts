import { expect, test } from 'vitest';
import { cleanList, RejectedElements } from '../../../../src/core/jobs/clean-list.ts';
import { readRejected } from '../../../../src/operations/jobs/read-job.ts';
import type { JobRecord } from '../../../../src/operations/jobs/port.ts';
import { jobBlobsOf } from '../../../../src/storage/jobs/blobs.ts';
import { MemoryBucket } from '../../../support/unit/memory-bucket.ts';

/** A list of which every third element is malformed, and every third repeats the one before. */
async function listWith(rows: number) {
	const emails = Array.from({ length: rows }, (_, n) =>
		n % 3 === 1 ? `broken${n}` : `a${n - (n % 3)}@x.test`,
	);
	const rejected = new RejectedElements();
	const { duplicates, invalid } = cleanList(emails, rejected);
	const jobBlobs = jobBlobsOf(new MemoryBucket().r2);
	await jobBlobs.putRejected('job_1', rejected.pages(emails));
	const job = { jobId: 'job_1', duplicates, invalid, resultsExpiresAt: null } as JobRecord;
	const services = { clock: { now: () => 0, sleep: () => Promise.resolve() }, jobBlobs };
	return { job, services };
}

test.each([
	['malformed', 1],
	['duplicate', 2],
] as const)('every row that is %s is on one page, in the order of the list', async (reason, offset) => {
	const { job, services } = await listWith(3_000);
	const found: number[] = [];
	for (let page = 1; page <= 11; page += 1) {
		const { rejected, pagination } = await readRejected(services, { job, reason, page, limit: 100 });
		expect(pagination.total).toBe(1_000);
		expect(rejected.every((one) => one.reason === reason)).toBe(true);
		expect(rejected).toHaveLength(page === 11 ? 0 : 100);
		found.push(...rejected.map(({ index }) => index));
	}
	expect(found).toEqual(Array.from({ length: 1_000 }, (_, n) => 3 * n + offset));
});
