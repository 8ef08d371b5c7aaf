import type { Hono } from 'hono';
import { JOB_KINDS, requireKind } from '../../core/jobs/kinds/kinds.ts';
import { evidenceIn } from '../../core/jobs/stored-row.ts';
import { renderVerdict, STATUS_OF_VERDICT } from '../../core/jobs/task-verdicts.ts';
import { CATCH_ALL_VERDICTS } from '../../core/verification/render.ts';
import type { CatchAllVerdict } from '../../core/verification/render.ts';
import { ServiceError } from '../../errors.ts';
import { readRows } from '../../operations/jobs/steps/stored-results.ts';
import { createTask, downloadVerdicts, readScores } from '../../operations/jobs/tasks.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { binsOf } from '../charts/score-histogram.tsx';
import type { DashboardEnv, PageContext } from '../context.ts';
import { withBareForm } from '../forms.ts';
import { readPage, viewOf } from '../make-view.ts';
import { suspended } from '../page-error.ts';
import { TaskLive, TaskPage } from '../pages/jobs/task.tsx';
import type { TaskProps, TaskSummary } from '../pages/jobs/task.tsx';
import { ownerOf, signedInOf } from '../session.ts';
import { showPage, showPart } from '../show-page.ts';
import { requireJob, showJob } from './jobs.tsx';

const TASK = '/dashboard/tasks/:taskId';
const LIMIT = 25;
const NAME_MAX = 255;

/** Catch-all checks: start, progress, results and download. */
export function addTaskPages(app: Hono<DashboardEnv>): void {
	app.post('/dashboard/jobs/:jobId/catch-all', withBareForm, (c) => start(c));
	app.get(TASK, (c) => show(c));
	app.get(`${TASK}/live`, async (c) => {
		const task = await requireTask(c);
		return showPart(c, <TaskLive view={viewOf(c)} task={summaryOf(task)} />);
	});
	app.get(`${TASK}/download`, async (c) => {
		const task = await requireTask(c);
		const verdict = verdictOf(c);
		const body = downloadVerdicts(c.var.services, { task, list: listOf(verdict) });
		const name = verdict === 'all' ? task.jobId : `${task.jobId}-${verdict}`;
		return c.body(body, 200, {
			'Content-Type': 'text/csv; charset=utf-8',
			'Content-Disposition': `attachment; filename="${name}.csv"`,
		});
	});
}

async function start(c: PageContext): Promise<Response> {
	if (signedInOf(c).suspendedAt !== null) throw suspended();
	const { services } = c.var;
	const source = await requireJob(c);
	try {
		const { jobId } = await createTask(services, ownerOf(c), {
			sourceJobId: source.jobId,
			name: source.name?.slice(0, NAME_MAX) ?? null,
			// With a plain space, which callers' own Idempotency-Keys do not contain as stored.
			idempotencyKey: `form ${c.var.formId}`,
		});
		return c.redirect(`/dashboard/tasks/${jobId}`, 303);
	} catch (error) {
		if (error instanceof ServiceError && error.status !== 503) return showJob(c, error.message, 422);
		throw error;
	}
}

async function show(c: PageContext): Promise<Response> {
	const task = await requireTask(c);
	const page = { task: summaryOf(task), shown: await findVerdicts(c, task) };
	return showPage(c, <TaskPage view={viewOf(c)} {...page} />);
}

/** Null without results: working, failed or expired. */
async function findVerdicts(c: PageContext, task: JobRecord): Promise<TaskProps['shown']> {
	const verdict = verdictOf(c);
	try {
		const [{ rows: stored, pagination }, scores] = await Promise.all([
			readRows(c.var.services, {
				job: task,
				page: readPage(c),
				limit: LIMIT,
				list: listOf(verdict),
			}),
			readScores(c.var.services, { job: task }),
		]);
		const rows = stored.map((row) => ({ ...renderVerdict(row), evidence: evidenceIn(row) }));
		return { rows, pagination, verdict, bins: binsOf(scores) };
	} catch (error) {
		const isNotThere = error instanceof ServiceError && (error.status === 409 || error.status === 410);
		if (isNotThere) return null;
		throw error;
	}
}

function summaryOf(task: JobRecord): TaskSummary {
	const { deliverable, undeliverable, unknown } = task.counts;
	return {
		taskId: task.jobId,
		sourceJobId: task.sourceJobId ?? '',
		status: task.status,
		name: task.name,
		total: task.accepted,
		processed: task.processed,
		creditsUsed: task.creditsUsed,
		creditsRefunded: task.creditsRefunded,
		creditsReserved: task.creditsReserved,
		verdictCounts: { valid: deliverable, invalid: undeliverable, unknown },
		createdAt: task.createdAt,
		completedAt: task.completedAt,
		resultsExpiresAt: task.resultsExpiresAt,
		error: task.error,
	};
}

function verdictOf(c: PageContext): CatchAllVerdict | 'all' {
	const value = c.req.query('verdict');
	return CATCH_ALL_VERDICTS.find((verdict) => verdict === value) ?? 'all';
}

function listOf(verdict: CatchAllVerdict | 'all') {
	return verdict === 'all' ? verdict : STATUS_OF_VERDICT[verdict];
}

async function requireTask(c: PageContext): Promise<JobRecord> {
	const { accounts } = c.var.services;
	const task = await accounts(signedInOf(c).user.accountId).findJob(c.req.param('taskId') ?? '');
	return requireKind(task, 'catchall', JOB_KINDS.catchall.onPages.noun);
}
