import type { Hono } from 'hono';
import { contentDisposition } from '../../core/csv/write.ts';
import { RESULT_COLUMNS } from '../../core/csv/result-columns.ts';
import { JOB_KINDS, requireKind } from '../../core/jobs/kinds.ts';
import { REJECTED_REASONS } from '../../core/jobs/clean-list.ts';
import { LIST_ORDER, NO_FILTER } from '../../core/jobs/report/filter.ts';
import { renderListed } from '../../core/jobs/report/listed-row.ts';
import type { ListedRow } from '../../core/jobs/report/listed-row.ts';
import type { Report } from '../../core/jobs/report/report.ts';
import { evidenceIn, listEffectIn } from '../../core/jobs/stored-row.ts';
import { ServiceError } from '../../errors.ts';
import { askAgain } from '../../operations/jobs/manage-job.ts';
import { FILE_FORMATS, downloadResults } from '../../operations/jobs/download-results.ts';
import { readRejected, readReport } from '../../operations/jobs/read-job.ts';
import { readMoving } from '../../operations/jobs/read-moving.ts';
import { findRows } from '../../operations/jobs/find-rows.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { requireResults } from '../../operations/jobs/steps/stored-results.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { withBareForm } from '../forms.ts';
import { listHref, listParameters, readListQuery } from '../list-query.ts';
import type { ListQuery } from '../list-query.ts';
import { readPage, viewOf } from '../make-view.ts';
import { PageError, suspended } from '../page-error.ts';
import { DownloadPage } from '../pages/jobs/job-download.tsx';
import { LaterChecks } from '../pages/jobs/job-next-steps.tsx';
import { LeftOutPage } from '../pages/jobs/job-left-out.tsx';
import { AgainPage } from '../pages/jobs/job-actions.tsx';
import { JobLive, JobPage } from '../pages/jobs/job.tsx';
import { CostPage } from '../pages/jobs/job-facts.tsx';
import { ResultsPage } from '../pages/jobs/job-results.tsx';
import type { ShownResults, ShownRow } from '../pages/jobs/job-results.tsx';
import { RowPage } from '../pages/jobs/job-row.tsx';
import { ownerOf, signedInOf } from '../session.ts';
import { showPage, showPart } from '../show-page.ts';

const JOB = '/dashboard/jobs/:jobId';
const LIMIT = 25;

