import { RESULT_COLUMNS } from '../../../core/csv/result-columns.ts';
import { isOpen, LIST_ORDER, NO_FILTER } from '../../../core/jobs/report/filter.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { count, list, plural } from '../../format.ts';
import { DashboardPage } from '../../layout.tsx';
import { listParameters } from '../../list-query.ts';
import type { ListQuery } from '../../list-query.ts';
import { Button, CancelLink, Dialog } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/form.tsx';
import { nameOf } from '../../parts/jobs-table.tsx';
import type { View } from '../../view.ts';

/** The id of the dialog that the page's button opens. */
export const DOWNLOAD_DIALOG = 'download';

interface DownloadProps {
	readonly job: JobRecord;
	readonly rows: ChosenRows;
	/** The rows of the file that the job was made from; null: it was made from none. */
	readonly fileRows: number | null;
}

/** The rows that a filter lets through. */
export interface ChosenRows {
	readonly query: ListQuery;
	readonly total: number;
}

/** The whole list. */
export const ALL_ROWS: ChosenRows = { query: { filter: NO_FILTER, order: LIST_ORDER }, total: 0 };

/** Which rows, columns and kind of file, over the list's page. */
export function DownloadDialog(props: DownloadProps) {
	return (
		<Dialog id={DOWNLOAD_DIALOG} title="Download results">
			<DownloadForm {...props} />
		</Dialog>
	);
}

/** The same on a page of its own, for browsers without scripts. */
export function DownloadPage(props: DownloadProps & { readonly view: View }) {
	return (
		<DashboardPage
			view={props.view}
			place="Lists"
			title="Download results"
			up={{ name: nameOf(props.job), href: `/dashboard/jobs/${props.job.jobId}` }}
		>
			<DownloadForm {...props} />
		</DashboardPage>
	);
}

function DownloadForm({ job, rows: { query, total }, fileRows }: DownloadProps) {
	const page = `/dashboard/jobs/${job.jobId}`;
	const isFiltered = !isOpen(query.filter);
	const hasRepeats = fileRows !== null && fileRows > job.accepted;
	return (
		<form method="get" action={`${page}/download`} class="form download-form">
			{isFiltered && (
				<fieldset>
					<legend>Rows</legend>
					{listParameters(query).map(([name, value]) => (
						<input type="hidden" name={name} value={value} />
					))}
					<Radio
						name="rows"
						value="shown"
						checked
						label={`The ${plural(total, 'address that matches', 'addresses that match')} the filter`}
					/>
					<Radio name="rows" value="all" label={`The whole list: ${count(job.accepted)}`} />
				</fieldset>
			)}
			{hasRepeats ? (
				<fieldset>
					<legend>Repeated rows</legend>
					<Radio
						name="repeats"
						value="left_out"
						checked
						label={`One row per address${isFiltered ? '' : `: ${plural(job.accepted, 'row')}`}`}
					/>
					<Radio
						name="repeats"
						value="kept"
						label={isFiltered ? 'With the repeated rows of your file' : keptWords(job, fileRows)}
					/>
				</fieldset>
			) : (
				<input type="hidden" name="repeats" value="left_out" />
			)}
			<fieldset>
				<legend>File</legend>
				<Radio name="format" value="csv" checked label="CSV" />
				<Radio name="format" value="xlsx" label="Excel workbook (XLSX)" />
			</fieldset>
			<details class="more">
				<summary>Choose columns</summary>
				<fieldset>
					<legend class="unseen">Columns to add</legend>
					{fileRows !== null && (
						<p class="quiet">All columns of your file are kept, in order. These are added after them.</p>
					)}
					<div class="column-choice">
						{RESULT_COLUMNS.map((name) => (
							<Checkbox name="columns" value={name} checked label={<code>{name}</code>} />
						))}
					</div>
				</fieldset>
			</details>
			<div class="actions">
				<Button icon="download">Download</Button>
				<CancelLink href={page} />
			</div>
		</form>
	);
}

function keptWords({ submitted, duplicates, invalid }: JobRecord, fileRows: number): string {
	const empty = fileRows - submitted;
	const more = [
		...(duplicates > 0 ? [plural(duplicates, 'repeat')] : []),
		...(invalid > 0 ? [plural(invalid, 'malformed address', 'malformed addresses')] : []),
		...(empty > 0 ? [plural(empty, 'row without an address', 'rows without an address')] : []),
	];
	return `Every row of your file: ${plural(fileRows, 'row')}, including ${list(more)}`;
}

function Radio(props: {
	readonly name: string;
	readonly value: string;
	readonly label: string;
	readonly checked?: boolean;
}) {
	return (
		<label class="check">
			<input type="radio" name={props.name} value={props.value} checked={props.checked} />
			<span>{props.label}</span>
		</label>
	);
}
