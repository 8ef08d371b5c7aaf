import type { Pagination } from '../../core/jobs/pages.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import type { Flash } from '../flash.ts';
import { count } from '../format.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { Button } from '../parts/button.tsx';
import { FileDrop, Form } from '../parts/form.tsx';
import { JobsTable } from '../parts/jobs-table.tsx';
import { FlashNotice } from '../parts/notice.tsx';
import { Pages } from '../parts/pagination.tsx';
import { Empty } from '../parts/table.tsx';
import type { View } from '../view.ts';

export interface ListsProps {
	readonly view: View;
	readonly jobs: readonly JobRecord[];
	readonly pagination: Pagination;
	/** What was wrong with the uploaded file. */
	readonly error: string | null;
	readonly flash: Flash | null;
}

/** The upload form, and all lists of an account. */
export function ListsPage({ view, jobs, pagination, error, flash }: ListsProps) {
	return (
		<DashboardPage
			view={view}
			place="Lists"
			title="Lists"
			lead="Nothing is charged before you have seen what is in the file."
			islands={['drop', 'live']}
		>
			<FlashNotice flash={flash} />
			<Section title="New list">
				<Form view={view} action="/dashboard/lists" withFile>
					<FileDrop
						name="file"
						label="File with addresses"
						invitation="Drop a file here, or choose one"
						hint={`CSV or text, up to ${count(50_000)} rows and 20 MB. Any column may hold the addresses.`}
						accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
						error={error ?? undefined}
						required
					/>
					<Button>Check file</Button>
				</Form>
			</Section>
			<Section title="All lists">
				<AllLists view={view} jobs={jobs} pagination={pagination} />
			</Section>
			<p id="live-says" class="unseen" role="status" />
		</DashboardPage>
	);
}

/** The table of lists, which a script reloads while one of the jobs works. */
export function AllLists({ view, jobs, pagination }: Omit<ListsProps, 'error' | 'flash'>) {
	const working = jobs.filter(({ status }) => status === 'processing').length;
	return (
		<div
			data-live={`/dashboard/lists/live?page=${pagination.page}`}
			data-done={working > 0 ? undefined : ''}
			data-says={working > 0 ? undefined : 'All lists are done'}
		>
			<JobsTable
				view={view}
				jobs={jobs}
				empty={
					pagination.total > 0 ? (
						<p class="quiet">There is nothing on this page.</p>
					) : (
						<Empty
							title="No lists yet"
							text="Drop a file above. You will see how many addresses it holds, what is left out and what it costs before anything begins."
						/>
					)
				}
			/>
			<Pages pagination={pagination} things="lists" hrefOf={(page) => `/dashboard/lists?page=${page}`} />
		</div>
	);
}
