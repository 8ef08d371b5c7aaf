import Papa from 'papaparse';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { expectSums } from '../support/sums.ts';
import { anyTime, balanceOf, expectFailure } from './api.ts';
import {
	SLOW_TOO,
	finished,
	getDownload,
	getJob,
	sourceJob,
	startTask,
	taskIn,
	verdictsOf,
} from './jobs-api.ts';
import type { Row, Task } from './jobs-api.ts';

// A catch-all task from its start to its file. What is not ready or gone: results.test.ts; how tasks run: test/worker.

const service = inject('service');
const BODY_OCTETS_MAX = 1_048_576;

// A name of which a spreadsheet would make a formula, and one that RFC 4180 has quoted; others: test/unit/csv/write.test.ts.
const ODD = ['=1+1@parked.test', '"say \\"hi, all\\""@parked.test'];
const PEOPLE =
	'anna.schmidt peter.becker maria.wagner thomas.novak laura.rossi martin.weber Julia.Keller'.split(' ');
const SOURCE = [
	'ada@inbox.test',
	...PEOPLE.flatMap((person) => [
		`${person}@google-catch-all.test`,
		`${person}@parked.test`,
		`${person}@catch-all.test`,
	]),
	'nobody@inbox.test',
	'gone@catch-all-but-gone.test',
	'jane.doe@gateway.test',
	SLOW_TOO,
	...ODD,
	'ada@servfail.test',
];
const LISTED = SOURCE.filter((email) => !/@(?:inbox|servfail)\.test$/.test(email));

