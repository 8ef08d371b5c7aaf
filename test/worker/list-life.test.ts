import { beforeAll, describe, expect, test } from 'vitest';
import type { JobStatus, OpenJobRequest } from '../../src/operations/jobs/port.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { jobOf, settlementOf, sqlIn, tallyOf } from '../support/account-jobs.ts';
import { failsOnPurpose } from '../support/on-purpose.ts';
import { openWithWebhooks } from '../support/webhooks.ts';

// What people do with a list besides reading it: find it, rename it, be told that it is done.

failsOnPurpose();

/** An account that notes the mails it sends. */
async function openMailing() {
	const account = await openWithWebhooks(100, 0);
	const { stub } = account;
	const open = (more: Partial<OpenJobRequest> = {}) => stub.openJob(jobOf(account.start, [2], more));
	const complete = async (jobId = 'job_1', now = account.start) => {
		const settlement = settlementOf(0, 1, tallyOf({ deliverable: 1, unknown: 1 }), now);
		await stub.settlePart({ ...settlement, jobId });
		await stub.completeJob({ jobId, now });
	};
	return { ...account, mails: account.done, open, complete };
}

describe('the owner of a list is told by mail when it is done', () => {
	test('once, if it was asked for at the start', async () => {
		const { accountId, start, ring, nextAlarm, mails, open, complete } = await openMailing();
		await open({ mailWhenDone: true });
		await ring(start + MINUTE_MS);
		expect(mails).toEqual([]);
		await complete('job_1', start + 2 * MINUTE_MS);
		expect(await nextAlarm()).toBeLessThanOrEqual(start + 2 * MINUTE_MS);
		await ring(start + 2 * MINUTE_MS);
		expect(mails).toMatchObject([
			{ accountId, job: { jobId: 'job_1', status: 'completed', counts: { deliverable: 1, unknown: 1 } } },
		]);
		for (const minutes of [3, 10, 60, 40 * 60]) await ring(start + minutes * MINUTE_MS);
		expect(mails).toHaveLength(1);
	});

	test.each<[string, boolean, readonly boolean[], number, boolean?]>([
		['not, if nobody asked', false, [], 0],
		['if it was asked for while it ran', false, [true], 1],
		['not, if that was taken back', true, [false], 0],
		['once, if that was said again and again', true, [false, true, true], 1],
		['not, if it was asked for once it had ended', false, [], 0, true],
	])('%s', async (_, mailWhenDone, said, expected, saidLate = false) => {
		const { stub, start, ring, mails, open, complete } = await openMailing();
		const want = (wanted: boolean) => stub.setMailWhenDone({ jobId: 'job_1', wanted });
		await open({ mailWhenDone });
		for (const wanted of said) expect(await want(wanted)).toMatchObject({ mailWhenDone: wanted });
		await complete();
		if (saidLate) await want(true);
		await ring(start);
		expect(mails).toHaveLength(expected);
	});

	test('also of one that failed, or was finished early', async () => {
		const { stub, start, ring, mails, open } = await openMailing();
		await open({ mailWhenDone: true });
		await open({ jobId: 'job_2', mailWhenDone: true });
		await stub.failJob({ jobId: 'job_1', now: start, error: 'ours' });
		await stub.finishJob({ jobId: 'job_2', now: start });
		await stub.completeJob({ jobId: 'job_2', now: start });
		await ring(start);
		expect(mails.map(({ job }) => [job.jobId, job.status])).toEqual([
			['job_1', 'failed'],
			['job_2', 'completed'],
		]);
	});

	// When it is tried again, and until when: account-low-credits.test.ts.
	test('rather twice than never, if it dies before it has noted that the mail was taken', async () => {
		const { start, ring, mails, answers, open, complete } = await openMailing();
		answers.meanwhile = () => {
			answers.meanwhile = () => Promise.resolve();
			return Promise.reject(new Error('died'));
		};
		await open({ mailWhenDone: true });
		await complete();
		await ring(start);
		await ring(start + 5 * MINUTE_MS);
		await ring(start + HOUR_MS);
		expect(mails).toHaveLength(2);
	});

	test('not of a list that ran, or had ended, when the account was deleted', async () => {
		const { stub, start, ring, mails, answers, open, complete } = await openMailing();
		answers.mailFails = true;
		await open({ mailWhenDone: true });
		await complete();
		await ring(start);
		answers.mailFails = false;
		await open({ jobId: 'job_2', mailWhenDone: true });
		await stub.close({ now: start + MINUTE_MS });
		for (const minutes of [1, 6, 60]) await ring(start + minutes * MINUTE_MS);
		expect(mails).toEqual([]);
	});

	test('whatever is damaged in another list whose mail is due', async () => {
		const { stub, start, ring, nextAlarm, mails, open, complete } = await openMailing();
		for (const jobId of ['job_1', 'job_2']) {
			await open({ jobId, mailWhenDone: true });
			await complete(jobId);
		}
		await sqlIn(stub, "UPDATE jobs SET accepted = 9 WHERE jobId = 'job_1'");
		await ring(start);
		expect(mails.map(({ job }) => job.jobId)).toEqual(['job_2']);
		expect(await nextAlarm()).toBeLessThanOrEqual(start + 5 * MINUTE_MS);
	});
});

