import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import { readRejected } from '../../src/operations/jobs/read-job.ts';
import {
	discardUpload,
	listUploads,
	previewUpload,
	stageUpload,
	startUpload,
} from '../../src/operations/uploads/uploads.ts';
import type { StartUploadRequest } from '../../src/operations/uploads/uploads.ts';
import { uploadBlobsOf } from '../../src/storage/uploads.ts';
import { KEY } from '../support/account-jobs.ts';
import { jobWorld } from '../support/job-world.ts';
import { aloneAtWork, fileOf } from '../support/unit/list-files.ts';

// A customer's file from upload to its end, with the real account and the real bucket. How its rows come back:
// test/unit/operations/jobs/download-results.test.ts, and with real mail servers test/browser/story.test.ts.

const LIST = 'name;email\nAda;Ada@x.test\nNo;\nCy;nobody\nada;ada@x.test\nDi;di@x.test\n';

/** An account with a list that waits. */
async function staged(credits = 100) {
	const world = await jobWorld(credits, () => 'accepted_email');
	const { accountId, clock, stub } = world;
	const owner = { accountId, keyId: KEY.id };
	const uploadBlobs = uploadBlobsOf(env.BLOBS);
	const services = { ...world.launching(), uploadBlobs, fileWork: aloneAtWork };
	const stage = (list = LIST, name = 'July.csv') =>
		stageUpload(services, owner, { name, octets: fileOf(list) });
	const upload = await stage();
	const { uploadId } = upload;
	// What the bucket holds of this account.
	const prefixes = {
		uploads: `uploads/${accountId}/`,
		jobs: `${accountId.replace('acc_world', 'jobs/job')}_`,
	};
	const objects = async (of: keyof typeof prefixes) =>
		(await env.BLOBS.list({ prefix: prefixes[of] })).objects;
	return {
		...world,
		services,
		uploadBlobs,
		upload,
		uploadId,
		stage,
		objects,
		later: (ms: number) => void (clock.now += ms),
		balance: async () => (await stub.show()).balance,
		preview: (column?: number) =>
			previewUpload(services, owner, { uploadId, ...(column === undefined ? {} : { column }) }),
		start: (more: Partial<StartUploadRequest> = {}) => startUpload(services, owner, { uploadId, ...more }),
		discard: () => discardUpload(services, owner, { uploadId }),
		listed: async () => (await listUploads(services, owner)).map((listed) => listed.uploadId),
	};
}

type World = Awaited<ReturnType<typeof staged>>;

const out = () => Promise.reject(new Error('the bucket is out'));

const coded = (code: string, message: RegExp) => ({ code, message: expect.stringMatching(message) });

describe('an upload waits until it is started', () => {
	test('nothing is charged or begun by it', async () => {
		const { upload, clock, balance, queued } = await staged();
		const { length } = LIST;
		expect(upload).toMatchObject({ fileName: 'July.csv', octets: length, stagedAt: clock.now, jobId: null });
		expect(upload.inspection).toMatchObject({ column: 1, rows: 5, hasHeader: true });
		expect([(await balance()).reservedCredits, queued()]).toEqual([0, []]);
	});

	test('a file that is no list is refused and nothing of it is kept; a name longer than a job may have is cut', async () => {
		const { stage, objects } = await staged();
		const before = await objects('uploads');
		const refusal = coded('unusable_file', /Excel workbook is damaged/);
		await expect(stage('PK\x03\x04')).rejects.toMatchObject(refusal);
		expect(await objects('uploads')).toHaveLength(before.length);
		expect((await stage(LIST, 'x'.repeat(300))).fileName).toHaveLength(255);
	});

	test('the preview says what the job would hold and cost', async () => {
		const { preview } = await staged();
		expect(await preview()).toMatchObject({
			credits: 2,
			choice: { column: 1, hasHeader: true },
			counts: { rows: 5, addresses: 2, duplicates: 1, malformed: 1, empty: 1 },
		});
		expect(await preview(0)).toMatchObject({ credits: 0 });
	});

	test('for 24 hours, and is listed so long', async () => {
		const { uploadId, stage, start, preview, listed, later } = await staged();
		const { uploadId: second } = await stage();
		expect((await listed()).toSorted()).toEqual([uploadId, second].toSorted());
		later(24 * HOUR_MS - 1);
		expect(await preview()).toMatchObject({ credits: 2 });
		expect(await start({ uploadId: second })).toMatchObject({ alreadyStarted: false });
		expect(await listed()).toEqual([uploadId]);
		later(1);
		const refusal = coded('upload_expired', /Upload the file again/);
		await expect(preview()).rejects.toMatchObject(refusal);
		await expect(start()).rejects.toMatchObject(refusal);
		expect(await listed()).toEqual([]);
	});
});

