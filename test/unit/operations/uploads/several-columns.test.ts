import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowPerAddress } from '../../../../src/core/upload/columns.ts';
import { listUploads, previewUpload } from '../../../../src/operations/uploads/uploads.ts';
import { refusalOf } from '../../../support/unit/list-files.ts';
import { ACCOUNT, HOUR_MS, worldOf } from '../../../support/unit/upload-world.ts';

const TWO = 'Name,Work,Private\n"Doe, Jane",jane@x.test,j@y.test\nBo,bo@x.test,\nCy,,\nDi,no,bo@x.test\n';
const columns = [1, 2];

test('each address of several columns is verified, and has a row of its own with the whole row beside it', async () => {
	const { services, stage, start, opened, bucket, uploadBlobs } = worldOf();
	const { uploadId } = await stage(TWO);
	const preview = await previewUpload(services, ACCOUNT, { uploadId, columns });
	expect(preview).toMatchObject({
		choice: { columns, hasHeader: true },
		rowChoice: { column: 0, hasHeader: true },
		counts: { rows: 6, addresses: 3, duplicates: 1, malformed: 1, empty: 1 },
		credits: 3,
	});
	expect(preview.firstRows.map(({ number, cells }) => [number, cells[0]])).toEqual([
		[2, 'jane@x.test'],
		[2, 'j@y.test'],
		[3, 'bo@x.test'],
		[4, ''],
		[5, 'no'],
		[5, 'bo@x.test'],
	]);
	const { jobId } = await start(uploadId, { columns });
	expect(opened).toMatchObject([{ submitted: 6, duplicates: 1, invalid: 2 }]);
	expect(await uploadBlobs.findOriginal(jobId)).toMatchObject({
		column: 0,
		hasHeader: true,
		columns: 4,
		format: { delimiter: ',', encoding: 'utf-8' },
		places: [0, 2, 5, -2, -1, 4],
	});
	expect(new TextDecoder().decode(bucket.objects.get(`jobs/${jobId}/original`)?.bytes)).toBe(
		[
			'Verified address,Name,Work,Private',
			'jane@x.test,"Doe, Jane",jane@x.test,j@y.test',
			'j@y.test,"Doe, Jane",jane@x.test,j@y.test',
			'bo@x.test,Bo,bo@x.test,',
			',Cy,,',
			'no,Di,no,bo@x.test',
			'bo@x.test,Di,no,bo@x.test',
			'',
		].join('\n'),
	);
});

test('a column that is named twice counts once, and more than five are refused', async () => {
	const { services, stage } = worldOf();
	const { uploadId } = await stage(TWO);
	expect((await previewUpload(services, ACCOUNT, { uploadId, columns: [2, 1, 2] })).choice.columns).toEqual(
		columns,
	);
	const wide = await stage(`${Array.from({ length: 6 }, (_, n) => `p${n}@x.test`).join(',')}\n`);
	const first = (count: number) =>
		previewUpload(services, ACCOUNT, { uploadId: wide.uploadId, columns: [...Array(count).keys()] });
	expect(await first(5)).toMatchObject({ credits: 5 });
	await expect(first(6)).rejects.toMatchObject({ code: 'unusable_file' });
});

test('50,000 addresses in all columns together are taken, and one more is refused', () => {
	const rows = Array.from({ length: 25_000 }, (_, n) => ({
		number: n + 1,
		cells: [`a${n}@x.test`, `b${n}@x.test`],
	}));
	expect(new RowPerAddress([0, 1], false).spread(rows)).toHaveLength(50_000);
	const more = [...rows, { number: 25_001, cells: ['c@x.test', ''] }];
	expect(refusalOf(() => new RowPerAddress([0, 1], false).spread(more))).toContain(
		'more than 50,000 addresses',
	);
	expect(new RowPerAddress([0, 1], true).spread(rows)).toHaveLength(49_999);
});

test('whatever stands in the columns, every row is kept, and every filled cell comes first once', () => {
	const cells = fc.array(fc.constantFrom('', ' ', 'a@x.test', 'no'), { minLength: 3, maxLength: 3 });
	fc.assert(
		fc.property(fc.array(cells, { maxLength: 8 }), (table) => {
			const spread = new RowPerAddress([0, 2], false).spread(
				table.map((each, n) => ({ number: n + 1, cells: each })),
			);
			for (const [n, own] of table.entries()) {
				const rows = spread.filter(({ number }) => number === n + 1);
				const filled = [own[0]!, own[2]!].filter((cell) => cell.trim() !== '');
				expect(rows.map((row) => row.cells[0])).toEqual(filled.length > 0 ? filled : ['']);
				expect(rows.every((row) => row.cells.slice(1).join('|') === own.join('|'))).toBe(true);
			}
		}),
	);
});

test('files that wait are listed for 24 hours, unless they were started', async () => {
	const { services, stage, start, time } = worldOf();
	const first = await stage();
	const second = await stage();
	expect((await listUploads(services, ACCOUNT)).map(({ uploadId }) => uploadId)).toEqual([
		second.uploadId,
		first.uploadId,
	]);
	await start(second.uploadId);
	time.now += 24 * HOUR_MS - 1;
	expect(await listUploads(services, ACCOUNT)).toHaveLength(1);
	time.now += 1;
	expect(await listUploads(services, ACCOUNT)).toEqual([]);
});
