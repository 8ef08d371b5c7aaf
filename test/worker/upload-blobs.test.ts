import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openOutside } from '../../src/compose.ts';
import { previewUpload, stageUpload } from '../../src/operations/uploads/uploads.ts';
import { uploadBlobsOf } from '../../src/storage/uploads.ts';
import { aloneAtWork, collected, inspected } from '../support/unit/list-files.ts';

// Uploaded files in the real bucket, and what of the platform the reading of files depends on.

const uploadBlobs = uploadBlobsOf(env.BLOBS);
let ids = 0;
const services = {
	uploadBlobs,
	fileWork: aloneAtWork,
	newId: (prefix: string) => `${prefix}_${(ids += 1)}`,
	clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
};
const octetsOf = (text: string) => new TextEncoder().encode(text);
const stage = (accountId: string, octets: Uint8Array) =>
	stageUpload(services, { accountId }, { name: 'l.csv', octets });
const original = (upload: Awaited<ReturnType<typeof stage>>) => {
	const { format, hasHeader, column, columns } = upload.inspection;
	return { format, hasHeader, column, columns: columns.length, fileName: 'l.csv', places: [0, -1, -2] };
};

const row = (n: number) => `${n};Käthe Müller;user${n}@d${n % 700}.test;"${'lorem ipsum; '.repeat(28)}"\r\n`;

async function bytesOf(file: AsyncIterable<Uint8Array> | null): Promise<Uint8Array | null> {
	if (file === null) return null;
	const pieces = await collected(file);
	return new Uint8Array(await new Blob([...pieces]).arrayBuffer());
}

async function keysUnder(prefix: string): Promise<readonly string[]> {
	return (await env.BLOBS.list({ prefix })).objects.map(({ key }) => key);
}

test('what was staged is found, octet by octet, by its own account alone', async () => {
	const file = octetsOf('email\nä@x.test\nb@x.test\n');
	const upload = await stage('acc_a', file);
	expect(await uploadBlobs.find('acc_a', upload.uploadId)).toEqual(upload);
	expect(await bytesOf(await uploadBlobs.read('acc_a', upload.uploadId))).toEqual(file);
	expect(await uploadBlobs.find('acc_b', upload.uploadId)).toBeNull();
	expect(await uploadBlobs.read('acc_b', upload.uploadId)).toBeNull();
});

test.each(['', '../acc_a/upl_1', 'upl_1/file', 'upl 1', 'x'.repeat(65), 'UPL_1'])(
	'an id such as %j finds nothing',
	async (id) => {
		expect(await uploadBlobs.find('acc_a', id)).toBeNull();
	},
);

test('a started file lies beside its job, and goes with it', async () => {
	const file = octetsOf('email\na@x.test\n');
	const upload = await stage('acc_c', file);
	const jobId = 'job_started';
	expect(
		await uploadBlobs.keepForJob('acc_c', upload.uploadId, { jobId: jobId, original: original(upload) }),
	).toBe(true);
	await uploadBlobs.markStarted('acc_c', upload, jobId);
	expect(await uploadBlobs.find('acc_c', upload.uploadId)).toEqual({ ...upload, jobId });
	expect(await uploadBlobs.read('acc_c', upload.uploadId)).toBeNull();
	expect(await uploadBlobs.findOriginal(jobId)).toEqual(original(upload));
	expect(await bytesOf(await uploadBlobs.readOriginal(jobId))).toEqual(file);
	// Once started, there is nothing to copy for another job.
	expect(
		await uploadBlobs.keepForJob('acc_c', upload.uploadId, {
			jobId: 'job_other',
			original: original(upload),
		}),
	).toBe(false);
	expect(await keysUnder('jobs/job_other/')).toEqual([]);
	await openOutside(env).deleteBlobs(jobId);
	expect(await uploadBlobs.findOriginal(jobId)).toBeNull();
	expect(await uploadBlobs.readOriginal(jobId)).toBeNull();
});

test('those that were not started are listed, newest first, and no others', async () => {
	const staged = [];
	for (const name of ['a', 'b', 'c', 'd']) staged.push(await stage('acc_g', octetsOf(`${name}@x.test\n`)));
	const [first, second, third, fourth] = staged;
	await uploadBlobs.remove('acc_g', second!.uploadId);
	await uploadBlobs.markStarted('acc_g', third!, 'job_g');
	// The bucket lists a thousand at once.
	const pagesOfTwo = {
		list: (options: R2ListOptions) => env.BLOBS.list({ ...options, limit: 2 }),
		get: (key: string) => env.BLOBS.get(key),
	} as unknown as R2Bucket;
	const listed = await uploadBlobsOf(pagesOfTwo).listOf('acc_g', 10);
	expect(new Set(listed.map(({ uploadId }) => uploadId))).toEqual(
		new Set([first!.uploadId, fourth!.uploadId]),
	);
	expect(await uploadBlobs.listOf('acc_g', 1)).toHaveLength(1);
	expect(await uploadBlobs.listOf('acc_g2', 10)).toEqual([]);
});

test('uploads go one by one, and all of an account', async () => {
	const [first, second] = [
		await stage('acc_e', octetsOf('a@x.test\n')),
		await stage('acc_e', octetsOf('b@x.test\n')),
	];
	const other = await stage('acc_e2', octetsOf('c@x.test\n'));
	await uploadBlobs.remove('acc_e', first.uploadId);
	expect(await uploadBlobs.find('acc_e', first.uploadId)).toBeNull();
	expect(await uploadBlobs.find('acc_e', second.uploadId)).not.toBeNull();
	await uploadBlobs.removeAllOf('acc_e');
	expect(await keysUnder('uploads/acc_e/')).toEqual([]);
	expect(await uploadBlobs.find('acc_e2', other.uploadId)).not.toBeNull();
});

describe('the runtime reads what spreadsheets write', () => {
	const text = 'Name;E-Mail\r\nKäthe;k@x.test\r\n';
	const utf16 = (isBigEndian: boolean) => {
		const view = new DataView(new ArrayBuffer(2 * text.length));
		for (let index = 0; index < text.length; index += 1)
			view.setUint16(2 * index, text.charCodeAt(index), !isBigEndian);
		return new Uint8Array(view.buffer);
	};
	test.each([
		['utf-8', octetsOf(text)],
		['utf-16le', utf16(false)],
		['utf-16be', utf16(true)],
		['windows-1252', Uint8Array.from(text, (letter) => letter.charCodeAt(0))],
	])('%s', async (encoding, file) => {
		expect(inspected(file).format).toMatchObject({ encoding, delimiter: ';' });
		const { uploadId } = await stage('acc_h', file);
		const { firstRows, credits } = await previewUpload(services, { accountId: 'acc_h' }, { uploadId });
		expect(firstRows).toEqual([{ number: 2, cells: ['Käthe', 'k@x.test'] }]);
		expect(credits).toBe(1);
	});

	test('50,000 rows of 20 MB', async () => {
		const file = octetsOf(
			`id;name;email;notes\r\n${Array.from({ length: 50_000 }, (_, n) => row(n)).join('')}`,
		);
		expect(file.length).toBeGreaterThan(19 * 1024 * 1024);
		const { uploadId } = await stage('acc_i', file);
		const { counts } = await previewUpload(services, { accountId: 'acc_i' }, { uploadId });
		expect(counts).toEqual({ rows: 50_000, addresses: 50_000, duplicates: 0, malformed: 0, empty: 0 });
		await uploadBlobs.removeAllOf('acc_i');
	});
});
