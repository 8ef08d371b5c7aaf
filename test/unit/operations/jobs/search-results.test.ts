import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROWS_PER_PAGE, belongsTo } from '../../../../src/core/jobs/pages.ts';
import type { ResultList } from '../../../../src/core/jobs/pages.ts';
import { encodeRows } from '../../../../src/core/jobs/stored-row.ts';
import type { StoredRow } from '../../../../src/core/jobs/stored-row.ts';
import type { JobRecord } from '../../../../src/operations/jobs/port.ts';
import { searchResults } from '../../../../src/operations/jobs/search-results.ts';
import { fakeClock } from '../../../support/unit/fake-clock.ts';
import { NOW, job } from '../../../support/dashboard/samples.ts';

/** The mailbox's first letter says what became of it. */
function rowOf(index: number, email: string): StoredRow {
	const isCatchAll = email.startsWith('c');
	return [
		index,
		email,
		isCatchAll ? 'catch_all' : email.startsWith('u') ? 'rejected_email' : 'accepted_email',
		'smtp',
		isCatchAll,
		0,
		null,
		'mx.acme.test',
		null,
		null,
		null,
		null,
		null,
		NOW,
	];
}

/** A completed job that holds these addresses. */
function storedJob(emails: readonly string[]) {
	const rows = emails.map((email, index) => rowOf(index, email));
	const record: JobRecord = { ...job, accepted: emails.length };
	const readPage = (_jobId: string, list: ResultList, page: number): Promise<string | null> => {
		const listed = rows.filter((row) => belongsTo(row, list));
		const slice = listed.slice(page * ROWS_PER_PAGE, (page + 1) * ROWS_PER_PAGE);
		return Promise.resolve(slice.length === 0 ? null : encodeRows(slice));
	};
	return { record, services: { clock: fakeClock(NOW), jobBlobs: { readPage } as never } };
}

const address = fc
	.tuple(
		fc.stringMatching(/^[a-z]{1,5}(?:\.[a-z0-9]{1,5})?$/),
		fc.constantFrom('acme.test', 'ACME-shop.test', 'navy.test'),
	)
	.map(([name, domain]) => `${name}@${domain}`);

test('a search finds every address that contains the text, whatever its case, in the order of the list', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(address, { minLength: 1, maxLength: 40 }),
			fc.constantFrom('a', 'ACME', '@navy', 'z9', 'mx.'),
			fc.integer({ min: 1, max: 4 }),
			async (emails, text, page) => {
				const { record, services } = storedJob(emails);
				const ask = { text, page, limit: 7, list: 'all' } as const;
				const { results, pagination, inAll } = await searchResults(services, { ...ask, job: record });
				const wanted = emails.filter((email) => email.toLowerCase().includes(text.toLowerCase()));
				expect(pagination.total).toBe(wanted.length);
				expect(inAll).toBe(wanted.length);
				expect(results.map(({ email }) => email.toLowerCase())).toEqual(
					wanted.slice((page - 1) * 7, page * 7).map((email) => email.toLowerCase()),
				);
			},
		),
	);
});

test.each<[ResultList, string[]]>([
	['all', ['ada@acme.test', 'ulf@acme.test', 'cy@acme.test']],
	['deliverable', ['ada@acme.test']],
	['undeliverable', ['ulf@acme.test']],
	['risky', ['cy@acme.test']],
	['catch_all', ['cy@acme.test']],
	['unknown', []],
])(
	'under the filter %s a search finds its rows, and says how many there are beside them',
	async (list, emails) => {
		const { record, services } = storedJob([
			'ada@acme.test',
			'ulf@acme.test',
			'cy@acme.test',
			'eve@navy.test',
		]);
		const ask = { text: 'acme', page: 1, limit: 25, list };
		const { results, pagination, inAll } = await searchResults(services, { ...ask, job: record });
		expect(results.map(({ email }) => email)).toEqual(emails);
		expect(pagination.total).toBe(emails.length);
		expect(inAll).toBe(3);
	},
);

test('a search goes on over the end of a stored page, and finds a quotation mark', async () => {
	const emails = Array.from({ length: ROWS_PER_PAGE + 2 }, (_, index) => `user${index}@acme.test`);
	const { record, services } = storedJob([...emails, '"odd one"@acme.test']);
	const ask = { page: 1, limit: 25, list: 'all' } as const;
	const late = await searchResults(services, { ...ask, job: record, text: `user${ROWS_PER_PAGE + 1}@` });
	expect(late.results.map(({ email }) => email)).toEqual([`user${ROWS_PER_PAGE + 1}@acme.test`]);
	const odd = await searchResults(services, { ...ask, job: record, text: '"ODD' });
	expect(odd.results.map(({ email }) => email)).toEqual(['"odd one"@acme.test']);
});

test('there is nothing to search while a job works, nor after its results expired', async () => {
	const { record, services } = storedJob(['ada@acme.test']);
	const ask = { text: 'a', page: 1, limit: 25, list: 'all' } as const;
	await expect(
		searchResults(services, { ...ask, job: { ...record, status: 'processing' } }),
	).rejects.toMatchObject({
		code: 'job_not_completed',
	});
	await expect(
		searchResults(services, { ...ask, job: { ...record, resultsExpiresAt: NOW } }),
	).rejects.toMatchObject({
		code: 'results_expired',
	});
});
