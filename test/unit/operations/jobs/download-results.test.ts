import * as fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { RESULT_COLUMNS } from '../../../../src/core/csv/result-columns.ts';
import { cleanList } from '../../../../src/core/jobs/clean-list.ts';
import type { ResultList } from '../../../../src/core/jobs/pages.ts';
import { NO_FILTER } from '../../../../src/core/jobs/report/listed-row.ts';
import { ListRows } from '../../../../src/core/upload/list-rows.ts';
import { RowReader } from '../../../../src/core/upload/text.ts';
import { STATUSES } from '../../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import { downloadResults } from '../../../../src/operations/jobs/download-results.ts';
import type { Repeats } from '../../../../src/operations/jobs/download-results.ts';
import type { JobRecord } from '../../../../src/operations/jobs/port.ts';
import { uploadBlobsOf } from '../../../../src/storage/uploads.ts';
import { FinishedLists } from '../../../support/unit/finished-lists.ts';
import { fileOf, inspected } from '../../../support/unit/list-files.ts';
import { storedRow } from '../../../support/unit/listed-rows.ts';

const MEANINGS: Readonly<Record<string, SubStatus>> = {
	d: 'accepted_email',
	u: 'rejected_email',
	c: 'catch_all',
};

/** The sandbox of these tests: the mailbox's first letter says what becomes of it. */
function subStatusOf(email: string): SubStatus {
	return MEANINGS[email.charAt(0).toLowerCase()] ?? 'timeout';
}

/** A completed job of these addresses. */
async function completed(emails: readonly string[]) {
	const { accepted } = cleanList(emails);
	const lists = new FinishedLists();
	const job = await lists.add(
		'job_1',
		accepted.map((email, index) => storedRow(index, email, subStatusOf(email))),
	);
	const { bucket } = lists;
	return {
		job,
		bucket,
		services: { ...lists.services, uploadBlobs: uploadBlobsOf(bucket.r2) },
	};
}

/** The same from a file. */
async function completedFrom(text: string) {
	const file = fileOf(text);
	const inspection = inspected(file);
	const { format, hasHeader, column, columns } = inspection;
	const rows = new ListRows(column);
	const reader = new RowReader(format, hasHeader);
	rows.add(reader.push(file));
	rows.add(reader.end());
	const { emails, places } = rows.forJob();
	const world = await completed(emails);
	const original = { column, hasHeader, fileName: 'list.csv', format, columns: columns.length, places };
	await world.bucket.put('jobs/job_1/original', file);
	await world.bucket.put('jobs/job_1/original.json', JSON.stringify(original));
	return world;
}

type World = Awaited<ReturnType<typeof completed>>;

const PAGES = 'jobs/job_1/pages/';
const pagesReadOf = ({ bucket }: World): readonly string[] =>
	bucket.reads.filter((key) => key.startsWith(PAGES)).map((key) => key.slice(PAGES.length));

/** All columns of a stored list's rows as CSV. */
function requestOf(job: JobRecord, list: ResultList = 'all', repeats: Repeats = 'kept') {
	const filter = { ...NO_FILTER, status: list === 'all' ? null : list };
	return { job, filter, repeats, columns: RESULT_COLUMNS, format: 'csv' } as const;
}

const countOf = ({ accepted, counts }: JobRecord, list: ResultList) =>
	list === 'all' ? accepted : counts[list === 'catch_all' ? 'catchAll' : list];

const bodyOf = async ({ services, job }: World) => (await downloadResults(services, requestOf(job))).body;

async function download({ services, job }: World, list: ResultList = 'all', repeats: Repeats = 'kept') {
	const { body } = await downloadResults(services, requestOf(job, list, repeats));
	const text = await new Response(body).bytes();
	return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
}

async function tableOf(world: World, list: ResultList = 'all', repeats: Repeats = 'kept') {
	const text = await download(world, list, repeats);
	return Papa.parse<string[]>(text.replace(/^\uFEFF/, '').replace(/\r\n$/, ''), { newline: '\r\n' }).data;
}

test('the file of a job that came over the API has no byte order mark, for programs; a formula is shown as text', async () => {
	const text = await download(await completed(['=d@x.test']));
	expect(text.startsWith('email,status')).toBe(true);
	expect(text).toContain("\r\n'=d@x.test,unknown,");
});

