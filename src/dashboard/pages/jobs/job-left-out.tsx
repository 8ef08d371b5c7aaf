import { bareAddress, describeFault, parseAddress } from '../../../core/address/parse-address.ts';
import type { Pagination } from '../../../core/jobs/pages.ts';
import type { Rejected } from '../../../core/jobs/clean-list.ts';
import { shown } from '../../../core/upload/format.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { count, list, plural } from '../../format.ts';
import { Cut, Empty, Pages, Table } from '../../parts/table.tsx';
import type { View } from '../../view.ts';
import { Filters } from './job-filter.tsx';
import { JobFrame } from './job-frame.tsx';

type LeftOutReason = Rejected['reason'];

interface LeftOutProps {
	readonly view: View;
	readonly job: JobRecord;
	/** Null: rows of both kinds. */
	readonly reason: LeftOutReason | null;
	readonly rows: readonly Rejected[];
	readonly pagination: Pagination;
}

const WORDS = { malformed: 'Malformed', duplicate: 'Repeated' } as const satisfies Record<
	LeftOutReason,
	string
>;

interface LeftOutWords {
	readonly job: JobRecord;
	/** The rows of the file that the job was made from; null or left out: it was made from none, or that is not known. */
	readonly fileRows?: number | null;
}

/** How many rows were not verified, in a sentence that leads to them. Renders nothing if all were. */
export function LeftOut({ job, fileRows = null }: LeftOutWords) {
	const { duplicates, invalid, submitted } = job;
	const empty = fileRows === null ? 0 : fileRows - submitted;
	const all = duplicates + invalid + empty;
	if (all === 0) return null;
	const sentences = [
		...(duplicates > 0 ? [`${plural(duplicates, 'row repeats', 'rows repeat')} an earlier address`] : []),
		...(invalid > 0 ? [`${plural(invalid, 'row is', 'rows are')} not a valid address`] : []),
		...(empty > 0 ? [`${plural(empty, 'row has', 'rows have')} no address`] : []),
	];
	return (
		<p class="quiet">
			{list(sentences)}. {all === 1 ? 'It was' : 'They were'} left out and cost nothing.{' '}
			{duplicates + invalid > 0 && <a href={hrefOf(job, null, 1)}>See what was left out</a>}
		</p>
	);
}

/** Every row of a list that was not verified, and why. */
export function LeftOutPage({ view, job, reason, rows, pagination }: LeftOutProps) {
	const all = job.duplicates + job.invalid;
	const totals = { malformed: job.invalid, duplicate: job.duplicates };
	return (
		<JobFrame view={view} job={job} tab="left-out">
			<section class="stack" aria-labelledby="left-out">
				<h2 id="left-out" class="unseen">
					Rows left out
				</h2>
				<p>
					{plural(all, 'row')} of {count(job.submitted)} {all === 1 ? 'was' : 'were'} not verified, and cost
					nothing.
				</p>
				<Filters
					options={[null, 'malformed' as const, 'duplicate' as const].map((one) => ({
						href: hrefOf(job, one, 1),
						label: one === null ? 'All' : WORDS[one],
						rows: one === null ? all : totals[one],
						isChosen: one === reason,
					}))}
				/>
				<Table
					caption="Rows left out"
					rows={rows}
					columns={[
						{
							head: 'Row',
							align: 'right',
							width: 64,
							cell: ({ index, inFile }) => count(inFile?.row ?? index + 1),
						},
						{
							head: 'Content',
							names: true,
							width: 240,
							// A row of a file may hold a book.
							cell: ({ value }) => <Cut text={shown(value)} mono />,
						},
						{ head: 'Why', width: 320, cell: (row) => whyOf(row) },
					]}
					empty={
						<Empty title="Nothing was left out" text="No row of this list was left out for this reason." />
					}
				/>
				<Pages pagination={pagination} things="rows" hrefOf={(page) => hrefOf(job, reason, page)} />
				<p class="quiet small">
					{rows.some(({ inFile }) => inFile !== undefined)
						? 'Rows are numbered as in your file, header included.'
						: 'Rows are counted from the first address of the list.'}
				</p>
			</section>
		</JobFrame>
	);
}

function whyOf({ reason, value, duplicateOf, inFile }: Rejected): string {
	if (reason === 'duplicate') {
		const row = inFile?.duplicateOf ?? (duplicateOf === null ? null : duplicateOf + 1);
		return row === null ? 'Repeats an earlier row' : `Repeats row ${count(row)}`;
	}
	const text = bareAddress(value);
	const parsed = parseAddress(text);
	return parsed.ok ? 'No address' : describeFault(parsed.reason, text);
}

function hrefOf(job: JobRecord, reason: LeftOutReason | null, page: number): string {
	const query = new URLSearchParams();
	if (reason !== null) query.set('why', reason);
	if (page > 1) query.set('page', String(page));
	const words = query.toString();
	return `/dashboard/jobs/${job.jobId}/left-out${words === '' ? '' : `?${words}`}`;
}
