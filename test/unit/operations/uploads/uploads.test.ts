import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../src/errors.ts';
import {
	discardUpload,
	listUploads,
	previewUpload,
	stageUpload,
	startUpload,
} from '../../../../src/operations/uploads/uploads.ts';
import type { AccountPort } from '../../../../src/operations/accounts/port.ts';
import type { OpenJobRequest, OpenJobResult, PartMessage } from '../../../../src/operations/jobs/port.ts';
import { HORIZON_MS } from '../../../../src/core/jobs/open-row.ts';
import type { StartUploadRequest } from '../../../../src/operations/uploads/uploads.ts';
import { jobBlobsOf } from '../../../../src/storage/jobs/blobs.ts';
import { uploadBlobsOf } from '../../../../src/storage/uploads.ts';
import { MemoryBucket } from '../../../support/unit/memory-bucket.ts';
import { aloneAtWork, fileOf } from '../../../support/unit/list-files.ts';

const HOUR_MS = 3_600_000;
const ACCOUNT = { accountId: 'acc_1', keyId: 'k' };
const LIST = 'name;email\nAda;Ada@x.test\nNo;\nCy;nobody\nada;ada@x.test\nDi;di@x.test\n';

/** An account, a bucket, and a clock and a purse that a test changes. */
function worldOf() {
	const purse = { credits: 100 };
	const time = { now: 1_000 };
	const bucket = new MemoryBucket();
	const uploadBlobs = uploadBlobsOf(bucket.r2);
	const jobBlobs = jobBlobsOf(bucket.r2);
	const opened: OpenJobRequest[] = [];
	const sent: PartMessage[] = [];
	const keys = new Map<string, OpenJobRequest>();
	let ids = 0;
	const account = {
		// The account's object, as far as a start depends on it.
		findAnswer: async ({ idempotency }: Pick<OpenJobRequest, 'idempotency'>) => {
			const known = keys.get(idempotency?.key ?? '');
			if (known === undefined) return null;
			const isSame = known.idempotency?.fingerprint === idempotency?.fingerprint;
			return isSame ? { kind: 'replay', jobId: known.jobId, response: '' } : { kind: 'mismatch' };
		},
		openJob: async (request: OpenJobRequest): Promise<OpenJobResult> => {
			const { idempotency, kind, now } = request;
			const known = idempotency === null ? null : await account.findAnswer({ kind, idempotency, now });
			if (known !== null) return known;
			const wanted = request.parts.reduce((sum, count) => sum + count, 0);
			if (wanted > purse.credits) return { kind: 'insufficient_credits', available: purse.credits };
			if (request.idempotency !== null) keys.set(request.idempotency.key, request);
			opened.push(request);
			return { kind: 'opened', job: { jobId: request.jobId } as never, response: '', sent: [0] };
		},
	} as Partial<AccountPort> as AccountPort;
	const services = {
		accounts: () => account,
		clock: { now: () => time.now, sleep: () => Promise.resolve() },
		newId: (prefix: string) => `${prefix}_${(ids += 1)}`,
		uploadBlobs,
		fileWork: aloneAtWork,
		jobBlobs,
		jobTiming: {
			retryDelaysMs: [60_000],
			redriveAfterMs: 30_000,
			resultsTtlMs: 48 * HOUR_MS,
			horizonMs: HORIZON_MS,
		},
		sendParts: async (_: string, messages: readonly PartMessage[]) => void sent.push(...messages),
		listJob: () => Promise.resolve(true),
		requireProber: () => {},
	};
	const stage = (list: string | Uint8Array = LIST, name = 'July.csv') => {
		const octets = typeof list === 'string' ? fileOf(list) : list;
		return stageUpload(services, ACCOUNT, { name, octets });
	};
	const start = (uploadId: string, more: Partial<StartUploadRequest> = {}, owner = ACCOUNT) =>
		startUpload(services, owner, { uploadId, ...more });
	return { services, time, purse, bucket, uploadBlobs, opened, sent, stage, start };
}

