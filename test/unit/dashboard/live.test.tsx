import { expect, test } from 'vitest';
import { creditsPlace } from '../../../src/dashboard/pages/credits.tsx';
import { homePlace } from '../../../src/dashboard/pages/home.tsx';
import { LaterChecks } from '../../../src/dashboard/pages/jobs/job-next-steps.tsx';
import { JobLive, JobPage } from '../../../src/dashboard/pages/jobs/job.tsx';
import { TaskLive, TaskPage } from '../../../src/dashboard/pages/jobs/task.tsx';
import { credits } from '../../support/dashboard/credit-pages.tsx';
import { home, htmlOf, PAGES } from '../../support/dashboard/pages.tsx';
import { report } from '../../support/dashboard/report-samples.ts';
import { job as finishedJob, task, view, workingJob } from '../../support/dashboard/samples.ts';

// A script asks for one part of a page again and again. What can change while work goes on has to be inside of it.

const later = { ...view, now: view.now + 60_000 };
const workingTask = { ...task, status: 'processing' as const, processed: 431, completedAt: null };

const jobPage = (at: typeof view, job: typeof workingJob) =>
	htmlOf(
		<JobPage
			view={at}
			job={job}
			report={null}
			newest={[]}
			slowed={null}
			fileRows={null}
			available={10}
			tasks={[]}
			again={null}
			source={null}
			error={null}
		/>,
	);
const workingCheck = { ...workingJob, jobId: 'cat_1', kind: 'catchall' as const };
const checkedPage = (at: typeof view, check: typeof workingJob) =>
	htmlOf(
		<JobPage
			view={at}
			job={finishedJob}
			report={report}
			newest={[]}
			slowed={null}
			fileRows={null}
			available={10}
			tasks={[check]}
			again={null}
			source={null}
			error={null}
		/>,
	);
const taskPage = (at: typeof view, shown: typeof workingTask) =>
	htmlOf(<TaskPage view={at} task={shown} shown={null} />);

test.each([
	[
		'a list',
		() => jobPage(view, workingJob),
		() => jobPage(view, { ...workingJob, ...moved(workingJob) }),
		() => htmlOf(<JobLive view={view} job={workingJob} newest={[]} slowed={null} />),
	],
	[
		'a catch-all check',
		() => taskPage(view, workingTask),
		() => taskPage(view, { ...workingTask, ...moved(workingTask) }),
		() => htmlOf(<TaskLive view={view} task={workingTask} />),
	],
])(
	'%s at work: every figure that moves is in the part that is asked for again',
	async (_, before, after, part) => {
		const live = (await part()).replace('<!doctype html>', '');
		const [page, next] = [await before(), await after()];
		expect(page).toContain(live);
		expect(next).not.toBe(page);
		// What is left of both is the same, so nothing outside of the part moved.
		const from = page.indexOf(live);
		expect(next.slice(0, from)).toBe(page.slice(0, from));
		const rest = page.slice(from + live.length);
		expect(next.endsWith(rest)).toBe(true);
		expect(rest).not.toMatch(/credits|Reserved/i);
	},
);

test('of a finished list, the later checks at work are the part that is asked for again, and no other figure moves', async () => {
	const live = await htmlOf(<LaterChecks job={finishedJob} tasks={[workingCheck]} again={null} />);
	const part = live.replace('<!doctype html>', '');
	const page = await checkedPage(view, workingCheck);
	const next = await checkedPage(view, { ...workingCheck, ...moved(workingCheck) });
	const [before = '', after = '', ...more] = page.split(part);
	expect(more).toEqual([]);
	expect(next).not.toBe(page);
	expect([next.startsWith(before), next.endsWith(after)]).toEqual([true, true]);
	const done = { ...workingCheck, status: 'completed' as const };
	expect(part).not.toContain(' data-done=');
	expect(await htmlOf(<LaterChecks job={finishedJob} tasks={[done]} again={null} />)).toContain(
		' data-done=',
	);
});

test('credits and Home at work: what moves is asked for again, until nothing is reserved and no list runs', async () => {
	const creditsOf = async (more: Partial<typeof credits>) =>
		htmlOf(creditsPlace.draw(view, { ...credits, ...more }));
	const moving = await creditsOf({});
	expect(moving).toMatch(/<div data-live="[^"]*"><section.*12,341.*12,341 still reserved/s);
	const balance = { ...credits.balance, availableCredits: 48_158, reservedCredits: 0 };
	expect(await creditsOf({ balance })).toContain('data-done');
	// Older lines do not move.
	expect(await creditsOf({ isNewest: false })).toContain('data-done');
	const working = await htmlOf(homePlace.draw(view, home));
	expect(working).toMatch(/<div data-live="[^"]*"><section.*7,659 of 20,000 addresses/s);
	expect(await htmlOf(homePlace.draw(view, { ...home, running: [] }))).not.toContain('data-live');
});

test.each([
	['a job whose pace is known', {}, 'Done in about 18 min'],
	['one whose rows wait for longer', { lastDueAt: view.now + 3 * 3_600_000 }, 'Done in about 3 h'],
	['one that nothing is known of', { processed: 0 }, null],
	['one that is seconds away', { processed: 19_990, lastDueAt: null }, null],
])('%s says when it will be done: $2', async (_, changes, words) => {
	const text = await htmlOf(
		<JobLive view={view} newest={[]} slowed={null} job={{ ...workingJob, ...changes }} />,
	);
	if (words === null) expect(text).not.toContain('Done in about');
	else expect(text).toContain(words);
});

test('a list whose addresses wait says how many, and why they may', async () => {
	const text = await htmlOf(
		<JobLive view={view} newest={[]} slowed={null} job={{ ...workingJob, waiting: 1_200 }} />,
	);
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

test('what has ended is not asked for again', async () => {
	const done = { ...workingJob, status: 'completed' as const, completedAt: view.now };
	expect(await htmlOf(<JobLive view={later} newest={[]} slowed={null} job={done} />)).toContain(
		' data-done=',
	);
	expect(await htmlOf(<JobLive view={later} newest={[]} slowed={null} job={workingJob} />)).not.toContain(
		' data-done=',
	);
});

/** The same a moment later. */
function moved(work: Pick<typeof workingJob, 'processed' | 'creditsUsed' | 'creditsReserved'>) {
	return {
		processed: work.processed + 7,
		creditsUsed: work.creditsUsed + 5,
		creditsReserved: work.creditsReserved + 1,
	};
}
