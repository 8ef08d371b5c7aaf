import type { Hono } from 'hono';
import { JOB_KINDS, requireKind } from '../../core/jobs/kinds/kinds.ts';
import { ServiceError } from '../../errors.ts';
import { RESULT_FILTERS } from '../../http/job-schemas.ts';
import { askAgain } from '../../operations/jobs/ask-again.ts';
import { downloadResults } from '../../operations/jobs/download-results.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { readResults } from '../../operations/jobs/read-results.ts';
import type { ResultList } from '../../core/jobs/pages.ts';
import { searchResults } from '../../operations/jobs/search-results.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { withBareForm } from '../forms.ts';
import { readPage, viewOf } from '../make-view.ts';
import { suspended } from '../page-error.ts';
import { JobLive, JobPage } from '../pages/job.tsx';
import type { ShownResults } from '../pages/job-results.tsx';
import { ownerOf, signedInOf } from '../session.ts';
import { showPage, showPart } from '../show-page.ts';

const JOB = '/dashboard/jobs/:jobId';
const LIMIT = 25;
// An address has at most 254 characters.
const SEARCH_MAX = 254;

/** The page of one list and its results. */
export function addJobPages(app: Hono<DashboardEnv>): void {
	app.get(JOB, async (c) => showJob(c, null));
	app.get(`${JOB}/live`, async (c) => {
		const job = await requireJob(c);
		return showPart(c, <JobLive view={viewOf(c)} job={job} />);
	});
	app.get(`${JOB}/download`, async (c) => {
		const repeats = c.req.query('repeats') === 'left_out' ? 'left_out' : 'kept';
		const request = { job: await requireJob(c), list: listOf(c), repeats } as const;
		const { fileName, body } = await downloadResults(c.var.services, request);
		return c.body(body, 200, {
			'Content-Type': 'text/csv; charset=utf-8',
			'Content-Disposition': `attachment; filename="${fileName}"`,
		});
	});
	app.post(`${JOB}/again`, withBareForm, async (c) => {
		if (signedInOf(c).suspendedAt !== null) throw suspended();
		const { services } = c.var;
		services.requireProber();
		const request = { job: await requireJob(c), formId: c.var.formId };
		try {
			const { jobId } = await askAgain(services, ownerOf(c), request);
			return c.redirect(`/dashboard/jobs/${jobId}`, 303);
		} catch (error) {
			if (error instanceof ServiceError && error.status !== 503) return showJob(c, error.message, 422);
			throw error;
		}
	});
}

/** Shows the page of one list. */
export async function showJob(
	c: PageContext,
	error: string | null,
	status: 200 | 422 = 200,
): Promise<Response> {
	const { services } = c.var;
	const job = await requireJob(c);
	const account = services.accounts(signedInOf(c).user.accountId);
	const [shown, { balance }, tasks] = await Promise.all([
		findResults(c, job),
		account.show(),
		account.tasksOf(job.jobId),
	]);
	const page = {
		job,
		shown,
		available: balance.availableCredits,
		tasks: tasks.map(({ jobId: taskId, name, createdAt }) => ({ taskId, name, createdAt })),
		error,
	};
	return showPage(c, <JobPage view={viewOf(c)} {...page} />, status);
}

/** Null without results: working, failed or expired. */
async function findResults(c: PageContext, job: JobRecord): Promise<ShownResults | null> {
	const list = listOf(c);
	const search = (c.req.query('q') ?? '').trim().slice(0, SEARCH_MAX);
	const request = { job, page: readPage(c), limit: LIMIT, list };
	try {
		const [found, fromFile] = await Promise.all([
			search === ''
				? readResults(c.var.services, request).then((read) => ({ ...read, inAll: job.accepted }))
				: searchResults(c.var.services, { ...request, text: search }),
			c.var.services.uploadBlobs.hasOriginal(job.jobId),
		]);
		return { ...found, list, search, fromFile };
	} catch (error) {
		const isNotThere = error instanceof ServiceError && (error.status === 409 || error.status === 410);
		if (isNotThere) return null;
		throw error;
	}
}

function listOf(c: PageContext): ResultList {
	const status = c.req.query('status');
	return RESULT_FILTERS.find((filter) => filter === status) ?? 'all';
}

/** The job in the path; it must belong to the account of the person who is signed in. */
export async function requireJob(c: PageContext): Promise<JobRecord> {
	const { accounts } = c.var.services;
	const job = await accounts(signedInOf(c).user.accountId).findJob(c.req.param('jobId') ?? '');
	return requireKind(job, 'verification', JOB_KINDS.verification.onPages.noun);
}
