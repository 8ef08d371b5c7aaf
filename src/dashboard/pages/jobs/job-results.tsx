import { SUB_STATUSES } from '../../../core/verification/sub-status.ts';
import { isOpen, NO_FILTER } from '../../../core/jobs/report/filter.ts';
import type { SortKey } from '../../../core/jobs/report/filter.ts';
import type { Pagination } from '../../../core/jobs/pages.ts';
import { scoredOf } from '../../../core/jobs/report/report.ts';
import type { Report } from '../../../core/jobs/report/report.ts';
import type { VerificationResult } from '../../../core/verification/render.ts';
import { displayNameOf } from '../../../core/mail-operators/operators.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { percent } from '../../charts/axis.tsx';
import { change, count, plural } from '../../format.ts';
import { listHref, rowHref } from '../../list-query.ts';
import type { ListQuery } from '../../list-query.ts';
import { StatusBadge, VerdictBadge } from '../../parts/badge.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { Cut, Empty, Mono, Pages, Table } from '../../parts/table.tsx';
import type { Column, Sort } from '../../parts/table.tsx';
import type { View } from '../../view.ts';
import { DownloadDialog } from './job-download.tsx';
import { FilterBar } from './job-filter.tsx';
import { JobFrame } from './job-frame.tsx';

/** A row of the list. */
export interface ShownRow extends VerificationResult {
	/** Its place in the list, from 0. */
	readonly index: number;
	/** By how many points the list's other addresses changed its catch-all score; left out: they did not. */
	readonly listEffect?: number;
}

export interface ShownResults {
	readonly results: readonly ShownRow[];
	readonly pagination: Pagination;
	readonly query: ListQuery;
	readonly report: Report;
	/** The rows of the file that the job was made from; null: it was made from none. */
	readonly fileRows: number | null;
}

interface Shown {
	readonly job: JobRecord;
	readonly shown: ShownResults;
}

/** The tab of a finished list's rows: filtered, searched, sorted and paginated. A script opens a row beside them. */
export function ResultsPage({ view, job, shown }: Shown & { readonly view: View }) {
	const { query, report, pagination, fileRows } = shown;
	return (
		<JobFrame view={view} job={job} tab="results" query={query} dialog islands={['dialog', 'rows', 'copy']}>
			<section class="stack" aria-labelledby="results">
				<h2 id="results" class="unseen">
					Results
				</h2>
				<FilterBar jobId={job.jobId} query={query} report={report} />
				{!isOpen(query.filter) && pagination.total > 0 && (
					<p role="status">
						{plural(pagination.total, 'address matches', 'addresses match')} the filter, of{' '}
						{count(report.total)}.
					</p>
				)}
				<Rows job={job} shown={shown} />
				<Pages
					pagination={pagination}
					things="addresses"
					hrefOf={(page) => listHref(job.jobId, query, page)}
				/>
			</section>
			<DownloadDialog job={job} rows={{ query, total: pagination.total }} fileRows={fileRows} />
		</JobFrame>
	);
}

function Rows({ job, shown }: Shown) {
	const { results, report, query } = shown;
	const sortBy = (by: SortKey): Sort => sortOf(job, query, by);
	const verdict: Column<ShownRow> = {
		head: 'Catch-all',
		width: 88,
		cell: ({ catch_all_verdict: said }) => (said === undefined ? null : <VerdictBadge verdict={said} />),
	};
	return (
		<Table
			caption="Results"
			rows={results}
			columns={[
				{
					head: 'Address',
					names: true,
					width: 208,
					sort: sortBy('address'),
					cell: (row) => <AddressCell row={row} href={rowHref(job.jobId, row.index, query)} />,
				},
				{
					head: 'Status',
					width: 120,
					sort: sortBy('status'),
					cell: ({ status }) => <StatusBadge status={status} />,
				},
				...(scoredOf(report) > 0 ? [verdict] : []),
				{ head: 'Reason', width: 164, cell: (row) => <ReasonCell row={row} /> },
				{ head: 'Operator', width: 84, cell: (row) => <OperatorCell row={row} /> },
				{
					head: 'Score',
					align: 'right',
					width: 56,
					sort: sortBy('score'),
					cell: (row) => <ScoreCell row={row} />,
				},
			]}
			empty={<NoRows job={job} shown={shown} />}
		/>
	);
}

/** The head of a column as a link: a second click turns the order round. */
function sortOf({ jobId }: JobRecord, { filter, order }: ListQuery, by: SortKey): Sort {
	const isSorted = order.by === by;
	const next = { by, descending: isSorted && !order.descending };
	const href = listHref(jobId, { filter, order: next });
	return { href, order: isSorted ? (order.descending ? 'descending' : 'ascending') : null };
}

function NoRows({ job, shown: { query, report } }: Shown) {
	const { filter, order } = query;
	const { text, ...rest } = filter;
	const hasMore = text !== '' && Object.values(rest).some((value) => value !== null);
	return (
		<Empty
			title="No address matches this filter"
			text={
				hasMore
					? `No filtered address contains your search. The list has ${plural(report.total, 'address', 'addresses')}.`
					: `The list has ${plural(report.total, 'address', 'addresses')}. Remove a condition to see more.`
			}
			action={
				<div class="actions actions-centred">
					{hasMore && (
						<ButtonLink kind="quiet" href={listHref(job.jobId, { filter: { ...NO_FILTER, text }, order })}>
							Search the whole list
						</ButtonLink>
					)}
					<ButtonLink kind="quiet" href={listHref(job.jobId, { order })}>
						Clear the filter
					</ButtonLink>
				</div>
			}
		/>
	);
}

function AddressCell({ row, href }: { readonly row: VerificationResult; readonly href: string }) {
	return (
		<>
			<a href={href} data-row aria-label={row.email}>
				<Cut text={row.email} mono />
			</a>
			{row.did_you_mean !== null && (
				<span class="small quiet block">
					Did you mean <Mono text={row.did_you_mean} />?
				</span>
			)}
		</>
	);
}

/** In a few words, with the whole sentence to be read by who wants to know. */
function ReasonCell({ row: { details, listEffect = 0 } }: { readonly row: ShownRow }) {
	return (
		<>
			<span title={details.general.reason}>{SUB_STATUSES[details.sub_status].short}</span>
			{listEffect !== 0 && (
				<span
					class="small quiet block"
					title="The list’s other addresses at this domain moved its catch-all score by so many points. An address that is verified alone has no list to compare with."
				>
					{change(listEffect)} {Math.abs(listEffect) === 1 ? 'point' : 'points'} from the list
				</span>
			)}
		</>
	);
}

/** The server that answered: the gateway before the mailboxes, a known operator, or else the host. */
function OperatorCell({ row: { details } }: { readonly row: VerificationResult }) {
	const { gateway, smtp_provider: provider, mx_record: mx, implicit_mx: implicit } = details.mail_server;
	const host = mx ?? implicit;
	const word = gateway ?? provider;
	if (word !== null) return <span title={host ?? undefined}>{displayNameOf(word)}</span>;
	return host === null ? null : <Cut text={host} mono />;
}

function ScoreCell({ row }: { readonly row: VerificationResult }) {
	return (
		<span class="score">
			<strong>{row.deliverability_score}</strong>
			<svg width="36" height="4" aria-hidden="true">
				<rect class="fill-pending" width="100%" height="4" rx="2" />
				<rect class={`fill-${row.status}`} width={percent(row.deliverability_score, 100)} height="4" rx="2" />
			</svg>
		</span>
	);
}