describe('a job that came from a file', () => {
	const LIST =
		'Name;E-Mail;Phone\r\n"Lovelace; Ada";D1@x.test;+49 151 2345678\r\nNo;;2\r\nCy;nobody;3\r\n\r\nada;d1@X.test;4;extra\r\nBob;u@x.test\r\n';

	test('gives the file back: same rows, same columns, ours behind them', async () => {
		const text = await download(await completedFrom(LIST));
		const lines = text.slice(1).split('\r\n');
		expect(text[0]).toBe('\uFEFF');
		expect(lines.map((line) => line.split(';').slice(0, 7).join(';'))).toEqual([
			'Name;E-Mail;Phone;column_4;status;sub_status;score',
			// Semicolons as they came, and the telephone number too, although it begins like a formula.
			'"Lovelace; Ada";D1@x.test;+49 151 2345678;;deliverable;accepted_email',
			'No;;2;;;;',
			'Cy;nobody;3;;malformed;no_at_sign;',
			'ada;d1@X.test;4;extra;deliverable;accepted_email;97',
			'Bob;u@x.test;;;undeliverable;rejected_email;2',
			'',
		]);
	});

	test.each<[ResultList, Repeats, string[]]>([
		['deliverable', 'kept', ['Lovelace; Ada', 'ada']],
		['unknown', 'kept', []],
		['all', 'left_out', ['Lovelace; Ada', 'Bob']],
		['deliverable', 'left_out', ['Lovelace; Ada']],
		['unknown', 'left_out', []],
	])('%s, repeats %s: its rows, or the first of each address', async (list, repeats, names) => {
		const text = await download(await completedFrom(LIST), list, repeats);
		const { data } = Papa.parse<string[]>(text.slice(1).trimEnd(), { delimiter: ';', newline: '\r\n' });
		expect(data.slice(1).map(([name]) => name)).toEqual(names);
	});

	test('without repeats it has as many rows as the list is said to have, whatever is in the file', async () => {
		const cells = fc.oneof(
			fc.nat(40).map((n) => `${'duct'[n % 4]}${n}@x.test`),
			fc.constantFrom('', 'nobody', 'D4@X.TEST', ' d4@x.test '),
		);
		const lists = fc.constantFrom<ResultList>('all', 'catch_all', ...STATUSES);
		await fc.assert(
			fc.asyncProperty(fc.array(cells, { maxLength: 80 }), lists, async (column, list) => {
				const world = await completedFrom(
					`n,email\n0,z@x.test\n${column.map((cell) => `1,${cell}\n`).join('')}`,
				);
				const [, ...rows] = await tableOf(world, list, 'left_out');
				expect(rows).toHaveLength(countOf(world.job, list));
			}),
		);
	});

	test('every row of any file has the result of its own address, whatever is repeated and wherever pages end', async () => {
		// Two scripts of a domain, a comma too many, and two addresses of which the first counts.
		const odd = [
			'd@b\u00fccher.de',
			'D@xn--bcher-kva.de',
			'd@bu\u0308cher.de',
			'd@x.test,',
			'u@x.test; d@y.test',
		];
		const cells = fc.oneof(
			{ weight: 8, arbitrary: fc.nat(1_500).map((n) => `${'duct'[n % 4]}${n}@x.test`) },
			{ weight: 1, arbitrary: fc.constantFrom('', 'nobody', 'D4@X.TEST', "'+d@x.test", ...odd) },
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(cells, { minLength: 1_200, maxLength: 1_600, size: 'max' }),
				async (column) => {
					const text = `n,email\n0,z@x.test\n${column.map((cell, n) => `${n + 1},"${cell}"\n`).join('')}`;
					const [, , ...rows] = await tableOf(await completedFrom(text));
					expect(rows).toHaveLength(column.length);
					for (const [n, row] of rows.entries()) {
						const cell = column[n] ?? '';
						const email = cell.replace(/^'/, '');
						const valid = cell.includes('@');
						expect(row.slice(0, 4)).toEqual([
							String(n + 1),
							cell,
							valid ? expect.not.stringMatching('malformed') : cell === '' ? '' : 'malformed',
							valid ? subStatusOf(email) : cell === '' ? '' : 'no_at_sign',
						]);
					}
				},
			),
			{ numRuns: 15 },
		);
	});
});

describe('50,000 rows need no more than 500', () => {
	const emails = Array.from({ length: 5_000 }, (_, n) => `d${n}@x.test`);

	test('pages are read only as fast as the download is, three at a time', async () => {
		const world = await completedFrom(`email\n${emails.join('\n')}\n`);
		const reader = (await bodyOf(world)).getReader();
		await reader.read();
		await reader.read();
		expect(pagesReadOf(world).length).toBeLessThanOrEqual(3);
		while (!(await reader.read()).done);
		expect(pagesReadOf(world)).toEqual(Array.from({ length: 10 }, (_, page) => `all/${page}`));
	});

	test('who stops reading ends the work', async () => {
		const world = await completed(emails);
		const reader = (await bodyOf(world)).getReader();
		await reader.read();
		await reader.cancel();
		expect(pagesReadOf(world).length).toBeLessThanOrEqual(3);
	});
});

describe('a download that can not be whole is refused or fails, and never ends early', () => {
	test.each<[string, (world: World) => Promise<void>]>([
		['the first page is gone', ({ bucket }) => bucket.delete(`${PAGES}all/0`)],
		['the file is gone', ({ bucket }) => bucket.delete('jobs/job_1/original')],
	])('%s before it begins: expired', async (_, breakIt) => {
		const world = await completedFrom('d@x.test\n');
		await breakIt(world);
		await expect(bodyOf(world)).rejects.toMatchObject({ code: 'results_expired' });
	});

	test('a page that goes while it is read', async () => {
		const world = await completed(Array.from({ length: 2_000 }, (_, n) => `d${n}@x.test`));
		await world.bucket.delete(`${PAGES}all/3`);
		await expect(new Response(await bodyOf(world)).text()).rejects.toMatchObject({ code: 'results_expired' });
	});

	test("a file that is not the one that was started: no row gets another address's result", async () => {
		const world = await completedFrom('d@x.test\nu@x.test\n');
		await world.bucket.put('jobs/job_1/original', fileOf('u@x.test\nd@x.test\n'));
		await expect(new Response(await bodyOf(world)).text()).rejects.toThrow(
			'a row has the result of its own address',
		);
	});
});
