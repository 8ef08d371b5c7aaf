import type { Pagination } from '../../../core/jobs/pages.ts';
import type { ListSource } from '../../../operations/jobs/read-job.ts';
import type { ListState, JobRecord } from '../../../operations/jobs/port.ts';
import type { Upload } from '../../../operations/uploads/port.ts';
import type { Flash } from '../../session.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/form.tsx';
import { JobsTable } from '../../parts/jobs-table.tsx';
import { FlashNotice } from '../../parts/notice.tsx';
import { Empty, Pages } from '../../parts/table.tsx';
import type { View } from '../../view.ts';
import { NewList } from '../uploads/new-list.tsx';
import type { RefusedList } from '../uploads/new-list.tsx';
import { WaitingFiles } from '../uploads/waiting-files.tsx';

/** Which lists are shown. */
export interface ListFilter {
	readonly search: string;
	readonly state: ListState;
	/** Null: any. */
	readonly from: ListSource | null;
}

export interface ListsProps {
	readonly view: View;
	readonly jobs: readonly JobRecord[];
	readonly pagination: Pagination;
	readonly filter: ListFilter;
	/** Files that were not started yet. */
	readonly uploads: readonly Upload[];
	/** The error of a refused file or text. */
	readonly error: RefusedList | null;
	readonly flash: Flash | null;
}

/** The upload form, files that wait, and all lists of an account. */
export function ListsPage({ view, jobs, pagination, filter, uploads, error, flash }: ListsProps) {
	const isEmpty = pagination.total === 0 && !isFiltered(filter);
	return (
		<DashboardPage
			view={view}
			place="Lists"
			title="Lists"
			lead="You see what is in a file, and what it costs, before anything is charged."
			islands={['drop', 'live']}
		>
			<FlashNotice flash={flash} />
			<NewList view={view} error={error} small={!isEmpty} />
			<WaitingFiles view={view} uploads={uploads} />
			<Section title="All lists">
				{!isEmpty && <FilterForm filter={filter} />}
				<AllLists view={view} jobs={jobs} pagination={pagination} filter={filter} />
			</Section>
			<p id="live-says" class="unseen" role="status" />
		</DashboardPage>
	);
}

const STATE_WORDS = {
	all: 'Any',
	processing: 'Running',
	completed: 'Done',
	failed: 'Failed',
	deleted: 'Deleted',
} as const satisfies Record<ListState, string>;

function FilterForm({ filter }: { readonly filter: ListFilter }) {
	return (
		<form method="get" action="/dashboard/lists" class="inline-form list-filter">
			<Field name="q" type="search" label="Name" value={filter.search} autocomplete="off" maxlength={100} />
			<Select
				name="state"
				label="Status"
				value={filter.state}
				options={Object.entries(STATE_WORDS).map(([value, label]) => ({ value, label }))}
			/>
			<Select
				name="from"
				label="Source"
				value={filter.from ?? ''}
				options={[
					{ value: '', label: 'Any' },
					{ value: 'upload', label: 'Dashboard' },
					{ value: 'api', label: 'API' },
				]}
			/>
			<Button kind="quiet">Filter</Button>
		</form>
	);
}

function isFiltered({ search, state, from }: ListFilter): boolean {
	return search !== '' || state !== 'all' || from !== null;
}

/** The table of lists, which a script reloads while one of the jobs works. */
export function AllLists({
	view,
	jobs,
	pagination,
	filter,
}: Pick<ListsProps, 'view' | 'jobs' | 'pagination' | 'filter'>) {
	const working = jobs.filter(({ status }) => status === 'processing').length;
	return (
		<div
			data-live={hrefOf('/dashboard/lists/live', filter, pagination.page)}
			data-done={working > 0 ? undefined : ''}
			data-says={working > 0 ? undefined : 'All lists are done'}
		>
			<JobsTable view={view} jobs={jobs} empty={<NoLists pagination={pagination} filter={filter} />} />
			<Pages
				pagination={pagination}
				things="lists"
				hrefOf={(page) => hrefOf('/dashboard/lists', filter, page)}
			/>
		</div>
	);
}

function NoLists({ pagination, filter }: Pick<ListsProps, 'pagination' | 'filter'>) {
	if (pagination.total > 0) return <p class="quiet">There is nothing on this page.</p>;
	if (!isFiltered(filter)) {
		return (
			<Empty
				title="No lists yet"
				text="Drop a file above. Before anything starts you see its addresses, the rows left out, and the price."
			/>
		);
	}
	return (
		<Empty
			title="No list matches"
			text="Search for part of its name, or show all lists."
			action={
				<ButtonLink kind="quiet" href="/dashboard/lists">
					Show all lists
				</ButtonLink>
			}
		/>
	);
}

function hrefOf(path: string, { search, state, from }: ListFilter, page: number): string {
	const query = new URLSearchParams({ page: String(page) });
	if (search !== '') query.set('q', search);
	if (state !== 'all') query.set('state', state);
	if (from !== null) query.set('from', from);
	return `${path}?${query.toString()}`;
}