const MEDIA_TYPES = {
	csv: 'text/csv; charset=utf-8',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<(typeof FILE_FORMATS)[number], string>;

/** The page of one list, its rows and its files. */
export function addJobPages(app: Hono<DashboardEnv>): void {
	app.get(JOB, async (c) => {
		// Where links of earlier versions show rows.
		const words = listParameters(queryOf(c));
		if (words.length > 0) return c.redirect(listHref(c.req.param('jobId'), queryOf(c)), 303);
		return showJob(c, null);
	});
	app.get(`${JOB}/results`, async (c) => {
		const job = await requireJob(c);
		if (!hasResults(c, job)) return c.redirect(`/dashboard/jobs/${job.jobId}`, 303);
		return showPage(c, <ResultsPage view={viewOf(c)} job={job} shown={await readShown(c, job)} />);
	});
	app.get(`${JOB}/rows/:index`, showRow);
	app.get(`${JOB}/cost`, async (c) => {
		const job = await requireJob(c);
		const [report, checks] = await Promise.all([findReport(c, job), findChecks(c, job)]);
		if (report === null) return c.redirect(`/dashboard/jobs/${job.jobId}`, 303);
		return showPage(c, <CostPage view={viewOf(c)} job={job} {...checks} report={report} />);
	});
	app.get(`${JOB}/live`, async (c) => {
		const job = await requireJob(c);
		const moving = await readMoving(c.var.services, ownerOf(c), { job });
		return showPart(c, <JobLive view={viewOf(c)} job={job} {...moving} />);
	});
	app.get(`${JOB}/checks`, async (c) => {
		const job = await requireJob(c);
		const checks = await findChecks(c, job);
		return showPart(c, <LaterChecks job={job} {...checks} />);
	});
	app.get(`${JOB}/left-out`, showLeftOut);
	app.get(`${JOB}/export`, async (c) => {
		const job = await requireJob(c);
		requireResults(job, c.var.services.clock.now());
		const { query, pagination, fileRows } = await readShown(c, job);
		const page = { job, rows: { query, total: pagination.total }, fileRows };
		return showPage(c, <DownloadPage view={viewOf(c)} {...page} />);
	});
	app.get(`${JOB}/download`, download);
	app.get(`${JOB}/again`, async (c) => {
		const job = await requireJob(c);
		if (job.status !== 'completed' || job.againJobId !== null)
			return c.redirect(`/dashboard/jobs/${job.jobId}`, 303);
		const { mayAnswerLater } = await readReport(c.var.services, { job });
		const { balance } = await c.var.services.accounts(signedInOf(c).user.accountId).show();
		const page = { view: viewOf(c), job, addresses: mayAnswerLater, available: balance.availableCredits };
		return showPage(c, <AgainPage {...page} />);
	});
	app.post(`${JOB}/again`, withBareForm, async (c) => {
		if (signedInOf(c).suspendedAt !== null) throw suspended();
		const { services } = c.var;
		services.requireProber();
		const job = await requireJob(c);
		try {
			const { jobId } = await askAgain(services, ownerOf(c), { job });
			return c.redirect(`/dashboard/jobs/${jobId}`, 303);
		} catch (error) {
			if (error instanceof ServiceError && error.status !== 503) return showJob(c, error.message, 422);
			throw error;
		}
	});
}

async function download(c: PageContext): Promise<Response> {
	const job = await requireJob(c);
	const { filter } = queryOf(c);
	const format = FILE_FORMATS.find((word) => word === c.req.query('format')) ?? 'csv';
	const chosen = c.req.queries('columns') ?? [];
	const columns = RESULT_COLUMNS.filter((name) => chosen.includes(name));
	const { fileName, body } = await downloadResults(c.var.services, {
		job,
		filter: c.req.query('rows') === 'all' ? NO_FILTER : filter,
		repeats: c.req.query('repeats') === 'left_out' ? 'left_out' : 'kept',
		columns: columns.length === 0 ? RESULT_COLUMNS : columns,
		format,
	});
	return c.body(body, 200, {
		'Content-Type': MEDIA_TYPES[format],
		'Content-Disposition': contentDisposition(fileName),
	});
}

async function showLeftOut(c: PageContext): Promise<Response> {
	const job = await requireJob(c);
	const reason = REJECTED_REASONS.find((word) => word === c.req.query('why')) ?? null;
	const request = { job, reason, page: readPage(c), limit: LIMIT };
	const { rejected, pagination } = await readRejected(c.var.services, request);
	const page = { job, reason, rows: rejected, pagination };
	return showPage(c, <LeftOutPage view={viewOf(c)} {...page} />);
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
	const [report, moving, fileRows, { balance }, checks, source] = await Promise.all([
		findReport(c, job),
		readMoving(services, ownerOf(c), { job }),
		services.uploadBlobs.rowsOfOriginal(job.jobId),
		account.show(),
		findChecks(c, job),
		job.sourceJobId === null ? null : account.findJob(job.sourceJobId),
	]);
	const page = {
		job,
		report,
		...moving,
		fileRows,
		available: balance.availableCredits,
		...checks,
		source,
		error,
	};
	return showPage(c, <JobPage view={viewOf(c)} {...page} />, status);
}

/** Later checks of the list's addresses. */
async function findChecks(c: PageContext, { jobId, againJobId }: JobRecord) {
	const account = c.var.services.accounts(signedInOf(c).user.accountId);
	const [tasks, again] = await Promise.all([
		account.tasksOf(jobId),
		againJobId === null ? null : account.findJob(againJobId),
	]);
	return { tasks, again };
}

/** Null without results: working, failed or expired. */
async function findReport(c: PageContext, job: JobRecord): Promise<Report | null> {
	try {
		return await readReport(c.var.services, { job });
	} catch (error) {
		const isNotThere = error instanceof ServiceError && (error.status === 409 || error.status === 410);
		if (isNotThere) return null;
		throw error;
	}
}

async function readShown(c: PageContext, job: JobRecord): Promise<ShownResults> {
	const { services } = c.var;
	const query = queryOf(c);
	const [report, { rows, pagination }, fileRows] = await Promise.all([
		readReport(services, { job }),
		findRows(services, { job, ...query, page: readPage(c), limit: LIMIT }),
		services.uploadBlobs.rowsOfOriginal(job.jobId),
	]);
	return { results: rows.map(shownRow), pagination, query, report, fileRows };
}

function queryOf(c: PageContext): ListQuery {
	return readListQuery((name) => c.req.query(name));
}

async function showRow(c: PageContext): Promise<Response> {
	const job = await requireJob(c);
	const place = c.req.param('index') ?? '';
	const page = /^\d{1,6}$/.test(place) ? Number(place) + 1 : 0;
	const one = { job, filter: NO_FILTER, order: LIST_ORDER, page, limit: 1 };
	const found = page === 0 ? null : await findRows(c.var.services, one);
	const listed = found?.rows[0];
	if (listed === undefined)
		throw new PageError(404, 'This list has no such row', 'Go back to its results, and choose another.');
	const row = { ...shownRow(listed), evidence: evidenceIn(listed.row) };
	return showPage(c, <RowPage view={viewOf(c)} job={job} row={row} query={queryOf(c)} />);
}

function shownRow(listed: ListedRow): ShownRow {
	const { row } = listed;
	return { index: row[0], ...renderListed(listed), listEffect: listEffectIn(row) };
}

function hasResults(c: PageContext, { status, resultsExpiresAt }: JobRecord): boolean {
	return status === 'completed' && (resultsExpiresAt ?? 0) > c.var.services.clock.now();
}

/** The job in the path; it must belong to the account of the person who is signed in. */
export async function requireJob(c: PageContext): Promise<JobRecord> {
	const { accounts } = c.var.services;
	const job = await accounts(signedInOf(c).user.accountId).findJob(c.req.param('jobId') ?? '');
	return requireKind(job, 'verification', JOB_KINDS.verification.onPages.noun);
}
