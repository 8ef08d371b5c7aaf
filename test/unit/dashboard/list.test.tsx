import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STATUSES, SUB_STATUSES } from '../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { listPage } from '../../../src/dashboard/pages/list.tsx';
import type { ListData } from '../../../src/dashboard/pages/list.tsx';
import { readRowsQuery, rowsHref } from '../../../src/dashboard/pages/list-rows.tsx';
import { leftOut, list, TASK_ROWS } from '../../support/dashboard/job-pages.tsx';
import { htmlOf, PAGES, wordsOf } from '../../support/dashboard/pages.tsx';
import { report } from '../../support/dashboard/report-samples.ts';
import { job, NOW, task, view, workingJob } from '../../support/dashboard/samples.ts';

// The page of one list, and of one catch-all check of a list.

const drawn = (data: Partial<ListData>) => htmlOf(listPage.draw(view, { ...list, ...data }));
const atWork = (more: Partial<typeof workingJob>) =>
	drawn({ job: { ...workingJob, ...more }, report: null, shown: null });

describe('a script asks for one part of the page again and again', () => {
	/** What stands before that part, in it, and behind it. */
	function cut(page: string): readonly [string, string, string] {
		const [from, to] = [page.indexOf('<div data-live'), page.indexOf('<p id="live-says"')];
		return [page.slice(0, from), page.slice(from, to), page.slice(to)];
	}
	const moved = { processed: 7_700, creditsUsed: 7_602, creditsReserved: 12_320 };
	const check = { ...task, status: 'processing' as const, processed: 400 };
	test.each([
		['a list at work', { job: workingJob }, { job: { ...workingJob, ...moved } }],
		['a catch-all check at work', { job: check }, { job: { ...check, processed: 431, creditsUsed: 12 } }],
		['a later check of a finished list', { checks: [check] }, { checks: [{ ...check, processed: 431 }] }],
	])('%s: every figure that moves is in it', async (_, now, then) => {
		const finished = 'checks' in now ? {} : { report: null, shown: null };
		const [before, after] = [
			cut(await drawn({ ...finished, ...now })),
			cut(await drawn({ ...finished, ...then })),
		];
		expect(after[1]).not.toBe(before[1]);
		expect(before[1]).not.toContain(' data-done=');
		expect([after[0], after[2]]).toEqual([before[0], before[2]]);
	});

	test('what has ended is not asked for again', async () => {
		expect(cut(await drawn({}))[1]).toContain(' data-done=');
	});
});

test.each([
	['a job whose pace is known', {}, 'Done in about 18 min'],
	['one whose rows wait for longer', { lastDueAt: NOW + 3 * 3_600_000 }, 'Done in about 3 h'],
	['one that nothing is known of', { processed: 0 }, null],
	['one that is seconds away', { processed: 19_990, lastDueAt: null }, null],
])('%s says when it will be done: $2', async (_, changes, words) => {
	const text = await atWork(changes);
	if (words === null) expect(text).not.toContain('Done in about');
	else expect(text).toContain(words);
});

test('a list at work offers to mail its owner, or not to any more', async () => {
	for (const [mailWhenDone, wanted, words] of [
		[false, 'yes', 'Email me'],
		[true, 'no', 'Don’t email me'],
	] as const)
		expect(await atWork({ mailWhenDone })).toMatch(
			new RegExp(`name="wanted" value="${wanted}"[^]*>${words} when it is done<`),
		);
});

test('a list whose addresses wait says how many, and why they may', async () => {
	const text = await atWork({ waiting: 1_200 });
	expect(text).toContain('1,200 addresses wait: for our turn');
	expect(text).toContain('something failed on our side. We retry without your help.');
});

test('a list that we slow ourselves says that we do, why, and until when by the slowest pace', async () => {
	const words = (await htmlOf(PAGES['job-slowed'])).replaceAll(/<[^>]*>/g, '');
	expect(words).toContain(
		'738 addresses wait: 99% of your names at acme.example do not exist, so we ask there slowly.',
	);
	// The 738 of 12 a minute, and not the minute that the pace so far would take.
	expect(words).toContain('Done in about 2 h: 738 addresses at acme.example, where we ask about 12 a minute');
});