/** The same with a list that waits. */
async function staged() {
	const world = worldOf();
	return { ...world, ...(await world.stage()) };
}

type World = ReturnType<typeof worldOf>;

const out = () => Promise.reject(new Error('the bucket is out'));

const coded = (code: string, message: RegExp) => ({ code, message: expect.stringMatching(message) });

describe('an upload waits until it is started', () => {
	test('nothing is charged or begun by it', async () => {
		const { opened, sent, ...upload } = await staged();
		expect(upload).toMatchObject({ fileName: 'July.csv', octets: LIST.length, stagedAt: 1_000, jobId: null });
		expect(upload.inspection).toMatchObject({ column: 1, rows: 5, hasHeader: true });
		expect([opened, sent]).toEqual([[], []]);
	});

	test('a file that is no list is refused and nothing of it is kept', async () => {
		const { stage, bucket } = worldOf();
		await expect(stage('PK\x03\x04')).rejects.toMatchObject(
			coded('unusable_file', /Excel workbook is damaged/),
		);
		expect(bucket.keysUnder('uploads/')).toEqual([]);
	});

	test('a name longer than a job may have is cut', async () => {
		expect((await worldOf().stage(LIST, 'x'.repeat(300))).fileName).toHaveLength(255);
	});

	test('the preview says what the job would hold and cost', async () => {
		const { services, uploadId } = await staged();
		const preview = await previewUpload(services, ACCOUNT, { uploadId });
		expect(preview).toMatchObject({
			credits: 2,
			choice: { column: 1, hasHeader: true },
			counts: { rows: 5, addresses: 2, duplicates: 1, malformed: 1, empty: 1 },
		});
		expect(await previewUpload(services, ACCOUNT, { uploadId, column: 0 })).toMatchObject({ credits: 0 });
	});

	test.each([
		['just before 24 hours', 24 * HOUR_MS - 1, null],
		['24 hours later', 24 * HOUR_MS, coded('upload_expired', /Upload the file again/)],
	])('%s', async (_, laterMs, refusal) => {
		const { services, uploadId, start, time } = await staged();
		time.now += laterMs;
		if (refusal === null) {
			expect(await previewUpload(services, ACCOUNT, { uploadId })).toMatchObject({ credits: 2 });
			expect(await start(uploadId)).toMatchObject({ alreadyStarted: false });
		} else {
			await expect(previewUpload(services, ACCOUNT, { uploadId })).rejects.toMatchObject(refusal);
			await expect(start(uploadId)).rejects.toMatchObject(refusal);
		}
	});
});

test('files that wait are listed for 24 hours, unless they were started', async () => {
	const { services, stage, start, time } = worldOf();
	const { uploadId: first } = await stage();
	const { uploadId: second } = await stage();
	const listed = async () => (await listUploads(services, ACCOUNT)).map(({ uploadId }) => uploadId);
	expect((await listed()).toSorted()).toEqual([first, second].toSorted());
	await start(second);
	time.now += 24 * HOUR_MS - 1;
	expect(await listed()).toEqual([first]);
	time.now += 1;
	expect(await listed()).toEqual([]);
});

describe('an upload that is discarded', () => {
	test('is gone with its file, however often it is discarded', async () => {
		const { services, uploadId, start, bucket } = await staged();
		expect(await discardUpload(services, ACCOUNT, { uploadId })).toBe('discarded');
		expect(bucket.keysUnder('uploads/')).toEqual([]);
		expect(await discardUpload(services, ACCOUNT, { uploadId })).toBe('none');
		await expect(start(uploadId)).rejects.toMatchObject(coded('upload_not_found', /Upload the file again/));
	});

	test('too late, when it was started: the list goes on and its file stays beside it', async () => {
		const { services, uploadId, start, uploadBlobs } = await staged();
		const { jobId } = await start(uploadId);
		expect(await discardUpload(services, ACCOUNT, { uploadId })).toBe('started');
		expect(await start(uploadId)).toEqual({ jobId, alreadyStarted: true });
		expect(await uploadBlobs.readOriginal(jobId)).not.toBeNull();
	});
});

