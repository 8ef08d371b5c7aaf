import type { JobRecord } from '../../operations/jobs/port.ts';
import { count, share, span } from '../format.ts';
import type { View } from '../view.ts';
import { JobBadge } from './badge.tsx';
import { Cut } from './long-text.tsx';
import { Table } from './table.tsx';
import type { Column } from './table.tsx';
import { Time } from './figures.tsx';
import type { Child } from 'hono/jsx';

/** Jobs, newest first. A job without a name is shown by its id. */
export function JobsTable(props: {
	readonly view: View;
	readonly jobs: readonly JobRecord[];
	readonly empty: Child;
	/** Omits the columns that only the list of all jobs needs. */
	readonly brief?: boolean;
}) {
	const { view } = props;
	const columns: readonly Column<JobRecord>[] = [
		{
			head: 'List',
			names: true,
			width: 172,
			cell: (job) => (
				<a class="row-link block" href={`/dashboard/jobs/${job.jobId}`}>
					<Cut text={nameOf(job)} />
				</a>
			),
		},
		{
			head: 'Status',
			width: 88,
			cell: (job) => <JobBadge status={job.status} expired={isExpired(job, view.now)} />,
		},
		{ head: 'Addresses', align: 'right', width: 76, cell: ({ accepted }) => count(accepted) },
		{
			head: 'Done',
			align: 'right',
			width: 52,
			cell: ({ processed, accepted }) => share(processed, accepted),
		},
		{ head: 'Deliverable', align: 'right', width: 84, cell: ({ counts }) => count(counts.deliverable) },
		{ head: 'Credits used', align: 'right', width: 92, cell: ({ creditsUsed }) => count(creditsUsed) },
		{ head: 'Started', width: 96, cell: ({ createdAt }) => <Time at={createdAt} now={view.now} /> },
		{ head: 'Kept for', width: 60, cell: (job) => keptFor(job, view.now) },
	];
	const shown = props.brief === true ? columns.filter(({ head }) => !LONG_ONLY.has(head)) : columns;
	return <Table caption="Lists" columns={shown} rows={props.jobs} empty={props.empty} />;
}

const LONG_ONLY = new Set(['Credits used', 'Kept for']);

/** A job's name on pages. */
export function nameOf({ name, jobId }: Pick<JobRecord, 'name' | 'jobId'>): string {
	return name === null || name.trim() === '' ? jobId : name;
}

/** True when the results of a job have been deleted. */
export function isExpired({ resultsExpiresAt }: Pick<JobRecord, 'resultsExpiresAt'>, now: number): boolean {
	return resultsExpiresAt !== null && now >= resultsExpiresAt;
}

function keptFor(job: JobRecord, now: number): string {
	if (job.resultsExpiresAt === null || job.status === 'failed') return '';
	return isExpired(job, now) ? 'Deleted' : span(job.resultsExpiresAt - now);
}
