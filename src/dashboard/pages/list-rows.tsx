import { bareAddress, describeFault, parseAddress } from '../../core/address/parse-address.ts';
import type { Rejected } from '../../core/jobs/clean-list.ts';
import type { Pagination, ResultFilter } from '../../core/jobs/pages.ts';
import { renderListed } from '../../core/jobs/report/listed-row.ts';
import type { ListedRow, RowFilter } from '../../core/jobs/report/listed-row.ts';
import type { Report } from '../../core/jobs/report/report.ts';
import { evidenceIn, judgementOf, listEffectIn } from '../../core/jobs/stored-row.ts';
import { shown as cut } from '../../core/upload/format.ts';
import { STATUSES, SUB_STATUSES } from '../../core/verification/sub-status.ts';
import type { SubStatus } from '../../core/verification/sub-status.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { findRows, readRejected } from '../../operations/jobs/read-job.ts';
import { count, plural } from '../format.ts';
import { Section } from '../layout.tsx';
import { STATUS_WORDS, StatusBadge, Cut, Mono, Pages, Table } from '../parts/table.tsx';
import { Button, ButtonLink } from '../parts/basic.tsx';
import { Explanation } from '../parts/result-card.tsx';
import { Field, Select } from '../parts/form.tsx';
import type { Visit } from '../view.ts';

// The rows on the page of a list, and those that were left out of it.

const LIMIT = 50;
// An address has at most 254 characters.
const TEXT_MAX = 254;
const FILTERS = [...STATUSES, 'catch_all', 'left_out'] as const;
const FILTER_WORDS = { ...STATUS_WORDS, catch_all: 'Catch-all', left_out: 'Left out' } as const;

/** Which rows of a list a page shows. Null or empty: any. */
export interface RowsQuery {
	readonly status: ResultFilter | 'left_out' | null;
	readonly reason: SubStatus | null;
	/** A part of the address. */
	readonly q: string;
}

/**
 * Reads the query of a list's page. It ignores unknown words: an old link shows more rows, and never an error.
 *
 * @param value the value of a parameter
 */
export function readRowsQuery(value: (name: string) => string | undefined): RowsQuery {
	const reason = value('reason') ?? '';
	return {
		status: FILTERS.find((word) => word === value('status')) ?? null,
		reason: Object.hasOwn(SUB_STATUSES, reason) ? (reason as SubStatus) : null,
		q: (value('q') ?? '').trim().slice(0, TEXT_MAX),
	};
}

/** The address of a page of these rows of a list, or of another page about them. */
export function rowsHref(path: string, query: Partial<RowsQuery>, page = 1): string {
	const words = new URLSearchParams();
	for (const [name, word] of Object.entries(query)) if (word !== null && word !== '') words.set(name, word);
	if (page > 1) words.set('page', String(page));
	return words.size === 0 ? path : `${path}?${words.toString()}`;
}

/** The rows that a query means, in a list's report and in its files. */
export function filterOf({ status, reason, q }: RowsQuery): RowFilter {
	return { status: status === 'left_out' ? null : status, reason, text: q };
}

/** A page of a list's rows. */
export type ShownRows = { readonly query: RowsQuery; readonly pagination: Pagination } & (
	| { readonly kind: 'rows'; readonly rows: readonly ListedRow[] }
	| { readonly kind: 'left_out'; readonly rows: readonly Rejected[] }
);

/** Reads the rows that the page shows. Throws as `readResults` does. */
export async function findShownRows({ c, services, page }: Visit, job: JobRecord): Promise<ShownRows> {
	const query = readRowsQuery((name) => c.req.query(name));
	if (query.status === 'left_out') {
		const { rejected, pagination } = await readRejected(services, { job, page, limit: LIMIT });
		return { kind: 'left_out', query, rows: rejected, pagination };
	}
	const found = await findRows(services, { job, filter: filterOf(query), page, limit: LIMIT });
	return { kind: 'rows', query, ...found };
}

interface RowsProps {
	readonly job: JobRecord;
	/** Null: there are no results, only rows that were left out. */
	readonly report: Report | null;
	readonly shown: ShownRows;
	/** The path of the list. */
	readonly path: string;
}

