import type { Hono } from 'hono';
import { requireResults } from '../../operations/jobs/steps/stored-results.ts';
import { findShare, openShare, revokeShare, shareReport } from '../../operations/jobs/share-report.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { withBareForm } from '../forms.ts';
import { publicBase, viewOf } from '../make-view.ts';
import { PageError } from '../page-error.ts';
import { SharedReportPage, SharePage } from '../pages/jobs/job-share.tsx';
import { ownerOf } from '../session.ts';
import { showPage } from '../show-page.ts';
import { requireJob } from './jobs.tsx';

const SHARE = '/dashboard/jobs/:jobId/share';
// A link that is not ours costs no look into the bucket.
const JOB_ID = /^job_\w{1,64}$/;
const SECRET = /^[\w-]{27}$/;

/** The link to a list's figures: its owner makes and revokes it. */
export function addSharing(app: Hono<DashboardEnv>): void {
	app.get(SHARE, async (c) => {
		const job = await requireJob(c);
		requireResults(job, c.var.services.clock.now());
		const secret = await findShare(c.var.services, { job });
		const link =
			secret === null ? null : `${publicBase(c).replace(/\/$/, '')}/reports/${job.jobId}/${secret}`;
		return showPage(c, <SharePage view={viewOf(c)} job={job} link={link} />);
	});
	app.post(SHARE, withBareForm, async (c) => {
		await shareReport(c.var.services, ownerOf(c), { job: await requireJob(c) });
		return c.redirect(c.req.path, 303);
	});
	app.post(`${SHARE}/revoke`, withBareForm, async (c) => {
		const job = await requireJob(c);
		await revokeShare(c.var.services, { job });
		return c.redirect(`/dashboard/jobs/${job.jobId}/share`, 303);
	});
}

/** GET /reports/:jobId/:secret: the figures of a list, for everybody who has the link. */
export function addSharedReports(app: Hono<DashboardEnv>): void {
	app.get('/reports/:jobId/:secret', async (c: PageContext) => {
		const [jobId, secret] = [c.req.param('jobId') ?? '', c.req.param('secret') ?? ''];
		const { services } = c.var;
		const mayBe = JOB_ID.test(jobId) && SECRET.test(secret);
		const shared = mayBe ? await openShare(services, { jobId, secret }) : null;
		if (shared === null)
			throw new PageError(
				404,
				'This report is not here any more',
				'The link was revoked, or the results were deleted. Ask the person who sent it for a new one.',
			);
		// Search engines may find the page through a posted link.
		c.header('X-Robots-Tag', 'noindex');
		return showPage(c, <SharedReportPage view={viewOf(c)} {...shared} />);
	});
}