describe('lists are found', () => {
	const LONG = 'список покупателей за июль';
	type Found = (more: { status?: JobStatus; search?: string; page?: number }) => Promise<[string, number]>;
	let find: Found;

	beforeAll(async () => {
		const world = await openMailing();
		const { stub, start } = world;
		const made: [string, string | null][] = [
			['job_1', 'July 100%'],
			['job_2', 'july_2'],
			['job_3', null],
			['job_4', 'August'],
			['job_5', 'JULY'],
			['job_6', LONG.toUpperCase()],
		];
		for (const [n, [jobId, name]] of made.entries()) await world.open({ jobId, name, now: start + n });
		await world.complete('job_1');
		await world.complete('job_2');
		await stub.deleteResults({ jobId: 'job_2', now: start });
		await world.complete('job_6');
		await stub.renameJob({ jobId: 'job_6', name: `${LONG.toUpperCase()} ΟΔΟΣ` });
		await stub.failJob({ jobId: 'job_4', now: start, error: 'ours' });
		find = async (more) => {
			const request = { kind: 'verification', page: 1, pageSize: 2, ...more } as const;
			const { jobs, total } = await stub.listJobs(request);
			return [jobs.map(({ jobId }) => jobId.slice(4)).join(''), total];
		};
	});

	test.each<[string, Parameters<Found>[0], string, number]>([
		['newest first', {}, '65', 6],
		['without those that were deleted', { search: '' }, '65', 5],
		['page by page', { search: '', page: 2 }, '43', 5],
		['beyond the last page', { search: '', page: 4 }, '', 5],
		['that work', { status: 'processing' }, '53', 2],
		['that are done, also the deleted ones', { status: 'completed' }, '62', 3],
		['that failed', { status: 'failed' }, '4', 1],
		['by a part of the name, without regard to case', { search: 'july' }, '51', 2],
		['by signs that mean something to the database', { search: '%' }, '1', 1],
		['by an underscore', { search: 'y_2' }, '', 0],
		['by 25 letters of another script, in whatever case', { search: LONG }, '6', 1],
		['by the beginning of a word whose last letter has two forms', { search: 'Οδοσ' }, '6', 1],
		['by quotes', { search: "'; DROP TABLE jobs; --" }, '', 0],
		['by name and state', { search: 'JUL', status: 'processing' }, '5', 1],
	])('%s', async (_, asked, ids, total) => {
		expect(await find(asked)).toEqual([ids, total]);
	});
});

test('a list has the name that it was given last, however often it was said and whatever happened since', async () => {
	const { stub, start, evict, open, complete } = await openMailing();
	await open();
	for (const name of ['First', 'Second', 'Second']) await stub.renameJob({ jobId: 'job_1', name });
	await evict();
	expect(await stub.findJob('job_1')).toMatchObject({ name: 'Second', accepted: 2, creditsReserved: 2 });
	await complete('job_1', start + 1);
	expect(await stub.renameJob({ jobId: 'job_1', name: 'Third' })).toMatchObject({
		name: 'Third',
		status: 'completed',
		updatedAt: start + 1,
	});
	expect(await stub.renameJob({ jobId: 'job_9', name: 'Nobody’s' })).toBeNull();
	expect(await stub.setMailWhenDone({ jobId: 'job_9', wanted: true })).toBeNull();
});
