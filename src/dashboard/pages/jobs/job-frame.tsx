import type { Child } from 'hono/jsx';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import type { Island } from '../../assets/texts.js';
import { count } from '../../format.ts';
import { DashboardPage } from '../../layout.tsx';
import { downloadHref } from '../../list-query.ts';
import type { ListQuery } from '../../list-query.ts';
import { JobBadge } from '../../parts/badge.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { Time } from '../../parts/figures.tsx';
import { isExpired, nameOf } from '../../parts/jobs-table.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';
import { JobActions } from './job-actions.tsx';
import { DOWNLOAD_DIALOG } from './job-download.tsx';

const TABS = ['report', 'results', 'left-out', 'cost'] as const;
type Tab = (typeof TABS)[number];

const TAB_WORDS = {
	report: 'Report',
	results: 'Results',
	'left-out': 'Left out',
	cost: 'Cost',
} as const satisfies Record<Tab, string>;

interface FrameProps {
	readonly view: View;
	readonly job: JobRecord;
	readonly tab: Tab;
	/** The list whose addresses this one asks again. */
	readonly source?: JobRecord | null;
	/** The rows that a download begins with. */
	readonly query?: ListQuery;
	/** The page has the dialog of downloads. */
	readonly dialog?: boolean;
	/** The refusal of the last action. */
	readonly error?: string | null;
	readonly islands?: readonly Island[];
	readonly refreshSeconds?: number | undefined;
	readonly children: Child;
}

/** The frame around every page of one list: its name, its state, what can be done with it, and its tabs. */
export function JobFrame(props: FrameProps) {
	const { view, job, tab, source = null, error = null } = props;
	const expired = isExpired(job, view.now);
	const hasResults = job.status === 'completed' && !expired;
	const up =
		source !== null
			? { name: nameOf(source), href: `/dashboard/jobs/${source.jobId}` }
			: hasResults || tab === 'report'
				? { name: 'Lists', href: '/dashboard/lists' }
				: { name: nameOf(job), href: `/dashboard/jobs/${job.jobId}` };
	return (
		<DashboardPage
			view={view}
			place="Lists"
			title={nameOf(job)}
			up={up}
			islands={props.islands ?? []}
			refreshSeconds={props.refreshSeconds}
			lead={
				<>
					<JobBadge status={job.status} expired={expired} /> Started{' '}
					<Time at={job.createdAt} now={view.now} />
				</>
			}
			action={
				<div class="actions">
					<JobActions view={view} job={job} />
					{hasResults && (
						<ButtonLink
							href={downloadHref(job.jobId, props.query ?? {})}
							kind="quiet"
							icon="download"
							dialog={props.dialog === true ? DOWNLOAD_DIALOG : undefined}
						>
							Download
						</ButtonLink>
					)}
				</div>
			}
		>
			{error !== null && (
				<Notice kind="failed" announce>
					<p>{error}</p>
				</Notice>
			)}
			{hasResults && <Tabs job={job} current={tab} />}
			{props.children}
		</DashboardPage>
	);
}

/** The pages of a finished list. A tab without news is left out. */
function Tabs({ job, current }: { readonly job: JobRecord; readonly current: Tab }) {
	const leftOut = job.duplicates + job.invalid;
	const figures = { report: null, results: job.accepted, 'left-out': leftOut, cost: null };
	return (
		<nav aria-label="Parts of this list">
			<ul class="page-tabs">
				{TABS.filter((tab) => figures[tab] !== 0 || tab === current).map((tab) => (
					<li>
						<a
							href={`/dashboard/jobs/${job.jobId}${tab === 'report' ? '' : `/${tab}`}`}
							aria-current={tab === current ? 'page' : undefined}
						>
							{TAB_WORDS[tab]} {figures[tab] !== null && <span class="quiet">{count(figures[tab])}</span>}
						</a>
					</li>
				))}
			</ul>
		</nav>
	);
}
