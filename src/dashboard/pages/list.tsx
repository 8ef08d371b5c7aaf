import type { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { z } from 'zod';
import { PRICE } from '../../core/credits/price.ts';
import { contentDisposition } from '../../core/csv/write.ts';
import { RESULT_COLUMNS } from '../../core/csv/result-columns.ts';
import { JOB_KINDS, requireKind } from '../../core/jobs/kinds.ts';
import type { Report } from '../../core/jobs/report/report.ts';
import { ServiceError } from '../../errors.ts';
import { FILE_FORMATS, downloadResults } from '../../operations/jobs/download-results.ts';
import { askAgain, deleteResults, finishJob } from '../../operations/jobs/manage-job.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { readReport } from '../../operations/jobs/read-job.ts';
import { readMoving } from '../../operations/jobs/read-moving.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { form, hidden, text } from '../form.tsx';
import { count, plural } from '../format.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { viewOf } from '../make-view.ts';
import { suspended } from '../page-error.ts';
import { JobBadge } from '../parts/badge.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { Time } from '../parts/figures.tsx';
import { isExpired, nameOf } from '../parts/job-words.ts';
import { Notice } from '../parts/notice.tsx';
import { place } from '../place.tsx';
import type { Visit } from '../visit.ts';
import { leaveFlash, ownerOf, signedInOf } from '../session.ts';
import { showPart } from '../show-page.ts';
import type { View } from '../view.ts';
import { AskAgain, DownloadForm, ReportDetails, ReportHead } from './list-report.tsx';
import { filterOf, findShownRows, readRowsQuery, Rows, rowsHref } from './list-rows.tsx';
import type { ShownRows } from './list-rows.tsx';
import { Live } from './list-state.tsx';
import type { Moved } from './list-state.tsx';

const LIST = '/dashboard/jobs/:jobId';
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

/** One list, or one catch-all check of a list: its state, its report, its rows, and what can be done with it. */
export const listPage = place(LIST, {
	nav: 'Lists',
	load,
	view: (data: ListData, tools) => <ListPage {...data} {...tools} />,
	forms: {
		mail: form({
			button: 'Email me when it is done',
			kind: 'quiet',
			fields: { wanted: hidden() },
			run: async (visit, { wanted }) => {
				const { jobId } = await requireList(visit);
				await accountOf(visit).setMailWhenDone({ jobId, wanted: wanted === 'yes' });
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
				await accountOf(visit).renameJob({ jobId, name });
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
				const { services, account } = visit;
				const job = await requireList(visit);
				if (job.status !== 'completed' || job.againJobId !== null) return visit.c.redirect(pathOf(job), 303);
				const { mayAnswerLater } = await readReport(services, { job });
				const { balance } = await services.accounts(account.accountId).show();
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
									<p>
										You are {plural(short, 'credit')} short. <a href="/dashboard/credits/add">Add credits</a>
									</p>
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
			fields: { confirm: text('Type the name to confirm') },
			asks: async (visit) => {
				const job = await requireList(visit);
				const name = nameOf(job);
				return {
					title: `Delete “${name}”`,
					labels: { confirm: `Type the name to confirm: ${name}` },
					text: (
						<p>
							{job.status === 'processing'
								? 'This list is still being verified. Finish it early, or wait until it is done; then you can delete it.'
								: 'We delete the file, its addresses and all results at once. You can’t undo this. The ledger keeps the cost.'}
						</p>
					),
				};
			},
			run: async (visit, { confirm }) => {
				const job = await requireList(visit);
				const name = asShown(nameOf(job));
				if (asShown(confirm) !== name)
					return { errors: { confirm: `That is not the name of this list: ${name}` } };
				await deleteResults(visit.services, visit.account, { job });
				return undefined;
			},
			remedies: { job_not_completed: 'Finish it early, or wait until it is done' },
			to: '/dashboard/lists',
			says: 'The list and its results are deleted',
		}),
	},
});

interface ListPageProps extends ListData {
	readonly view: View;
	readonly path: string;
	/** Draws one of the forms. */
	readonly Form: (props: {
		readonly of: 'mail' | 'rename';
		readonly values?: { readonly name?: string; readonly wanted?: string };
		readonly button?: string;
	}) => Child;
}

function ListPage(props: ListPageProps) {
	const { job, report, source, shown, fileRows, view, path, Form } = props;
	const isList = !JOB_KINDS[job.kind].isDeep;
	const working = job.status === 'processing';
	return (
		<DashboardPage
			view={view}
			place="Lists"
			title={nameOf(job)}
			up={
				source === null
					? { name: 'Lists', href: '/dashboard/lists' }
					: { name: nameOf(source), href: `/dashboard/jobs/${source.jobId}` }
			}
			islands={['live', 'copy']}
			refreshSeconds={working ? 10 : undefined}
			lead={
				<>
					<JobBadge status={job.status} expired={isExpired(job, view.now)} /> Started{' '}
					<Time at={job.createdAt} now={view.now} />
				</>
			}
			action={<MainAction job={job} report={report} path={path} />}
		>
			{source !== null && isList && (
				<p class="quiet">
					These addresses of <a href={`/dashboard/jobs/${source.jobId}`}>{nameOf(source)}</a> had no answer
					the first time.
				</p>
			)}
			<Live {...props} />
			<p id="live-says" class="unseen" role="status" />
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
					<ReportDetails job={job} report={report} path={path} fileRows={fileRows} />
				</>
			)}
			{shown !== null && <Rows job={job} report={report} shown={shown} path={path} />}
			{isList && (
				<Section title="This list">
					<div class="stack">
						<Form of="rename" values={{ name: nameOf(job) }} />
						{!working && !isExpired(job, view.now) && (
							<ButtonLink kind="quiet" href={`${path}/delete`}>
								Delete list
							</ButtonLink>
						)}
					</div>
				</Section>
			)}
		</DashboardPage>
	);
}

