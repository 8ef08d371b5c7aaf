import type { VerificationResult } from '../../core/verification/result.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { totalOf } from '../../operations/jobs/read-results.ts';
import type { ResultList } from '../../core/jobs/pages.ts';
import { count, plural } from '../format.ts';
import { Section } from '../layout.tsx';
import { STATUS_WORDS, Shape, StatusBadge } from '../parts/badge.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Pages } from '../parts/pagination.tsx';
import { Empty, Table } from '../parts/table.tsx';
import type { ShownResults } from './job.tsx';

const LISTS = ['all', 'deliverable', 'undeliverable', 'risky', 'unknown', 'catch_all'] as const;

/** The rows of a finished list: one part of them, searched and in pages. */
export function JobResults({ job, shown }: { readonly job: JobRecord; readonly shown: ShownResults }) {
	const { list, search, pagination, results } = shown;
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
				{search !== '' && (
					<p>
						{plural(pagination.total, 'address contains', 'addresses contain')} <code>{search}</code>.{' '}
						<a href={hrefOf(job, { list, search: '', page: 1 })}>Show all</a>
					</p>
				)}
				<Rows results={results} empty={search !== ''} />
				<Pages
					pagination={pagination}
					things="addresses"
					hrefOf={(page) => hrefOf(job, { list, search, page })}
				/>
				{list !== 'all' && totalOf(job, list) > 0 && (
					<ButtonLink
						kind="quiet"
						icon="download"
						href={`/dashboard/jobs/${job.jobId}/download?status=${list}`}
						download
					>
						Download these {plural(totalOf(job, list), 'row')}
					</ButtonLink>
				)}
			</div>
		</Section>
	);
}

function Rows({
	results,
	empty,
}: {
	readonly results: readonly VerificationResult[];
	readonly empty: boolean;
}) {
	return (
		<Table
			caption="Results"
			rows={results}
			columns={[
				{ head: 'Address', names: true, class: 'wide', cell: (row) => <AddressCell row={row} /> },
				{ head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
				{ head: 'Reason', class: 'reason', cell: ({ details }) => details.general.reason },
				{ head: 'Mail server', class: 'server', cell: (row) => <span class="mono">{serverOf(row)}</span> },
				{ head: 'Score', align: 'number', cell: (row) => row.deliverability_score },
			]}
			empty={
				<Empty
					title={empty ? 'Nothing found' : 'No rows here'}
					text={
						empty
							? 'No address of this list contains what you searched for.'
							: 'No address of this list came out like that.'
					}
				/>
			}
		/>
	);
}

function AddressCell({ row }: { readonly row: VerificationResult }) {
	return (
		<>
			<span class="mono">{row.email}</span>
			{row.did_you_mean !== null && (
				<span class="small quiet block">
					Did you mean <span class="mono">{row.did_you_mean}</span>?
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
