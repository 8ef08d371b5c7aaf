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
import { aloneAtWork, collected, fileOf, inspected, utf16be } from '../support/unit/list-files.ts';

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

// Uploaded files in the bucket, and what of the platform the reading of files depends on.

const bucket = uploadBlobsOf(env.BLOBS);
let ids = 0;
const bare = {
	uploadBlobs: bucket,
	fileWork: aloneAtWork,
	newId: (prefix: string) => `${prefix}_${(ids += 1)}`,
	clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
};
const stageFor = (accountId: string, octets: Uint8Array) =>
	stageUpload(bare, { accountId }, { name: 'l.csv', octets });

const row = (n: number) => `${n};Käthe Müller;user${n}@d${n % 700}.test;"${'lorem ipsum; '.repeat(28)}"\r\n`;

async function bytesOf(file: AsyncIterable<Uint8Array> | null): Promise<Uint8Array | null> {
	if (file === null) return null;
	const pieces = await collected(file);
	return new Uint8Array(await new Blob([...pieces]).arrayBuffer());
}

test('what was staged is found, octet by octet, by its own account alone', async () => {
	const file = fileOf('email\nä@x.test\nb@x.test\n');
	const upload = await stageFor('acc_a', file);
	expect(await bucket.find('acc_a', upload.uploadId)).toEqual(upload);
	expect(await bytesOf(await bucket.read('acc_a', upload.uploadId))).toEqual(file);
	expect(await bucket.find('acc_b', upload.uploadId)).toBeNull();
	expect(await bucket.read('acc_b', upload.uploadId)).toBeNull();
});

test.each(['', '../acc_a/upl_1', 'upl_1/file', 'upl 1', 'x'.repeat(65), 'UPL_1'])(
	'an id such as %j finds nothing',
	async (id) => {
		expect(await bucket.find('acc_a', id)).toBeNull();
	},
);

test('those that wait are listed, and go one by one or with their account, and no others do', async () => {
	const four = [];
	for (const name of ['a', 'b', 'c', 'd']) four.push(await stageFor('acc_g', fileOf(`${name}@x.test\n`)));
	const [first, second, third, fourth] = four.map(({ uploadId }) => uploadId);
	const other = await stageFor('acc_g2', fileOf('e@x.test\n'));
	await bucket.remove('acc_g', second!);
	expect(await bucket.find('acc_g', second!)).toBeNull();
	await bucket.markStarted('acc_g', four[2]!, 'job_g');
	expect(await bucket.find('acc_g', third!)).toMatchObject({ jobId: 'job_g' });
	// The bucket lists a thousand at once.
	const pagesOfTwo = {
		list: (options: R2ListOptions) => env.BLOBS.list({ ...options, limit: 2 }),
		get: (key: string) => env.BLOBS.get(key),
	} as unknown as R2Bucket;
	const listed = await uploadBlobsOf(pagesOfTwo).listOf('acc_g', 10);
	expect(new Set(listed.map(({ uploadId }) => uploadId))).toEqual(new Set([first, fourth]));
	expect(await bucket.listOf('acc_g', 1)).toHaveLength(1);
	await bucket.removeAllOf('acc_g');
	expect((await env.BLOBS.list({ prefix: 'uploads/acc_g/' })).objects).toEqual([]);
	expect(await bucket.listOf('acc_g2', 10)).toEqual([other]);
});

describe('the runtime reads what spreadsheets write', () => {
	const text = 'Name;E-Mail\r\nKäthe;k@x.test\r\n';
	test.each([
		['utf-8', fileOf(text)],
		['utf-16le', fileOf(text, 'utf16le')],
		['utf-16be', utf16be(text)],
		['windows-1252', fileOf(text, 'latin1')],
	])('%s', async (encoding, file) => {
		expect(inspected(file).format).toMatchObject({ encoding, delimiter: ';' });
		const { uploadId } = await stageFor('acc_h', file);
		const { firstRows, credits } = await previewUpload(bare, { accountId: 'acc_h' }, { uploadId });
		expect(firstRows).toEqual([{ number: 2, cells: ['Käthe', 'k@x.test'] }]);
		expect(credits).toBe(1);
	});

	test('50,000 rows of 20 MB', async () => {
		const file = fileOf(
			`id;name;email;notes\r\n${Array.from({ length: 50_000 }, (_, n) => row(n)).join('')}`,
		);
		expect(file.length).toBeGreaterThan(19 * 1024 * 1024);
		const { uploadId } = await stageFor('acc_i', file);
		const { counts } = await previewUpload(bare, { accountId: 'acc_i' }, { uploadId });
		expect(counts).toEqual({ rows: 50_000, addresses: 50_000, duplicates: 0, malformed: 0, empty: 0 });
		await bucket.removeAllOf('acc_i');
	});
});
