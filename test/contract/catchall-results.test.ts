import Papa from 'papaparse';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { makeAccount } from '../support/service.ts';
import { expectSums } from '../support/sums.ts';
import { balanceOf, expectFailure, expectNotReady } from './api.ts';
import {
	SLOW,
	finished,
	getDownload,
	getVerdicts,
	sourceJob,
	startedTask,
	taskOf,
	verdictsOf,
} from './catchall-api.ts';
import type { Row } from './catchall-api.ts';

// GET /v1/catchall/:taskId/results and /download

const service = inject('service');

// The names of which a spreadsheet would make a formula, and those that RFC 4180 has quoted.
const ODD = [
	'=1+1@parked.test',
	'"=1+1"@parked.test',
	'+tag@parked.test',
	'-x@parked.test',
	'"a,b"@parked.test',
	'"say \\"hi\\""@parked.test',
	'"semi;colon"@parked.test',
];
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
	...ODD,
	'ada@servfail.test',
];
const LISTED = SOURCE.filter((email) => !/@(?:inbox|servfail)\.test$/.test(email));

/** The address as a spreadsheet is safe from it. */
function safe(email: string): string {
	return /^[=+\-@\t\r]/.test(email) ? `'${email}` : email;
}

describe('the results of a task', () => {
	let apiKey = '';
	let taskId = '';
	let whole: readonly Row[] = [];

	beforeAll(async () => {
		({ apiKey } = await makeAccount(service, 200));
		const { taskId: id } = await startedTask(apiKey, await sourceJob(apiKey, SOURCE));
		taskId = id;
		await finished(apiKey, taskId);
		whole = (await verdictsOf(apiKey, taskId)).results;
	});

	test('are the catch-all rows of the source and no others, in its order and spelling', () => {
		expect(whole.map(({ email }) => email)).toEqual(LISTED);
	});

	test('say of each row a verdict, a whole score that agrees with it, and a breakdown that adds up to it', () => {
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

	test('can be filtered by valid and by invalid; unknown rows are in neither, listed and refunded', async () => {
		const { verdictCounts, creditsUsed, creditsRefunded } = await taskOf(apiKey, taskId);
		for (const verdict of ['valid', 'invalid'] as const) {
			const expected = whole.filter((row) => row.verdict === verdict);
			const { results, pagination } = await verdictsOf(apiKey, taskId, `?limit=500&verdict=${verdict}`);
			expect(results).toEqual(expected);
			expect(pagination).toMatchObject({ total: expected.length, pages: 1 });
			expect(verdictCounts[verdict]).toBe(expected.length);
			const second = await verdictsOf(apiKey, taskId, `?limit=3&page=2&verdict=${verdict}`);
			expect(second.results).toEqual(expected.slice(3, 6));
		}
		const unknown = whole.filter(({ verdict }) => verdict === 'unknown').length;
		expect(unknown).toBeGreaterThan(0);
		expect([verdictCounts.unknown, creditsRefunded]).toEqual([unknown, unknown]);
		expect(creditsUsed).toBe(LISTED.length - unknown);
		const balance = await balanceOf(apiKey);
		expect(balance).toMatchObject({ reservedCredits: 0, totalConsumed: SOURCE.length - 1 + creditsUsed });
		expect(balance.totalRefunded).toBe(1 + unknown);
	});

	describe('as CSV', () => {
		test('are a file of its own name with the columns Email, Score, Verdict', async () => {
			const { status, headers, text } = await getDownload(apiKey, taskId);
			expect(status).toBe(200);
			expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
			expect(headers.get('content-disposition')).toBe(`attachment; filename="${taskId}.csv"`);
			expect(text.startsWith('Email,Score,Verdict\r\n')).toBe(true);
			expect(text.endsWith('\r\n')).toBe(true);
			// Every line break is CRLF: no cell holds one here.
			expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
		});

		test('hold the same rows as the pages, and no cell that a spreadsheet runs as a formula', async () => {
			const { text } = await getDownload(apiKey, taskId);
			const { data, errors } = Papa.parse<string[]>(text.trimEnd());
			expect(errors).toEqual([]);
			expect(data.slice(1)).toEqual(
				whole.map(({ email, score, verdict }) => [safe(email), String(score), verdict]),
			);
			expect(data.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
		});

		test.each(['valid', 'invalid'] as const)('can be filtered: %s', async (verdict) => {
			const { headers, text } = await getDownload(apiKey, taskId, `?verdict=${verdict}`);
			expect(headers.get('content-disposition')).toBe(`attachment; filename="${taskId}-${verdict}.csv"`);
			const { data } = Papa.parse<string[]>(text.trimEnd());
			const expected = whole.filter((row) => row.verdict === verdict);
			expect(data).toHaveLength(1 + expected.length);
			expect(new Set(data.slice(1).map(([, , cell]) => cell))).toEqual(new Set([verdict]));
		});
	});

	test('are a 409 with its status while the task runs, the CSV too', async () => {
		const account = await makeAccount(service);
		const running = await startedTask(account.apiKey, await sourceJob(account.apiKey, [SLOW]));
		for (const read of [getVerdicts, getDownload]) {
			const said = expectNotReady(await read(account.apiKey, running.taskId), 'processing', 'task');
			expect(said).toMatch(/processing/);
			// A wrong query is told first.
			expectFailure(await read(account.apiKey, running.taskId, '?verdict=x'), 400);
		}
	});
});
