import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newId } from '../../src/lib/encodings.ts';
import { readRejected } from '../../src/operations/jobs/read-job.ts';
import { stageUpload, startUpload } from '../../src/operations/uploads/uploads.ts';
import { uploadBlobsOf } from '../../src/storage/uploads.ts';
import { aloneAtWork } from '../support/unit/list-files.ts';
import { KEY } from '../support/account-jobs.ts';
import { jobWorld } from '../support/job-world.ts';

// A customer's file from upload to its end, with the real account and the real bucket. How its rows come back:
// test/unit/operations/jobs/download-results.test.ts, and with real mail servers test/browser/story.test.ts.

const LIST = 'Name;E-Mail\r\nAda;Ada@x.test\r\nNo;\r\nCy;nobody\r\nada;ada@X.test\r\nDi;di@y.test\r\n';
const uploadBlobs = uploadBlobsOf(env.BLOBS);

test('a file submitted three times at once is one job, which knows its rows, and takes it along when it ends', async () => {
	const world = await jobWorld(10, () => 'accepted_email');
	const { accountId, clock, stub } = world;
	const services = { ...world.launching(), newId, uploadBlobs, fileWork: aloneAtWork };
	const owner = { accountId, keyId: KEY.id };
	const balance = async () => (await stub.show()).balance;
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

	const job = await world.finish(jobId);
	expect(job).toMatchObject({ status: 'completed', submitted: 5, accepted: 2, duplicates: 1, invalid: 2 });
	expect(await balance()).toMatchObject({ availableCredits: 8, reservedCredits: 0, totalConsumed: 2 });
	expect(await uploadBlobs.rowsOfOriginal(jobId)).toBe(5);
	// Numbered as in the file, with its header.
	const { rejected } = await readRejected(services, { job, page: 1, limit: 9 });
	expect(rejected.map(({ inFile }) => inFile)).toEqual([
		{ row: 3, duplicateOf: null },
		{ row: 4, duplicateOf: null },
		{ row: 5, duplicateOf: 2 },
	]);

	clock.now = job.resultsExpiresAt ?? 0;
	await world.advance();
	expect((await env.BLOBS.list({ prefix: `jobs/${jobId}/` })).objects).toEqual([]);
	expect(await uploadBlobs.rowsOfOriginal(jobId)).toBeNull();
});
