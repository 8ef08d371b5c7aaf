import type { Child } from 'hono/jsx';
import { expectedEnd } from '../../core/jobs/estimate.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { OWNERS_KEY_ID } from '../../operations/verify/verify-for-owner.ts';
import { MiniBar } from '../charts/mini-bar.tsx';
import { count, minute, span } from '../format.ts';
import { share } from '../../lib/share.ts';
import type { View } from '../view.ts';
import { JobBadge, Tag } from './badge.tsx';
import { Time } from './figures.tsx';
import { Cut, Table } from './table.tsx';
import type { Column } from './table.tsx';

/** Jobs, newest first. A job without a name is called after its time. */
export function JobsTable(props: {
	readonly view: View;
	readonly jobs: readonly JobRecord[];
	readonly empty: Child;
}) {
	const { view } = props;
	const columns: readonly Column<JobRecord>[] = [
		{
			head: 'List',
			names: true,
			phone: true,
			width: 136,
			class: 'list-name',
			cell: (job) => (
				<>
					<a class="block" href={`/dashboard/jobs/${job.jobId}`}>
						<Cut text={nameOf(job)} />
					</a>
					<RowActions job={job} now={view.now} />
				</>
			),
		},
		{ head: 'Status', phone: true, width: 84, cell: (job) => <State job={job} now={view.now} /> },
		{ head: 'Result', phone: true, width: 104, cell: (job) => <Result job={job} /> },
		{ head: 'Addresses', align: 'right', width: 84, cell: (job) => <Addresses job={job} /> },
		{ head: 'Credits used', align: 'right', width: 92, cell: ({ creditsUsed }) => count(creditsUsed) },
		{ head: 'Started', width: 96, cell: ({ createdAt }) => <Time at={createdAt} now={view.now} /> },
		{ head: 'Kept for', width: 60, cell: (job) => keptFor(job, view.now) },
	];
	return <Table caption="Lists" columns={columns} rows={props.jobs} empty={props.empty} />;
}

/** A job's name on pages. */
export function nameOf({ name, keyId, createdAt }: Pick<JobRecord, 'name' | 'keyId' | 'createdAt'>): string {
	if (name !== null && name.trim() !== '') return name;
	return `${keyId === OWNERS_KEY_ID ? 'List' : 'API list'}, ${minute(createdAt)}`;
}

/** True when the results of a job have been deleted. */
export function isExpired({ resultsExpiresAt }: Pick<JobRecord, 'resultsExpiresAt'>, now: number): boolean {
	return resultsExpiresAt !== null && now >= resultsExpiresAt;
}

/** The actions on the list of a row. Their labels name the list. */
function RowActions({ job, now }: { readonly job: JobRecord; readonly now: number }) {
	const address = `/dashboard/jobs/${job.jobId}`;
	const name = nameOf(job);
	const hasResults = job.status === 'completed' && !isExpired(job, now);
	const links = [
		...(hasResults ? [{ word: 'Download', href: `${address}/download` }] : []),
		...(job.status === 'processing' ? [{ word: 'Finish', href: `${address}/finish` }] : []),
		{ word: 'Rename', href: `${address}/rename` },
		...(hasResults ? [{ word: 'Delete', href: `${address}/delete` }] : []),
	];
	return (
		<span class="row-links">
			{links.map(({ word, href }) => (
				<a class="row-action" href={href} aria-label={`${word} ${name}`}>
					{word}
				</a>
			))}
		</span>
	);
}

function State({ job, now }: { readonly job: JobRecord; readonly now: number }) {
	if (job.deletedAt !== null) return <Tag>Deleted</Tag>;
	const leftMs = (expectedEnd(job, now) ?? 0) - now;
	return (
		<>
			<JobBadge status={job.status} expired={isExpired(job, now)} />
			{job.status === 'processing' && (
				<span class="block quiet small">
					{share(job.processed, job.accepted)}
					{leftMs > 0 && `, ${span(leftMs)} left`}
				</span>
			)}
		</>
	);
}

/** The outcomes so far as a small bar, with the share that is deliverable. */
function Result({ job }: { readonly job: JobRecord }) {
	const { counts, processed } = job;
	if (processed === 0 || job.status === 'failed') return '';
	return (
		<>
			<MiniBar job={job} />
			<span class="block quiet small">{share(counts.deliverable, processed)} deliverable</span>
		</>
	);
}

/** How many are verified and, where rows were left out, of how many. */
function Addresses({ job }: { readonly job: JobRecord }) {
	const { accepted, submitted, duplicates, invalid } = job;
	if (accepted === submitted) return <>{count(accepted)}</>;
	return (
		<span title={`${count(duplicates)} repeated, ${count(invalid)} malformed`}>
			{count(accepted)}
			<span class="block quiet small">of {count(submitted)}</span>
		</span>
	);
}

function keptFor(job: JobRecord, now: number): string {
	if (job.resultsExpiresAt === null || job.status === 'failed') return '';
	return isExpired(job, now) ? 'Deleted' : span(job.resultsExpiresAt - now);
}
