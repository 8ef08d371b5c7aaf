import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { encodeRows, tallyRows, toStoredRow } from '../../src/core/jobs/stored-row.ts';
import { decidedBy } from '../../src/core/verification/render.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { newId } from '../../src/lib/encodings.ts';
import { completeJob } from '../../src/operations/jobs/complete.ts';
import { RESULT_COLUMNS } from '../../src/core/csv/result-columns.ts';
import { NO_FILTER } from '../../src/core/jobs/report/listed-row.ts';
import { readRejected } from '../../src/operations/jobs/read-job.ts';
import { downloadResults } from '../../src/operations/jobs/download-results.ts';
import { stageUpload, startUpload } from '../../src/operations/uploads/uploads.ts';
import { jobBlobsOf } from '../../src/storage/jobs/blobs.ts';
import { uploadBlobsOf } from '../../src/storage/uploads.ts';
import { aloneAtWork } from '../support/unit/list-files.ts';
import { KEY, TIMING, TTL_MS, openAccount } from '../support/account-jobs.ts';

// A customer's file from upload to download, with the real account and the real bucket. The mail servers are left out.

const FACTS = {
	freeEmail: false,
	roleAccount: false,
	disposable: false,
	noReply: false,
	suggestedDomain: null,
};
const LIST = 'Name;E-Mail\r\nAda;Ada@x.test\r\nNo;\r\nCy;nobody\r\nada;ada@X.test\r\nDi;di@y.test\r\n';

const jobBlobs = jobBlobsOf(env.BLOBS);
const uploadBlobs = uploadBlobsOf(env.BLOBS);

function servicesAt(time: { now: number }) {
	return {
		accounts: accountsOf(env.ACCOUNT),
		clock: { now: () => time.now, sleep: () => Promise.resolve() },
		newId,
		jobBlobs,
		uploadBlobs,
		fileWork: aloneAtWork,
		jobTiming: TIMING,
		sendParts: () => Promise.resolve(),
		listJob: () => Promise.resolve(true),
		requireProber: () => {},
	};
}

/** What the queue's consumer does when every mail server says yes. */
async function workThrough(accountId: string, jobId: string, now: number): Promise<void> {
	const account = accountsOf(env.ACCOUNT)(accountId);
	const { parts = 0 } = (await account.findJob(jobId)) ?? {};
	for (let part = 0; part < parts; part += 1) {
		const input = JSON.parse((await jobBlobs.readPart(jobId, part)) ?? '[]') as [number, string][];
		const rows = input.map(([index, email]) =>
			toStoredRow(index, { email }, FACTS, decidedBy('smtp', 'accepted_email'), now),
		);
		await account.claimPart({ jobId, part, token: 'lease', now, leaseMs: 60_000 });
		await jobBlobs.putAttempt(jobId, part, 1, encodeRows(rows));
		await account.settlePart({ jobId, part, attempt: 1, tally: tallyRows(rows), dueAt: null, now });
	}
}

test('a file submitted three times at once is one job, and its results go back to each of its rows', async () => {
	const { accountId, start, balance, ring } = await openAccount(10);
	const time = { now: start };
	const services = servicesAt(time);
	const account = accountsOf(env.ACCOUNT)(accountId);
	const owner = { accountId, keyId: KEY.id };
	const octets = new TextEncoder().encode(LIST);
	const { uploadId } = await stageUpload(services, owner, { name: 'July.csv', octets });
	expect(await balance()).toMatchObject({ reservedCredits: 0 });

	// Other tests may share the bucket.
	const jobsInBucket = async () =>
		(await env.BLOBS.list({ prefix: 'jobs/', delimiter: '/' })).delimitedPrefixes;
	const others = await jobsInBucket();
	const submit = () => startUpload(services, owner, { uploadId });
	const submitted = await Promise.all([submit(), submit(), submit()]);
	const { jobId } = await submit();
	expect(new Set(submitted.map((started) => started.jobId))).toEqual(new Set([jobId]));
	expect(submitted.filter(({ alreadyStarted }) => !alreadyStarted)).toHaveLength(1);
	expect(await balance()).toMatchObject({ availableCredits: 8, reservedCredits: 2 });
	// Of the two that came too late, nothing is left.
	expect((await jobsInBucket()).filter((name) => !others.includes(name))).toEqual([`jobs/${jobId}/`]);

	await workThrough(accountId, jobId, time.now);
	await completeJob(services, owner, { jobId });
	const job = await account.findJob(jobId);
	expect(job).toMatchObject({ status: 'completed', submitted: 5, accepted: 2, duplicates: 1, invalid: 2 });
	expect(await balance()).toMatchObject({ availableCredits: 8, reservedCredits: 0, totalConsumed: 2 });
	expect(await uploadBlobs.rowsOfOriginal(jobId)).toBe(5);
	// Numbered as in the file, with its header.
	const { rejected } = await readRejected(services, { job: job!, page: 1, limit: 9 });
	expect(rejected.map(({ inFile }) => inFile)).toEqual([
		{ row: 3, duplicateOf: null },
		{ row: 4, duplicateOf: null },
		{ row: 5, duplicateOf: 2 },
	]);
	const download = {
		job: job!,
		filter: NO_FILTER,
		repeats: 'kept',
		columns: RESULT_COLUMNS,
		format: 'csv',
	} as const;
	const { fileName, body } = await downloadResults(services, download);
	const lines = (await new Response(body).text()).split('\r\n');
	expect(fileName).toBe('July-verified.csv');
	expect(lines.map((line) => line.split(';').slice(0, 5).join(';'))).toEqual([
		'Name;E-Mail;status;sub_status;score',
		'Ada;Ada@x.test;deliverable;accepted_email;97',
		'No;;;;',
		'Cy;nobody;malformed;no_at_sign;',
		'ada;ada@X.test;deliverable;accepted_email;97',
		'Di;di@y.test;deliverable;accepted_email;97',
		'',
	]);

	time.now = start + TTL_MS;
	await expect(downloadResults(services, download)).rejects.toMatchObject({ code: 'results_expired' });
	await ring(time.now);
	expect((await env.BLOBS.list({ prefix: `jobs/${jobId}/` })).objects).toEqual([]);
	expect(await uploadBlobs.rowsOfOriginal(jobId)).toBeNull();
});