describe('a started upload is one job', () => {
	test('of the addresses in the chosen column, counted by the rules of every list', async () => {
		const { uploadId, start, opened, sent } = await staged();
		const { jobId, alreadyStarted } = await start(uploadId, {}, { ...ACCOUNT, keyId: 'dashboard' });
		expect(alreadyStarted).toBe(false);
		expect(opened).toHaveLength(1);
		expect(opened[0]).toMatchObject({
			jobId,
			keyId: 'dashboard',
			name: 'July.csv',
			// As many as the file has rows, the one without an address included.
			submitted: 5,
			duplicates: 1,
			invalid: 2,
			parts: [2],
			rescuesCatchAll: true,
		});
		expect(sent).toEqual([{ accountId: 'acc_1', jobId, part: 0 }]);
	});

	test.each([
		['one after the other', false],
		['also after a crash between the job and the note of it', true],
	])('however often it is submitted, %s', async (_, crashes) => {
		const { uploadId, start, opened, uploadBlobs } = await staged();
		if (crashes) uploadBlobs.markStarted = out;
		const { jobId } = await start(uploadId);
		expect(await start(uploadId)).toEqual({ jobId, alreadyStarted: true });
		// Not even with another column.
		if (!crashes) expect(await start(uploadId, { column: 0 })).toEqual({ jobId, alreadyStarted: true });
		expect(opened).toHaveLength(1);
	});

	test('the file is beside the job from then on, and no longer among the uploads', async () => {
		const { services, uploadId, start, uploadBlobs } = await staged();
		const { jobId } = await start(uploadId);
		expect(await uploadBlobs.read('acc_1', uploadId)).toBeNull();
		expect(await uploadBlobs.findOriginal(jobId)).toMatchObject({ column: 1, hasHeader: true, columns: 2 });
		await expect(previewUpload(services, ACCOUNT, { uploadId })).rejects.toMatchObject(
			coded('upload_started', /started/),
		);
	});
});

const withoutProber = ({ services }: World) =>
	(services.requireProber = () => {
		throw new ServiceError('upstream_unavailable', 'no egress');
	});
const taken = () => Promise.resolve(false);
const keeping =
	(keep: () => Promise<boolean>) =>
	({ uploadBlobs }: World) =>
		(uploadBlobs.keepForJob = keep);
const noColumn = /^The column “name” holds no well-formed address\. Choose another column\.$/;
test.each<[string, object, Partial<StartUploadRequest>, (world: World) => unknown]>([
	['too few credits', coded('insufficient_credits', /1 available/), {}, ({ purse }) => (purse.credits = 1)],
	['no way out to mail servers', coded('upstream_unavailable', /no egress/), {}, withoutProber],
	['a column without a single address', coded('no_valid_emails', noColumn), { column: 0 }, () => {}],
	['a column that is not there', coded('unusable_file', /2 columns/), { column: 7 }, () => {}],
	['a bucket that fails before the job exists', { message: 'the bucket is out' }, {}, keeping(out)],
	['a file that another submission took away', coded('upload_started', /started/), {}, keeping(taken)],
])('a job that can not be begun leaves everything as it was: %s', async (_, refusal, more, breakIt) => {
	const { uploadId, start, ...world } = await staged();
	breakIt({ ...world, start });
	await expect(start(uploadId, more)).rejects.toMatchObject(refusal);
	expect([world.opened, world.bucket.keysUnder('jobs/')]).toEqual([[], []]);
	expect(await world.uploadBlobs.find('acc_1', uploadId)).toMatchObject({ jobId: null });
	expect(await world.uploadBlobs.read('acc_1', uploadId)).not.toBeNull();
});
