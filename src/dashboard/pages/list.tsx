import * as z from 'zod';
import { PRICE } from '../../core/credits/price.ts';
import { contentDisposition } from '../../core/csv/download-name.ts';
import { RESULT_COLUMNS } from '../../core/csv/result-columns.ts';
import { JOB_KINDS, requireKind } from '../../core/jobs/kinds.ts';
import type { Report } from '../../core/jobs/report/report.ts';
import { ServiceError } from '../../errors.ts';
import { share } from '../../lib/share.ts';
import { FILE_FORMATS, downloadResults } from '../../operations/jobs/download-results.ts';
import { askAgain, deleteResults, finishJob } from '../../operations/jobs/manage-job.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { readReport } from '../../operations/jobs/read-job.ts';
import { findSlowed } from '../../operations/jobs/find-slowed.ts';
import type { Visit } from '../view.ts';
import { form, hidden, text } from '../form.tsx';
import { count, plural } from '../format.ts';
import { Section } from '../layout.tsx';
import { suspended, leaveFlash } from '../view.ts';
import { JobBadge, Time, isExpired, nameOf } from '../parts/table.tsx';
import { ButtonLink, QuietLink, Notice } from '../parts/basic.tsx';
import { Place } from '../place.tsx';
import { AskAgain, DownloadForm, inWords, Moving, ReportDetails, ReportHead } from './list-report.tsx';
import type { Moved } from './list-report.tsx';
import { filterOf, findShownRows, readRowsQuery, Rows, rowsHref } from './list-rows.tsx';
import type { ShownRows } from './list-rows.tsx';

const NAME_MAX = 255;

export interface ListData extends Moved {
	/** Null without results: working, failed or expired. */
	readonly report: Report | null;
	/** Null where there are none to show. */
	readonly shown: ShownRows | null;
	/** The rows of the file that the job was made from; null: it was made from none. */
	readonly fileRows: number | null;
	/** The list whose addresses this one asks again, or checks. */
	readonly source: JobRecord | null;
}

/** Parts of the page that do not move: the live part does not read them again. */
const UNREAD = { report: null, shown: null, fileRows: null, source: null } as const;

