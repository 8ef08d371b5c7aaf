import type { Hono } from 'hono';
import { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import { deleteResults, finishJob } from '../../operations/jobs/manage-job.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { leaveFlash, ownerOf, signedInOf } from '../session.ts';
import { withBareForm, withForm } from '../forms.ts';
import { viewOf } from '../make-view.ts';
import { DeletePage, FinishPage, RenamePage } from '../pages/jobs/job-actions.tsx';
import { nameOf } from '../parts/jobs-table.tsx';
import { showPage } from '../show-page.ts';
import { requireJob } from './jobs.tsx';

const JOB = '/dashboard/jobs/:jobId';
const NAME_MAX = 255;

const renameForm = z.object({
	name: z
		.string({ error: 'Give the list a name' })
		.trim()
		.min(1, 'Give the list a name')
		.max(NAME_MAX, `A name has at most ${NAME_MAX} characters`)
		.regex(/^[^\p{Cc}]*$/u, 'A name has no line breaks'),
});
const deleteForm = z.object({ confirm: z.string().trim().default('') });
const mailForm = z.object({ wanted: z.string().optional() });

/** The actions on a list itself: rename it, end it early, delete it, send a mail at its end. */
export function addJobActions(app: Hono<DashboardEnv>): void {
	app.get(`${JOB}/rename`, async (c) => showRename(c, null, null));
	app.post(
		`${JOB}/rename`,
		withForm(renameForm, (c, { errors, typed }) =>
			showRename(c, errors['name'] ?? null, typed['name'] ?? '', 422),
		),
		async (c) => {
			const { jobId } = await requireJob(c);
			const { name } = c.req.valid('form');
			await accountOf(c).renameJob({ jobId, name });
			return c.redirect(pathOf(jobId), 303);
		},
	);
	app.get(`${JOB}/finish`, async (c) => {
		const job = await requireJob(c);
		if (job.status !== 'processing') return c.redirect(pathOf(job.jobId), 303);
		return showPage(c, <FinishPage view={viewOf(c)} job={job} />);
	});
	app.post(`${JOB}/finish`, withBareForm, async (c) => {
		const job = await requireJob(c);
		// One that has ended in the meantime is shown as it is.
		if (job.status === 'processing') await finishJob(c.var.services, signedInOf(c).user, { job });
		return c.redirect(pathOf(job.jobId), 303);
	});
	app.get(`${JOB}/delete`, async (c) => showDelete(c, null));
	app.post(
		`${JOB}/delete`,
		withForm(deleteForm, (c) => showDelete(c, null, 422)),
		async (c) => {
			const job = await requireJob(c);
			const name = nameOf(job);
			if (c.req.valid('form').confirm !== name.trim())
				return showDelete(c, `That is not the name of this list: ${name}`, 422);
			try {
				await deleteResults(c.var.services, ownerOf(c), { job });
			} catch (error) {
				if (error instanceof ServiceError && error.code === 'job_not_completed')
					return showDelete(c, null, 422);
				throw error;
			}
			leaveFlash(c, { kind: 'done', text: 'The list and its results are deleted' });
			return c.redirect('/dashboard/lists', 303);
		},
	);
	app.post(
		`${JOB}/mail`,
		withForm(mailForm, (c) => c.redirect('/dashboard/lists', 303)),
		async (c) => {
			const { jobId } = await requireJob(c);
			const wanted = c.req.valid('form').wanted !== undefined;
			await accountOf(c).setMailWhenDone({ jobId, wanted });
			return c.redirect(pathOf(jobId), 303);
		},
	);
}

function accountOf(c: PageContext) {
	return c.var.services.accounts(signedInOf(c).user.accountId);
}

function pathOf(jobId: string): string {
	return `/dashboard/jobs/${jobId}`;
}

async function showRename(
	c: PageContext,
	error: string | null,
	typed: string | null,
	status: 200 | 422 = 200,
): Promise<Response> {
	const job = await requireJob(c);
	const page = { view: viewOf(c), job, error, typed: typed ?? nameOf(job) };
	return showPage(c, <RenamePage {...page} />, status);
}

async function showDelete(c: PageContext, error: string | null, status: 200 | 422 = 200): Promise<Response> {
	const job = await requireJob(c);
	return showPage(c, <DeletePage view={viewOf(c)} job={job} error={error} />, status);
}
