import type { Pagination, ResultList } from '../../core/jobs/pages.ts';
import type { VerificationResult } from '../../core/verification/result.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { totalOf } from '../../operations/jobs/steps/stored-results.ts';
import { count, plural } from '../format.ts';
import { Section } from '../layout.tsx';
import { STATUS_WORDS, Shape, StatusBadge } from '../parts/badge.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Field } from '../parts/form.tsx';
import { Cut, Mono, breakable } from '../parts/long-text.tsx';
import { Pages } from '../parts/pagination.tsx';
import { Empty, Table } from '../parts/table.tsx';

export interface ShownResults {
	readonly results: readonly VerificationResult[];
	readonly pagination: Pagination;
	readonly list: ResultList;
	/** The search text; empty: no search. */
	readonly search: string;
	/** Rows of the whole job that match the search, without the filter. */
	readonly inAll: number;
	/** The job was made from a file, whose rows may repeat an address or hold none. */
	readonly fromFile: boolean;
}

const LISTS = ['all', 'deliverable', 'undeliverable', 'risky', 'unknown', 'catch_all'] as const;

/** The results of a finished list, filtered, searched and paginated. */
export function JobResults({ job, shown }: { readonly job: JobRecord; readonly shown: ShownResults }) {
	const { list, search, pagination } = shown;
	return (
		<Section title="Results" id="results">
			<div class="stack">
				<div class="spread">
					<ul class="filters" aria-label="Show">
						{LISTS.map((one) => (
							<li>
								<a
									href={hrefOf(job, { list: one, search, page: 1 })}
									aria-current={one === list ? 'true' : undefined}
								>
									{one !== 'all' && one !== 'catch_all' && (
										<span class={`ink-${one} row`}>
											<Shape tone={one} />
										</span>
									)}
									{wordsOf(one)} <span class="quiet">{count(totalOf(job, one))}</span>
								</a>
							</li>
						))}
					</ul>
					<form method="get" action="#results" class="inline-form search" role="search">
						{list !== 'all' && <input type="hidden" name="status" value={list} />}
						<Field
							name="q"
							type="search"
							label="Search addresses"
							value={search}
							placeholder="Search addresses"
						/>
						<Button kind="quiet">Search</Button>
					</form>
				</div>
				{search !== '' && <Found job={job} shown={shown} />}
				<Rows job={job} shown={shown} />
				<Pages
					pagination={pagination}
					things="addresses"
					hrefOf={(page) => hrefOf(job, { list, search, page })}
				/>
				<Downloads job={job} shown={shown} />
			</div>
		</Section>
	);
}

interface Shown {
	readonly job: JobRecord;
	readonly shown: ShownResults;
}

/** The number of matches under the filter, and in the whole list where that is more. */
function Found({ job, shown: { list, search, pagination, inAll } }: Shown) {
	const { total } = pagination;
	return (
		<p>
			{plural(total, 'address contains', 'addresses contain')} <code>{breakable(search)}</code>
			{list !== 'all' && ` under “${wordsOf(list)}”, ${count(inAll)} in the whole list`}.{' '}
			{total > 0 && inAll > total && (
				<>
					<a href={hrefOf(job, { list: 'all', search, page: 1 })}>Search the whole list</a>{' '}
				</>
			)}
			<a href={hrefOf(job, { list, search: '', page: 1 })}>Clear search</a>
		</p>
	);
}

/** Downloads of the filtered rows: as many as the page counts, or including repetitions in the customer's file. */
function Downloads({ job, shown: { list, search, fromFile } }: Shown) {
	const rows = totalOf(job, list);
	const hasRepeats = fromFile && job.duplicates > 0;
	// The page's main button already downloads the whole list in its original form.
	if (rows === 0 || (list === 'all' && !hasRepeats)) return null;
	const href = `/dashboard/jobs/${job.jobId}/download?status=${list}`;
	return (
		<div class="actions">
			<ButtonLink kind="quiet" icon="download" href={`${href}&repeats=left_out`} download>
				{list === 'all'
					? 'Download without repeats'
					: `Download ${search === '' ? 'these' : 'all'} ${plural(rows, 'row')}`}
			</ButtonLink>
			{hasRepeats && list !== 'all' && (
				<ButtonLink kind="quiet" icon="download" href={href} download>
					Download with repeats
				</ButtonLink>
			)}
		</div>
	);
}

function Rows({ job, shown }: Shown) {
	return (
		<Table
			caption="Results"
			rows={shown.results}
			columns={[
				{ head: 'Address', names: true, width: 208, cell: (row) => <AddressCell row={row} /> },
				{ head: 'Status', width: 120, cell: ({ status }) => <StatusBadge status={status} /> },
				{ head: 'Reason', width: 220, cell: ({ details }) => details.general.reason },
				{ head: 'Mail server', width: 128, cell: (row) => <Cut text={serverOf(row)} mono /> },
				{ head: 'Score', align: 'right', width: 44, cell: (row) => row.deliverability_score },
			]}
			empty={<NoRows job={job} shown={shown} />}
		/>
	);
}

function NoRows({ job, shown: { list, search, inAll } }: Shown) {
	if (search === '') return <Empty title="No rows here" text="No address of this list came out like that." />;
	if (inAll === 0)
		return <Empty title="Nothing found" text="No address of this list contains what you searched for." />;
	const elsewhere = plural(inAll, 'address of your list contains', 'addresses of your list contain');
	return (
		<Empty
			title={`Nothing found under “${wordsOf(list)}”`}
			text={`${elsewhere} what you searched for, with another outcome.`}
			action={
				<ButtonLink kind="quiet" href={hrefOf(job, { list: 'all', search, page: 1 })}>
					Search the whole list
				</ButtonLink>
			}
		/>
	);
}

function AddressCell({ row }: { readonly row: VerificationResult }) {
	return (
		<>
			<Cut text={row.email} mono />
			{row.did_you_mean !== null && (
				<span class="small quiet block">
					Did you mean <Mono text={row.did_you_mean} />?
				</span>
			)}
		</>
	);
}

function serverOf({ details }: VerificationResult): string {
	return details.mail_server.mx_record ?? details.mail_server.implicit_mx ?? '–';
}

function wordsOf(list: ResultList): string {
	if (list === 'all') return 'All';
	return list === 'catch_all' ? 'Catch-all' : STATUS_WORDS[list];
}

function hrefOf(
	job: JobRecord,
	{ list, search, page }: { readonly list: ResultList; readonly search: string; readonly page: number },
): string {
	const query = new URLSearchParams();
	if (list !== 'all') query.set('status', list);
	if (search !== '') query.set('q', search);
	if (page > 1) query.set('page', String(page));
	const words = query.toString();
	return `/dashboard/jobs/${job.jobId}${words === '' ? '' : `?${words}`}#results`;
}