/** One list, or one catch-all check of a list: its state, its report, its rows, and what can be done with it. */
export const listPage = new Place('/dashboard/jobs/:jobId', {
	nav: 'Lists',
	load,
	files: { '/download': download },
	view: (data, { view, path, Page, Form, Live }) => {
		const { job, report, source, shown, fileRows } = data;
		const isList = !JOB_KINDS[job.kind].isDeep;
		const working = job.status === 'processing';
		return (
			<Page
				title={nameOf(job)}
				up={source === null ? 'Lists' : { name: nameOf(source), href: pathOf(source) }}
				lead={
					<>
						<JobBadge job={job} /> Started <Time at={job.createdAt} />
					</>
				}
				action={<MainAction job={job} report={report} path={path} />}
			>
				{source !== null && isList && (
					<p class="quiet">
						These addresses of <a href={pathOf(source)}>{nameOf(source)}</a> had no answer the first time.
					</p>
				)}
				<Live of={data} />
				{working && isList && (
					<Form
						of="mail"
						values={{ wanted: job.mailWhenDone ? 'no' : 'yes' }}
						button={job.mailWhenDone ? 'Don’t email me when it is done' : 'Email me when it is done'}
					/>
				)}
				{report !== null && (
					<>
						<ReportHead job={job} report={report} path={path} fileRows={fileRows} />
						<DownloadForm job={job} path={path} fileRows={fileRows} />
						{isList && job.againJobId === null && report.mayAnswerLater > 0 && (
							<AskAgain report={report} path={path} />
						)}
						<ReportDetails report={report} path={path} />
					</>
				)}
				{shown !== null && <Rows job={job} report={report} shown={shown} path={path} />}
				{isList && (
					<Section title="This list">
						<div class="stack">
							<Form of="rename" values={{ name: nameOf(job) }} />
							{!working && !isExpired(job, view.now) && (
								<QuietLink href={`${path}/delete`}>Delete list</QuietLink>
							)}
						</div>
					</Section>
				)}
			</Page>
		);
	},
	live: {
		load: async (visit) => ({ ...(await loadMoved(visit)), ...UNREAD }),
		isMoving: ({ job, checks }) => [job, ...checks].some(({ status }) => status === 'processing'),
		says: ({ job }) => inWords(job),
		title: ({ job }) =>
			job.status === 'processing' ? `${share(job.processed, job.accepted)} of ${nameOf(job)}` : undefined,
		reloads: true,
		view: (moved, { path }) => <Moving {...moved} path={path} />,
	},
	forms: {
		mail: form({
			button: 'Email me when it is done',
			kind: 'quiet',
			fields: { wanted: hidden() },
			run: async (visit, { wanted }) => {
				const { jobId } = await requireList(visit);
				await visit.own.setMailWhenDone({ jobId, wanted: wanted === 'yes' });
			},
		}),
		rename: form({
			button: 'Rename list',
			kind: 'quiet',
			layout: 'inline',
			fields: {
				name: text('Name of the list', {
					maxlength: NAME_MAX,
					schema: z
						.string({ error: 'Give the list a name' })
						.trim()
						.min(1, 'Give the list a name')
						.max(NAME_MAX, `A name has at most ${NAME_MAX} characters`)
						.regex(/^[^\p{Cc}]*$/u, 'A name has no line breaks'),
				}),
			},
			run: async (visit, { name }) => {
				const { jobId } = await requireList(visit);
				await visit.own.renameJob({ jobId, name });
			},
		}),
		finish: form({
			button: 'Finish now',
			kind: 'danger',
			asks: async (visit) => {
				const job = await requireList(visit);
				if (job.status !== 'processing') return visit.c.redirect(pathOf(job), 303);
				const open = job.accepted - job.processed;
				return {
					title: `Finish “${nameOf(job)}” early`,
					text: (
						<>
							<p>
								{`${count(job.processed)} of ${plural(job.accepted, 'address', 'addresses')} ${job.processed === 1 ? 'has' : 'have'} an answer. You keep them, for the ${plural(job.creditsUsed, 'credit')} they cost.`}
							</p>
							<p>
								{open === 1 ? 'The other one becomes' : `The other ${count(open)} become`}
								{` unknown and cost${open === 1 ? 's' : ''} nothing: ${plural(job.creditsReserved, 'reserved credit is', 'reserved credits are')} released.`}
							</p>
							<p class="quiet">
								A finished list can’t be resumed. Answers that arrive before you confirm still count.
							</p>
						</>
					),
				};
			},
			run: async (visit) => {
				const job = await requireList(visit);
				// One that has ended in the meantime is shown as it is.
				if (job.status === 'processing') await finishJob(visit.services, visit.signedIn.user, { job });
			},
		}),
		again: form({
			button: 'Ask again',
			asks: async (visit) => {
				const job = await requireList(visit);
				if (job.status !== 'completed' || job.againJobId !== null) return visit.c.redirect(pathOf(job), 303);
				const { mayAnswerLater } = await readReport(visit.services, { job });
				const { balance } = await visit.own.show();
				const cost = mayAnswerLater * PRICE.verification;
				const short = cost - balance.availableCredits;
				return {
					title: 'Ask again',
					text: (
						<>
							<p>
								{plural(mayAnswerLater, 'address', 'addresses')} without an answer, at most{' '}
								<strong>{plural(cost, 'credit')}</strong>; you have {count(balance.availableCredits)}. Unknown
								answers are refunded.
							</p>
							{short > 0 && (
								<Notice kind="warning">
									You are {plural(short, 'credit')} short. <a href="/dashboard/credits/add">Add credits</a>
								</Notice>
							)}
						</>
					),
				};
			},
			run: async (visit) => {
				const { c, services, account, signedIn } = visit;
				if (signedIn.suspendedAt !== null) throw suspended();
				services.requireProber();
				const job = await requireList(visit);
				try {
					const { jobId } = await askAgain(services, account, { job });
					return c.redirect(`/dashboard/jobs/${jobId}`, 303);
				} catch (error) {
					if (!(error instanceof ServiceError) || error.status === 503) throw error;
					leaveFlash(c, { kind: 'failed', text: error.message });
					return c.redirect(pathOf(job), 303);
				}
			},
		}),
		delete: form({
			button: 'Delete list',
			kind: 'danger',
			names: 'the name of this list',
			asks: async (visit) => {
				const job = await requireList(visit);
				const name = nameOf(job);
				return {
					title: `Delete “${name}”`,
					name,
					text: (
						<p>
							{job.status === 'processing'
								? 'This list is still being verified. Finish it early, or wait until it is done; then you can delete it.'
								: 'We delete the file, its addresses and all results at once. You can’t undo this. The ledger keeps the cost.'}
						</p>
					),
				};
			},
			run: async (visit) => deleteResults(visit.services, visit.account, { job: await requireList(visit) }),
			remedies: { job_not_completed: 'Finish it early, or wait until it is done' },
			to: '/dashboard/lists',
			says: 'The list and its results are deleted',
		}),
	},
});