describe('an upload that is discarded', () => {
	test('is gone with its file, however often it is discarded', async () => {
		const { start, discard, objects } = await staged();
		expect(await discard()).toBe('discarded');
		expect(await objects('uploads')).toEqual([]);
		expect(await discard()).toBe('none');
		await expect(start()).rejects.toMatchObject(coded('upload_not_found', /Upload the file again/));
	});

	test('too late, when it was started: the list goes on and its file stays beside it', async () => {
		const { start, discard, uploadBlobs } = await staged();
		const { jobId } = await start();
		expect(await discard()).toBe('started');
		expect(await start()).toEqual({ jobId, alreadyStarted: true });
		expect(await uploadBlobs.readOriginal(jobId)).not.toBeNull();
	});
});

describe('a started upload is one job', () => {
	test('of the addresses in the chosen column, which knows its rows, however often it is submitted at once; it takes its file along when it ends', async () => {
		const { accountId, uploadId, uploadBlobs, services, account, clock, ...world } = await staged();
		const { start, preview, balance, objects, queued } = world;
		const submitted = await Promise.all([start(), start(), start()]);
		// Not even with another column.
		const { jobId } = await start({ column: 0 });
		expect(new Set(submitted.map((started) => started.jobId))).toEqual(new Set([jobId]));
		expect(submitted.filter(({ alreadyStarted }) => !alreadyStarted)).toHaveLength(1);
		expect(await balance()).toMatchObject({ availableCredits: 98, reservedCredits: 2 });
		// Of the two that came too late, nothing is left.
		const jobs = (await objects('jobs')).map(({ key }) => key.split('/')[1]);
		expect(new Set(jobs)).toEqual(new Set([jobId]));
		expect(queued()).toEqual([{ accountId, jobId, part: 0 }]);
		const counts = { accepted: 2, duplicates: 1, invalid: 2 };
		// As many as the file has rows, the one without an address included.
		const opened = { ...counts, submitted: 5, name: 'July.csv', keyId: KEY.id, rescuesCatchAll: true };
		expect(await account.findJob(jobId)).toMatchObject(opened);

		// The file is beside the job from now on, and no longer among the uploads.
		expect(await uploadBlobs.read(accountId, uploadId)).toBeNull();
		expect(await uploadBlobs.findOriginal(jobId)).toMatchObject({ column: 1, hasHeader: true, columns: 2 });
		await expect(preview()).rejects.toMatchObject(coded('upload_started', /started/));

		const job = await world.finish(jobId);
		expect(job).toMatchObject({ status: 'completed', ...counts });
		expect(await balance()).toMatchObject({ availableCredits: 98, reservedCredits: 0, totalConsumed: 2 });
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
		expect(await objects('jobs')).toEqual([]);
		expect(await uploadBlobs.rowsOfOriginal(jobId)).toBeNull();
	});

	test('also after a crash between the job and the note of it', async () => {
		const { start, uploadBlobs, balance } = await staged();
		uploadBlobs.markStarted = out;
		const { jobId } = await start();
		expect(await start()).toEqual({ jobId, alreadyStarted: true });
		expect(await balance()).toMatchObject({ reservedCredits: 2 });
	});
});

const withoutProber = ({ services }: World) =>
	(services.requireProber = () => {
		throw new ServiceError('upstream_unavailable', 'no egress');
	});
const keeping =
	(keep: () => Promise<boolean>) =>
	({ uploadBlobs }: World) =>
		(uploadBlobs.keepForJob = keep);
const taken = () => Promise.resolve(false);
const noColumn = /^The column “name” holds no well-formed address\. Choose another column\.$/;
test.each<[string, object, Partial<StartUploadRequest>?, ((world: World) => unknown)?]>([
	['too few credits', coded('insufficient_credits', /1 available/)],
	['no way out to mail servers', coded('upstream_unavailable', /no egress/), {}, withoutProber],
	['a column without a single address', coded('no_valid_emails', noColumn), { column: 0 }],
	['a column that is not there', coded('unusable_file', /2 columns/), { column: 7 }],
	['a bucket that fails before the job exists', { message: 'the bucket is out' }, {}, keeping(out)],
	['a file that another submission took away', coded('upload_started', /started/), {}, keeping(taken)],
])('a job that can not be begun leaves everything as it was: %s', async (what, refusal, more, breakIt) => {
	const world = await staged(what === 'too few credits' ? 1 : 100);
	const { accountId, uploadId, uploadBlobs, start, balance, objects, queued } = world;
	breakIt?.(world);
	await expect(start(more)).rejects.toMatchObject(refusal);
	expect([await objects('jobs'), queued()]).toEqual([[], []]);
	expect(await balance()).toMatchObject({ reservedCredits: 0, totalConsumed: 0 });
	expect(await uploadBlobs.find(accountId, uploadId)).toMatchObject({ jobId: null });
	expect(await uploadBlobs.read(accountId, uploadId)).not.toBeNull();
});