describe('a task', () => {
	let apiKey = '';
	let task: Task;
	let states: readonly Task[] = [];
	let whole: readonly Row[] = [];

	beforeAll(async () => {
		({ apiKey } = await makeAccount(service, 200));
		const jobId = await sourceJob(apiKey, SOURCE);
		// Fields that nobody knows are ignored, up to a MiB.
		const name = 'n'.repeat(255);
		const body = JSON.stringify({ jobId, name, validationFlags: [], status: 'any' }).padEnd(BODY_OCTETS_MAX);
		task = taskIn(await startTask(apiKey, body));
		expect(task).toMatchObject({ sourceJobId: jobId, name, creditsRequired: LISTED.length });
		const { reservedCredits } = await balanceOf(apiKey);
		expect((await getJob(apiKey, jobId)).body).toMatchObject({ data: { catchAllTaskId: task.taskId } });
		states = await finished(apiKey, task.taskId);
		// Some of its addresses may have had their answers by then.
		expect(reservedCredits).toBeLessThanOrEqual(LISTED.length);
		expect(reservedCredits + (states[0]?.processedEmails ?? 0)).toBeGreaterThanOrEqual(LISTED.length);
		whole = (await verdictsOf(apiKey, task.taskId)).results;
	});

	test('shows its figures live: none ever falls, and at the end everything is accounted for', async () => {
		const total = LISTED.length;
		for (const { verdictCounts, creditsUsed, creditsRefunded } of states) {
			const { valid, invalid, unknown } = verdictCounts;
			expect([creditsUsed, creditsRefunded]).toEqual([valid + invalid, unknown]);
		}
		const isAmid = ({ processedEmails }: Task): boolean => processedEmails > 0 && processedEmails < total;
		expect(states.some(isAmid)).toBe(true);
		const last = states.at(-1)!;
		const ended = { status: 'completed', waitingEmails: 0, completedAt: anyTime, resultsExpired: false };
		expect(last).toMatchObject(ended);
		const lasting = Date.parse(last.resultsExpiresAt ?? '') - Date.parse(last.completedAt ?? '');
		expect(lasting).toBe(48 * 3_600_000);
		const unknown = whole.filter(({ verdict }) => verdict === 'unknown').length;
		expect(unknown).toBeGreaterThan(0);
		expect([last.verdictCounts.unknown, last.creditsUsed]).toEqual([unknown, total - unknown]);
		expect(await balanceOf(apiKey)).toMatchObject({
			reservedCredits: 0,
			totalConsumed: SOURCE.length - 1 + last.creditsUsed,
			totalRefunded: 1 + unknown,
			transactionCount: 3,
		});
	});

	test('has the catch-all rows of its source and no others, each with a score that agrees with its verdict', () => {
		expect(whole.map(({ email }) => email)).toEqual(LISTED);
		for (const row of whole) {
			expectSums(row);
			expect(Number.isInteger(row.score), row.email).toBe(true);
			const [least, most] = { valid: [80, 100], unknown: [21, 79], invalid: [0, 20] }[row.verdict];
			expect(row.score, row.email).toBeGreaterThanOrEqual(least ?? 0);
			expect(row.score, row.email).toBeLessThanOrEqual(most ?? 100);
		}
		const verdictOf = new Map(whole.map(({ email, verdict }) => [email, verdict]));
		expect(
			PEOPLE.map((person) => [
				verdictOf.get(`${person}@google-catch-all.test`),
				verdictOf.get(`${person}@parked.test`),
				verdictOf.get(`${person}@catch-all.test`),
			]),
			// Of the last domain nothing but the list speaks for them: seven known names, written alike.
		).toEqual(PEOPLE.map(() => ['valid', 'invalid', 'valid']));
	});

	test('is a file of the same rows, in which no cell is run as a formula', async () => {
		const { status, headers, text } = await getDownload(apiKey, task.taskId);
		expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
		expect(headers.get('content-disposition')).toBe(`attachment; filename="${task.taskId}.csv"`);
		const { data, errors } = Papa.parse<string[]>(text);
		expect(errors).toEqual([]);
		expect(data).toEqual([
			['Email', 'Score', 'Verdict'],
			...whole.map(({ email, score, verdict }) => [email.replace(/^=/, "'="), String(score), verdict]),
			[''],
		]);
	});

	test.each(['valid', 'invalid'] as const)('can be filtered, pages and file: %s', async (verdict) => {
		const expected = whole.filter((row) => row.verdict === verdict);
		const { results, pagination } = await verdictsOf(apiKey, task.taskId, `?limit=500&verdict=${verdict}`);
		expect([results, pagination.total, pagination.pages]).toEqual([expected, expected.length, 1]);
		const second = await verdictsOf(apiKey, task.taskId, `?limit=3&page=2&verdict=${verdict}`);
		expect(second.results).toEqual(expected.slice(3, 6));
		const { headers, text } = await getDownload(apiKey, task.taskId, `?verdict=${verdict}`);
		const name = `attachment; filename="${task.taskId}-${verdict}.csv"`;
		expect(headers.get('content-disposition')).toBe(name);
		const { data } = Papa.parse<string[]>(text.trimEnd());
		expect(data.slice(1).map(([, , cell]) => cell)).toEqual(expected.map(() => verdict));
	});
});

test('a task over a job without catch-all rows is completed at once; one that costs too much is a 402', async () => {
	const { apiKey } = await makeAccount(service, 4);
	const empty = taskIn(await startTask(apiKey, { jobId: await sourceJob(apiKey, ['ada@inbox.test']) }));
	expect(empty).toMatchObject({ status: 'completed', totalEmails: 0, completedAt: empty.createdAt });
	const pagination = { total: 0, page: 1, limit: 500, pages: 0, hasNextPage: false };
	expect(await verdictsOf(apiKey, empty.taskId)).toMatchObject({ results: [], pagination });
	expect((await getDownload(apiKey, empty.taskId)).text).toBe('Email,Score,Verdict\r\n');
	const jobId = await sourceJob(apiKey, ['jane.doe@google-catch-all.test', 'ada@catch-all.test']);
	const before = await balanceOf(apiKey);
	expect(before).toMatchObject({ availableCredits: 1 });
	expectFailure(await startTask(apiKey, { jobId }), 402);
	expect(await balanceOf(apiKey)).toEqual(before);
});