/** The rows of a list: by status, by reason, and by a part of the address. */
export function Rows(props: RowsProps) {
	const { job, shown, path } = props;
	const { query, pagination } = shown;
	const isNarrowed = Object.values(query).some((word) => word !== null && word !== '');
	return (
		<Section title="Rows" id="rows">
			<div class="stack">
				<FilterForm {...props} />
				{isNarrowed && (
					<p role="status" class="row">
						{plural(pagination.total, 'row')} of {count(job.submitted)}.{' '}
						{shown.kind === 'rows' && pagination.total > 0 && (
							<a href={rowsHref(`${path}/download`, query)}>
								Download {pagination.total === 1 ? 'this row' : `these ${count(pagination.total)} rows`}
							</a>
						)}{' '}
						<a href={`${path}#rows`}>Show all rows</a>
					</p>
				)}
				{shown.kind === 'rows' ? (
					<Table
						caption="Results"
						class="table-cards"
						rows={shown.rows.map((listed) => ({ row: listed.row, result: renderListed(listed) }))}
						columns={(column) => [
							column('Address', { width: 280, names: true }, (row) => <Answer {...row} />),
							column('Status', 120, ({ result }) => <StatusBadge status={result.status} />),
							column('Reason', 180, ({ result }) => SUB_STATUSES[result.details.sub_status].short),
							column('Score', { width: 56, class: 'num' }, ({ result }) => result.deliverability_score),
						]}
						empty={['No row matches', 'Search for less, or choose another status or reason.']}
					/>
				) : (
					<LeftOut rows={shown.rows} />
				)}
				<Pages
					pagination={pagination}
					things="rows"
					hrefOf={(page) => `${rowsHref(path, query, page)}#rows`}
				/>
			</div>
		</Section>
	);
}

const withRows = (word: string, rows: number): string => `${word} (${count(rows)})`;

function FilterForm({ job, report, shown: { query }, path }: RowsProps) {
	if (report === null) return null;
	const { catchAll } = job.counts;
	const totals = { ...report.counts, catch_all: catchAll, left_out: job.duplicates + job.invalid };
	return (
		<form method="get" action={`${path}#rows`} class="inline-form list-filter">
			<Field
				name="q"
				type="search"
				label="Address contains"
				value={query.q}
				placeholder="name or @domain"
				maxlength={TEXT_MAX}
				autocomplete="off"
			/>
			<Select
				name="status"
				label="Status"
				value={query.status ?? ''}
				options={[
					['', withRows('All', report.total)],
					...FILTERS.filter((word) => totals[word] > 0 || word === query.status).map(
						(word) => [word, withRows(FILTER_WORDS[word], totals[word])] as const,
					),
				]}
			/>
			<Select
				name="reason"
				label="Reason"
				value={query.reason ?? ''}
				options={[
					['', 'Any'],
					...report.reasons.map(
						({ reason, count: rows }) => [reason, withRows(SUB_STATUSES[reason].short, rows)] as const,
					),
				]}
			/>
			<Button kind="quiet">Filter</Button>
		</form>
	);
}

/** An address, and behind it the whole answer: it needs no page of its own. */
function Answer({ row, result }: { row: ListedRow['row']; result: ReturnType<typeof renderListed> }) {
	const { email, did_you_mean: meant, details } = result;
	return (
		<details>
			<summary>
				<Mono text={email} />
			</summary>
			<div class="stack-small">
				<p>{details.general.reason}.</p>
				{meant !== null && (
					<p>
						Did you mean{' '}
						<a href={verifyHref(meant)}>
							<Mono text={meant} />
						</a>
						?
					</p>
				)}
				<Explanation
					result={{ ...result, evidence: evidenceIn(row) }}
					charged={null}
					breakdown={judgementOf(row)?.breakdown ?? null}
					listEffect={listEffectIn(row)}
				/>
				<ButtonLink kind="quiet" size="small" href={verifyHref(email)} label={`Verify again ${email}`}>
					Verify again
				</ButtonLink>
			</div>
		</details>
	);
}

/** The page that verifies an address, with its price; nothing is asked before the person says so. */
function verifyHref(email: string): string {
	return `/dashboard?email=${encodeURIComponent(email)}`;
}

/** Every row of a list that was not verified, and why. */
function LeftOut({ rows }: { readonly rows: readonly Rejected[] }) {
	return (
		<>
			<Table
				caption="Rows left out"
				class="table-cards"
				rows={rows}
				columns={(column) => [
					column('Row', { width: 64, class: 'num' }, ({ index, inFile }) => count(inFile?.row ?? index + 1)),
					// A row of a file may hold a book.
					column('Content', { width: 240, names: true }, ({ value }) => <Cut text={cut(value)} mono />),
					column('Why', 320, (row) => whyOf(row)),
				]}
				empty={['Nothing was left out', 'Every row of this list was verified.']}
			/>
			<p class="quiet small">
				{rows.some(({ inFile }) => inFile !== undefined)
					? 'Rows are numbered as in your file, header included.'
					: 'Rows are counted from the first address of the list.'}
			</p>
		</>
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