test.each([
	[NOW, 'Stopped early: 2,355 of 17,183 answered. The others cost nothing.'],
	[null, null],
])(
	'a list that was finished early, %s, says how many were answered, and blames no mail server',
	async (at, said) => {
		const reasons = [
			{ reason: 'not_asked' as const, count: 14_828 },
			{ reason: 'accepted_email' as const, count: 2_355 },
		];
		const words = wordsOf(
			await drawn({ job: { ...job, finishedAt: at }, report: { ...report, total: 17_183, reasons } }),
		);
		if (said === null) expect(words).not.toContain('Stopped early');
		else expect(words).toContain(said);
		expect(words).not.toMatch(/Stopped early[^.]*(server|limit|timed out)/);
	},
);

test.each([
	['probe_blocked 222', '222 addresses have no answer: their servers block us'],
	['timeout 1', '1 address has no answer: their servers took too long'],
	[
		'greylisted 90,not_asked 7',
		'97 addresses have no answer, most often because their servers asked us to come back later',
	],
])('a list whose unknown answers are %s says why', async (unknown, words) => {
	const reasons = unknown.split(',').map((one) => {
		const [reason, count] = one.split(' ') as [SubStatus, string];
		return { reason, count: Number(count) };
	});
	const mayAnswerLater = reasons.reduce((sum, { count }) => sum + count, 0);
	const html = await drawn({ report: { ...report, reasons, mayAnswerLater } });
	expect(html).toContain(`<h3>${words}</h3>`);
	expect(await drawn({ report, job: { ...job, againJobId: 'job_again' } })).not.toContain('have no answer');
});

test('the rows of the file that hold no address are counted among those left out', async () => {
	const rows = { submitted: 10, duplicates: 2, invalid: 1 };
	expect(wordsOf(await drawn({ job: { ...job, ...rows }, fileRows: 14 }))).toContain(
		'2 rows repeat an earlier address, 1 row is not a valid address and 4 rows have no address. They were left out',
	);
});

test('a name of the API is one that people can see and type', async () => {
	const named = (name: string) => drawn({ job: { ...job, name } });
	for (const name of ['\u0000\u0007', ' \u200B'])
		expect(await named(name)).toMatch(/<h1[^>]*>(?:API l|L)ist, /);
	expect(await named('July\u0000\r\nnews')).toMatch(/<h1[^>]*>July news</);
});

test('no link leads to rows that were deleted with the results', async () => {
	expect(await drawn({})).toContain('See what was left out');
	expect(await htmlOf(PAGES['job-expired'])).not.toContain('See what was left out');
	expect(await atWork({ status: 'failed', deletedAt: NOW })).not.toMatch(/See what was left out|Delete list/);
});

test('rows that were left out are shown on a page of usual size, however long what they hold is', async () => {
	const rows = Array.from({ length: 50 }, (_, index) => ({
		index,
		value: '.a'.repeat(100_000),
		reason: 'malformed' as const,
		duplicateOf: null,
	}));
	const page = await drawn({ shown: leftOut(rows) });
	expect(page.length).toBeLessThan(150_000);
	expect(page).toContain('…');
});

test('each answer of a catch-all check has its breakdown and its conversation', async () => {
	const words = wordsOf(await htmlOf(PAGES['task']));
	expect(words.match(/The conversation/g)).toHaveLength(TASK_ROWS.length);
	expect(words.match(/Starting score/g)).toHaveLength(TASK_ROWS.length);
	expect(words).toContain('250 2.1.5');
	expect(words).toContain('catch_all_unresolved');
	expect(words).toContain('+5 points of the score come from the list’s other addresses');
	expect(words).not.toContain('A single verification has nothing');
});

test('a link to some rows shows those rows, and one that means nothing shows all', () => {
	const queries = fc.record({
		status: fc.constantFrom(null, ...STATUSES, 'catch_all' as const, 'left_out' as const),
		reason: fc.constantFrom(null, ...(Object.keys(SUB_STATUSES) as SubStatus[])),
		q: fc.constantFrom('', 'ada@x.test', 'ä&b=c #d', '"odd"'),
	});
	const readFrom = (href: string) => {
		const { searchParams } = new URL(href, 'https://x.test');
		return readRowsQuery((name) => searchParams.get(name) ?? undefined);
	};
	fc.assert(
		fc.property(queries, fc.integer({ min: 1, max: 9 }), (query, page) => {
			const href = rowsHref('/dashboard/jobs/job_1', query, page);
			expect(readFrom(href)).toEqual(query);
			expect(href.includes('page=')).toBe(page > 1);
		}),
	);
	for (const odd of ['status=valid', 'reason=toString', 'reason=', 'q=%20%20', ''])
		expect(readFrom(`/dashboard/jobs/job_1?${odd}`)).toEqual({ status: null, reason: null, q: '' });
});