/** The page of a list, and its files. */
export function addListPage(app: Hono<DashboardEnv>): void {
	listPage.addTo(app);
	app.get(`${LIST}/live`, async (c) => {
		const moved = await loadMoved(c);
		const path = `/dashboard/jobs/${moved.job.jobId}`;
		return showPart(c, <Live view={viewOf(c)} path={path} {...moved} />);
	});
	app.get(`${LIST}/download`, download);
}

async function load(visit: Visit): Promise<ListData> {
	const { c, services, account } = visit;
	const moved = await loadMoved(c);
	const { job } = moved;
	const { sourceJobId, jobId } = job;
	// One after the other: each may read all rows, and a Worker has so much memory.
	const report = await whereThere(readReport(services, { job }));
	const wantsRows = report !== null || readRowsQuery((name) => c.req.query(name)).status === 'left_out';
	const [rows, fileRows, source] = await Promise.all([
		wantsRows ? whereThere(findShownRows(visit, job)) : null,
		services.uploadBlobs.rowsOfOriginal(jobId),
		sourceJobId === null ? null : services.accounts(account.accountId).findJob(sourceJobId),
	]);
	return { ...moved, report, shown: rows, fileRows, source };
}

async function loadMoved(c: PageContext): Promise<Moved> {
	const { services } = c.var;
	const owner = ownerOf(c);
	const job = await requireJob(c);
	const account = services.accounts(owner.accountId);
	const [moving, tasks, again] = await Promise.all([
		readMoving(services, owner, { job }),
		account.tasksOf(job.jobId),
		job.againJobId === null ? null : account.findJob(job.againJobId),
	]);
	return { job, ...moving, checks: again === null ? tasks : [...tasks, again] };
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
async function requireJob(c: PageContext): Promise<JobRecord> {
	const { accounts } = c.var.services;
	const job = await accounts(signedInOf(c).user.accountId).findJob(c.req.param('jobId') ?? '');
	if (job !== null) return job;
	throw new ServiceError('job_not_found', 'There is no such list in this account');
}

/** A name as a page shows it, which people type: one space for any white space. */
function asShown(name: string): string {
	return name.replaceAll(/\s+/gu, ' ').trim();
}

function accountOf({ services, signedIn }: Visit) {
	return services.accounts(signedIn.user.accountId);
}

/** The same as `requireJob`, where only a list will do. */
async function requireList({ c }: Visit): Promise<JobRecord> {
	return requireKind(await requireJob(c), 'verification', JOB_KINDS.verification.onPages.noun);
}

const MEDIA_TYPES = {
	csv: 'text/csv; charset=utf-8',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<(typeof FILE_FORMATS)[number], string>;
// The columns that most people open the file for. The others are behind “All columns”.
const CLEAN_COLUMNS = ['status', 'reason', 'did_you_mean', 'action'] as const;

async function download(c: PageContext): Promise<Response> {
	const format = FILE_FORMATS.find((word) => word === c.req.query('format')) ?? 'csv';
	const { fileName, body } = await downloadResults(c.var.services, {
		job: await requireJob(c),
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

function MainAction(props: {
	readonly job: JobRecord;
	readonly report: Report | null;
	readonly path: string;
}) {
	const { job, report, path } = props;
	if (job.status === 'processing' && !JOB_KINDS[job.kind].isDeep) {
		return (
			<ButtonLink kind="quiet" href={`${path}/finish`}>
				Finish early
			</ButtonLink>
		);
	}
	const deliverable = report?.counts.deliverable ?? 0;
	if (deliverable === 0) return null;
	return (
		<ButtonLink href={rowsHref(`${path}/download`, { status: 'deliverable' })} icon="download">
			Download deliverable ({count(deliverable)})
		</ButtonLink>
	);
}