async function load(visit: Visit): Promise<ListData> {
	const { c, services, own } = visit;
	const moved = await loadMoved(visit);
	const { job } = moved;
	const { sourceJobId, jobId } = job;
	// One after the other: each may read all rows, and a Worker has so much memory.
	const report = await whereThere(readReport(services, { job }));
	const wantsRows = report !== null || readRowsQuery((name) => c.req.query(name)).status === 'left_out';
	const [rows, fileRows, source] = await Promise.all([
		wantsRows ? whereThere(findShownRows(visit, job)) : null,
		services.uploadBlobs.rowsOfOriginal(jobId),
		sourceJobId === null ? null : own.findJob(sourceJobId),
	]);
	return { ...moved, report, shown: rows, fileRows, source };
}

async function loadMoved(visit: Visit): Promise<Moved> {
	const { services, account, own } = visit;
	const job = await requireJob(visit);
	const [slowed, tasks, again] = await Promise.all([
		findSlowed(services, account, { job }),
		own.tasksOf(job.jobId),
		job.againJobId === null ? null : own.findJob(job.againJobId),
	]);
	return { job, slowed, checks: again === null ? tasks : [...tasks, again] };
}

/** Null where there are no results: the list works, failed, or its results were deleted. */
async function whereThere<T>(reading: Promise<T>): Promise<T | null> {
	try {
		return await reading;
	} catch (error) {
		if (error instanceof ServiceError && (error.status === 409 || error.status === 410)) return null;
		throw error;
	}
}

function pathOf({ jobId }: JobRecord): string {
	return `/dashboard/jobs/${jobId}`;
}

/** The list or check in the path, of the account of the person who is signed in. */
async function requireJob({ own, param }: Visit): Promise<JobRecord> {
	const job = await own.findJob(param('jobId'));
	if (job !== null) return job;
	throw new ServiceError('job_not_found', 'There is no such list in this account');
}

/** The same as `requireJob`, where only a list will do. */
async function requireList(visit: Visit): Promise<JobRecord> {
	return requireKind(await requireJob(visit), 'verification', JOB_KINDS.verification.onPages.noun);
}

const MEDIA_TYPES = {
	csv: 'text/csv; charset=utf-8',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<(typeof FILE_FORMATS)[number], string>;
// The columns that most people open the file for. The others are behind “All columns”.
const CLEAN_COLUMNS = ['status', 'reason', 'did_you_mean', 'action'] as const;

async function download(visit: Visit): Promise<Response> {
	const { c, services } = visit;
	const format = FILE_FORMATS.find((word) => word === c.req.query('format')) ?? 'csv';
	const { fileName, body } = await downloadResults(services, {
		job: await requireJob(visit),
		filter: filterOf(readRowsQuery((name) => c.req.query(name))),
		repeats: c.req.query('repeats') === 'kept' ? 'kept' : 'left_out',
		columns: c.req.query('columns') === 'all' ? RESULT_COLUMNS : CLEAN_COLUMNS,
		format,
	});
	return c.body(body, 200, {
		'Content-Type': MEDIA_TYPES[format],
		'Content-Disposition': contentDisposition(fileName),
	});
}

function MainAction({ job, report, path }: Pick<ListData, 'job' | 'report'> & { readonly path: string }) {
	if (job.status === 'processing' && !JOB_KINDS[job.kind].isDeep) {
		return <QuietLink href={`${path}/finish`}>Finish early</QuietLink>;
	}
	const deliverable = report?.counts.deliverable ?? 0;
	if (deliverable === 0) return null;
	return (
		<ButtonLink href={rowsHref(`${path}/download`, { status: 'deliverable' })} icon="download">
			Download deliverable ({count(deliverable)})
		</ButtonLink>
	);
}
