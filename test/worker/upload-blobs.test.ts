import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { previewUpload, stageUpload } from '../../src/operations/uploads/uploads.ts';
import { uploadBlobsOf } from '../../src/storage/uploads.ts';
import { aloneAtWork, collected, fileOf, inspected, utf16be } from '../support/unit/list-files.ts';

// Uploaded files in the real bucket, and what of the platform the reading of files depends on.

const uploadBlobs = uploadBlobsOf(env.BLOBS);
let ids = 0;
const services = {
	uploadBlobs,
	fileWork: aloneAtWork,
	newId: (prefix: string) => `${prefix}_${(ids += 1)}`,
	clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
};
const stage = (accountId: string, octets: Uint8Array) =>
	stageUpload(services, { accountId }, { name: 'l.csv', octets });

const row = (n: number) => `${n};Käthe Müller;user${n}@d${n % 700}.test;"${'lorem ipsum; '.repeat(28)}"\r\n`;

async function bytesOf(file: AsyncIterable<Uint8Array> | null): Promise<Uint8Array | null> {
	if (file === null) return null;
	const pieces = await collected(file);
	return new Uint8Array(await new Blob([...pieces]).arrayBuffer());
}

test('what was staged is found, octet by octet, by its own account alone', async () => {
	const file = fileOf('email\nä@x.test\nb@x.test\n');
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

test('those that wait are listed, and go one by one or with their account, and no others do', async () => {
	const staged = [];
	for (const name of ['a', 'b', 'c', 'd']) staged.push(await stage('acc_g', fileOf(`${name}@x.test\n`)));
	const [first, second, third, fourth] = staged.map(({ uploadId }) => uploadId);
	const other = await stage('acc_g2', fileOf('e@x.test\n'));
	await uploadBlobs.remove('acc_g', second!);
	expect(await uploadBlobs.find('acc_g', second!)).toBeNull();
	await uploadBlobs.markStarted('acc_g', staged[2]!, 'job_g');
	expect(await uploadBlobs.find('acc_g', third!)).toMatchObject({ jobId: 'job_g' });
	// The bucket lists a thousand at once.
	const pagesOfTwo = {
		list: (options: R2ListOptions) => env.BLOBS.list({ ...options, limit: 2 }),
		get: (key: string) => env.BLOBS.get(key),
	} as unknown as R2Bucket;
	const listed = await uploadBlobsOf(pagesOfTwo).listOf('acc_g', 10);
	expect(new Set(listed.map(({ uploadId }) => uploadId))).toEqual(new Set([first, fourth]));
	expect(await uploadBlobs.listOf('acc_g', 1)).toHaveLength(1);
	await uploadBlobs.removeAllOf('acc_g');
	expect((await env.BLOBS.list({ prefix: 'uploads/acc_g/' })).objects).toEqual([]);
	expect(await uploadBlobs.listOf('acc_g2', 10)).toEqual([other]);
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
		const { uploadId } = await stage('acc_h', file);
		const { firstRows, credits } = await previewUpload(services, { accountId: 'acc_h' }, { uploadId });
		expect(firstRows).toEqual([{ number: 2, cells: ['Käthe', 'k@x.test'] }]);
		expect(credits).toBe(1);
	});

	test('50,000 rows of 20 MB', async () => {
		const file = fileOf(
			`id;name;email;notes\r\n${Array.from({ length: 50_000 }, (_, n) => row(n)).join('')}`,
		);
		expect(file.length).toBeGreaterThan(19 * 1024 * 1024);
		const { uploadId } = await stage('acc_i', file);
		const { counts } = await previewUpload(services, { accountId: 'acc_i' }, { uploadId });
		expect(counts).toEqual({ rows: 50_000, addresses: 50_000, duplicates: 0, malformed: 0, empty: 0 });
		await uploadBlobs.removeAllOf('acc_i');
	});
});
