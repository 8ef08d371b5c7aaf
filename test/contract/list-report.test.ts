import { expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { hiddenFields } from '../support/visitor.ts';
import type { Visitor } from '../support/visitor.ts';
import { completed, getDownload, resultsOf, startTask, submitted } from './jobs-api.ts';
import { newKey, newPerson } from './people.ts';
import { eventually } from '../support/patience.ts';

// The page of a finished list against the real service: what it shows, what it hands out, and what comes back into it.

const service = inject('service');

/** A person with a key, and a list that was sent over the API and has ended, by its id and the path of its page. */
async function finishedList(emails: readonly string[], finishEarly = false) {
	const { visitor } = await newPerson();
	const apiKey = await newKey(visitor);
	const { jobId } = (await submitted(apiKey, emails)).data;
	// The slow server was not asked then. What that does to credits: test/worker/job-finish.test.ts.
	if (finishEarly) {
		const finished = await call(service.url, apiKey, 'POST', `/v1/jobs/${jobId}/finish`);
		expect(finished.body).toMatchObject({ data: { status: 'completed', creditsReserved: 0 } });
	}
	await completed(apiKey, jobId);
	return { visitor, apiKey, jobId, page: `/dashboard/jobs/${jobId}` };
}

/** The words of a page, without its markup. */
function wordsOf(html: string): string {
	return html
		.replaceAll(/<wbr ?\/?>/g, '')
		.replaceAll(/<[^>]+>/g, ' ')
		.replaceAll('&#39;', "'")
		.replaceAll(/\s+/g, ' ');
}

/** The addresses in the table of rows. */
function rowsOf(html: string): readonly string[] {
	const [, table = ''] = /<caption class="unseen">Results<\/caption>(.*?)<\/table>/s.exec(html) ?? [];
	// An address unfolds to its answer, which may unfold to its conversation.
	const folds = [...table.matchAll(/<details[^>]*><summary>(.*?)<\/summary>/gs)];
	return folds.map(([, text = '']) => text.replaceAll(/<[^>]+>/g, '')).filter((text) => text.includes('@'));
}

async function get(visitor: Visitor, path: string): Promise<string> {
	const page = await visitor.get(path);
	expect(page.status, page.text).toBe(200);
	return page.text;
}

/** A file's rows, as cells of a CSV without quotes. */
async function fileOf(visitor: Visitor, path: string) {
	const lines = (await get(visitor, path)).replace(/^\uFEFF/, '').trimEnd();
	return lines.split('\r\n').map((line) => line.split(','));
}

const EMAILS = [
	'ada@inbox.test',
	'info@inbox.test',
	'nobody@inbox.test',
	'jane.doe@google-catch-all.test',
	'ada@parked.test',
	'ada@catch-all.test',
	'ada@yahoo.test',
	'ADA@inbox.test',
	'ada@@inbox',
];

test('the report of a finished list says what is safe to send, filters and searches within the filter, and hands out those rows', async () => {
	const { visitor, jobId, page } = await finishedList(EMAILS);
	const words = wordsOf(await get(visitor, page));
	expect(words).toContain('28% safe to send 2 of 7 addresses');
	expect(words).toContain('Mailbox does not exist 1 14%');
	expect(words).toContain('Domain accepts every address 3 42%');
	expect(words).toContain('1 row repeats an earlier address and 1 row is not a valid address');
	// This provider will say the same tomorrow.
	expect(words).not.toContain('Ask again');

	const rows = async (query: string) => rowsOf(await get(visitor, `${page}?${query}`));
	expect(await rows('status=deliverable')).toEqual(['ada@inbox.test', 'info@inbox.test']);
	expect(await rows('q=INBOX&status=undeliverable')).toEqual(['nobody@inbox.test']);
	expect(await rows('reason=accepts_everything')).toEqual(['ada@yahoo.test']);
	expect(wordsOf(await get(visitor, `${page}?q=yahoo&status=risky`))).toContain('No row matches');

	const file = `${page}/download?status=deliverable`;
	expect(await fileOf(visitor, file)).toEqual([
		['email', 'status', 'reason', 'did_you_mean', 'action'],
		['ada@inbox.test', 'deliverable', 'The mail server accepts this mailbox', '', 'send'],
		['info@inbox.test', 'deliverable', expect.stringMatching(/accepts this mailbox/), '', 'send'],
	]);
	const name = `${jobId}-verified-deliverable.csv`;
	const disposition = (await visitor.get(file)).headers.get('content-disposition');
	expect(disposition).toBe(`attachment; filename="${name}"; filename*=UTF-8''${name}`);
	const leftOut = wordsOf(await get(visitor, `${page}?status=left_out`));
	expect(leftOut).toContain('ADA@inbox.test Repeats row 1');
	expect(leftOut).toContain('ada@@inbox The address has more than one @');
});

test('the report takes in what a catch-all check decides: headline, rows, filters and files, not what the API settled', async () => {
	const { visitor, apiKey, jobId, page } = await finishedList(EMAILS);
	await get(visitor, page);
	await startTask(apiKey, { jobId });
	await eventually(
		async () => expect(wordsOf(await get(visitor, page))).toContain('turned out deliverable'),
		200,
	);
	const html = await get(visitor, page);
	expect(wordsOf(html)).toContain('42% safe to send 3 of 7 addresses');
	expect(rowsOf(await get(visitor, `${page}?status=deliverable`))).toContain(
		'jane.doe@google-catch-all.test',
	);
	expect(rowsOf(await get(visitor, `${page}?reason=catch_all_invalid`))).toEqual(['ada@parked.test']);
	expect(rowsOf(await get(visitor, `${page}?reason=catch_all`))).toEqual(['ada@catch-all.test']);
	const rows = await fileOf(visitor, `${page}/download?status=catch_all&columns=all`);
	expect(rows.slice(1).map((cells) => cells.slice(0, 3))).toEqual([
		['jane.doe@google-catch-all.test', 'deliverable', 'catch_all_valid'],
		['ada@parked.test', 'undeliverable', 'catch_all_invalid'],
		['ada@catch-all.test', 'risky', 'catch_all'],
	]);
	const told = async () =>
		(await resultsOf(apiKey, jobId, '?status=catch_all')).results.map((row) => [
			row.status,
			row.catch_all_verdict,
		]);
	const verdicts = ['valid', 'invalid', 'unknown'];
	expect(await told()).toEqual(verdicts.map((verdict) => ['risky', verdict]));

	const catchAllTaskId = (await completed(apiKey, jobId)).at(-1)?.catchAllTaskId;
	const { text: forPrograms } = await call(service.url, apiKey, 'GET', `/v1/jobs/${jobId}/download`);
	const [header = [], ...cells] = forPrograms.split('\r\n').map((line) => line.split(','));
	// A reason may contain commas, so the column is counted from the end.
	const verdictAt = header.indexOf('catch_all_verdict') - header.length;
	expect(cells.map((row) => row.at(verdictAt)).filter(Boolean)).toEqual(verdicts);
	const files = {
		'a list, for people': (await visitor.get(`${page}/download?columns=all`)).text,
		'a list, for programs': forPrograms,
		'a catch-all check': (await getDownload(apiKey, catchAllTaskId ?? '')).text,
		'the ledger': (await visitor.get('/dashboard/credits.csv')).text,
	};
	const heads = Object.entries(files).map(([name, text]) => `${name}: ${text.split('\r\n')[0] ?? ''}\n`);
	await expect(heads.join('')).toMatchFileSnapshot('../golden/csv-heads.txt');
	// They belong to the task before while another one runs, whose answer names that one.
	const second = await startTask(apiKey, { jobId });
	expect(second.body).toMatchObject({ meta: { previousTaskId: catchAllTaskId } });
	expect(await told()).toEqual(verdicts.map((verdict) => ['risky', verdict]));
});

test('the report offers to ask again where it can help, once, and as a list of its own', async () => {
	const emails = ['nobody@slow-primary.test', 'ada@yahoo.test', 'ada@inbox.test'];
	const { visitor, apiKey, jobId, page } = await finishedList(emails, true);
	expect(rowsOf(await get(visitor, `${page}?reason=not_asked`))).toContain('nobody@slow-primary.test');
	expect(await get(visitor, page)).toContain(`href="${page}/again"`);
	// The cost is confirmed on a page of its own.
	const confirm = `${page}/again`;
	const asks = [await visitor.get(confirm), await visitor.get(confirm)];
	expect(wordsOf(asks[0]?.text ?? '')).toMatch(/at most \d+ credits?/);
	const [first = '', second] = await Promise.all(
		asks.map(async (asked) => (await visitor.post(confirm, hiddenFields(asked, confirm))).location ?? ''),
	);
	expect(second).toBe(first);
	expect(first).toContain('/dashboard/jobs/');
	expect(await get(visitor, page)).not.toContain(`href="${page}/again"`);
	const againId = first.split('/').at(-1) ?? '';
	await completed(apiKey, againId);
	expect(wordsOf(await get(visitor, page))).toContain('Asked again');
	expect(wordsOf(await get(visitor, first))).toContain('had no answer the first time');
	const again = await resultsOf(apiKey, againId);
	// How many were asked before it was finished is a matter of luck.
	const asked = again.results.find(({ email }) => email === 'nobody@slow-primary.test');
	expect(asked).toMatchObject({ details: { sub_status: 'rejected_email' } });
	// What the first list settled, and refunded, stays.
	const { results } = await resultsOf(apiKey, jobId);
	expect(results[0]).toMatchObject({ status: 'unknown', details: { sub_status: 'not_asked' } });
	const [, ...rows] = await fileOf(visitor, `${page}/download?q=slow`);
	expect(rows.map((cells) => cells.slice(0, 2))).toEqual([['nobody@slow-primary.test', 'unknown']]);
});
