import { isOpen, NO_FILTER } from '../../../core/jobs/report/filter.ts';
import type { RowFilter, RowOrder, SortKey } from '../../../core/jobs/report/filter.ts';
import type { ResultFilter } from '../../../core/jobs/pages.ts';
import { scoredOf } from '../../../core/jobs/report/report.ts';
import type { Report } from '../../../core/jobs/report/report.ts';
import { CATCH_ALL_VERDICTS } from '../../../core/verification/render.ts';
import { SUB_STATUSES } from '../../../core/verification/sub-status.ts';
import type { SubStatus } from '../../../core/verification/sub-status.ts';
import { displayNameOf } from '../../../core/mail-operators/operators.ts';
import { count } from '../../format.ts';
import { listHref, sortWord } from '../../list-query.ts';
import type { ListQuery } from '../../list-query.ts';
import { Shape, STATUS_WORDS, VERDICT_WORDS } from '../../parts/badge.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/form.tsx';

interface FilterProps {
	readonly jobId: string;
	readonly query: ListQuery;
	readonly report: Report;
}

const STATUS_FILTERS = [null, 'deliverable', 'undeliverable', 'risky', 'unknown', 'catch_all'] as const;

/** What narrows the rows down: the status with one click, everything else in a form that keeps what was chosen. */
export function FilterBar(props: FilterProps) {
	const { jobId, query, report } = props;
	const { filter, order } = query;
	return (
		<div class="stack">
			<ul class="filters" aria-label="Show">
				{STATUS_FILTERS.map((status) => (
					<li>
						<a
							href={listHref(jobId, { filter: { ...filter, status }, order })}
							aria-current={filter.status === status ? 'true' : undefined}
						>
							{status !== null && status !== 'catch_all' && (
								<span class={`ink-${status} row`}>
									<Shape tone={status} />
								</span>
							)}
							{statusWords(status)} <span class="quiet">{count(totalOf(report, status))}</span>
						</a>
					</li>
				))}
			</ul>
			<form
				method="get"
				action={`/dashboard/jobs/${jobId}#results`}
				class="filter-form"
				role="search"
				aria-label="Filter the rows"
			>
				{filter.status !== null && <input type="hidden" name="status" value={filter.status} />}
				<Field
					name="q"
					type="search"
					label="Address contains"
					value={filter.text}
					placeholder="name or @domain"
				/>
				<Fields {...props} />
				<div class="actions">
					<Button kind="quiet">Filter</Button>
					{!isOpen(filter) && (
						<ButtonLink kind="quiet" href={listHref(jobId, { filter: NO_FILTER, order })}>
							Clear
						</ButtonLink>
					)}
				</div>
			</form>
		</div>
	);
}

function Fields({ query: { filter, order }, report }: FilterProps) {
	const { flags } = report;
	return (
		<>
			<Select name="reason" label="Reason" value={filter.reason ?? ''} options={reasonsOf(report, filter)} />
			{report.operators.length > 0 && (
				<Select
					name="operator"
					label="Mail operator"
					value={filter.operator ?? ''}
					options={operatorsOf(report, filter)}
				/>
			)}
			<Having name="role" label="Role accounts" value={filter.role} rows={flags.role} />
			<Having name="free" label="Free providers" value={filter.free} rows={flags.free} />
			<Having name="disposable" label="Disposable" value={filter.disposable} rows={flags.disposable} />
			{(scoredOf(report) > 0 || filter.verdict !== null) && (
				<Select
					name="verdict"
					label="Catch-all verdict"
					value={filter.verdict ?? ''}
					options={[
						{ value: '', label: 'Any' },
						...CATCH_ALL_VERDICTS.map((verdict) => ({ value: verdict, label: VERDICT_WORDS[verdict] })),
					]}
				/>
			)}
			<Select name="sort" label="Sort by" value={sortWord(order)} options={sortOptions(order)} />
		</>
	);
}

const SORT_WORDS = {
	list: 'Order of the list',
	address: 'Address',
	domain: 'Domain',
	status: 'Status',
	score: 'Score, lowest first',
} as const satisfies Record<SortKey, string>;

/** The usual orders, and the one in use, which the head of a column may have turned round. */
function sortOptions(order: RowOrder): readonly Option[] {
	const usual = [
		...Object.entries(SORT_WORDS).map(([value, label]) => ({ value, label })),
		{ value: '-score', label: 'Score, highest first' },
	];
	const now = sortWord(order);
	if (usual.some(({ value }) => value === now)) return usual;
	return [...usual, { value: now, label: `${SORT_WORDS[order.by]}, reversed` }];
}

function Having(props: {
	readonly name: 'role' | 'free' | 'disposable';
	readonly label: string;
	readonly value: string | null;
	readonly rows: number;
}) {
	return (
		<Select
			name={props.name}
			label={props.label}
			value={props.value ?? ''}
			options={[
				{ value: '', label: 'Any' },
				{ value: 'only', label: `Only these (${count(props.rows)})` },
				{ value: 'without', label: 'Leave out' },
			]}
		/>
	);
}

interface Option {
	readonly value: string;
	readonly label: string;
}

function optionOf(value: SubStatus, rows: number): Option {
	return { value, label: `${SUB_STATUSES[value].short} (${count(rows)})` };
}

/** Those that occur, and the chosen one, which may have come by an old link. */
function reasonsOf({ reasons }: Report, { reason }: RowFilter): readonly Option[] {
	const missing = reason !== null && !reasons.some((one) => one.reason === reason);
	return [
		{ value: '', label: 'Any' },
		...reasons.map((one) => optionOf(one.reason, one.count)),
		...(missing ? [optionOf(reason, 0)] : []),
	];
}

function operatorsOf({ operators }: Report, { operator }: RowFilter): readonly Option[] {
	const names = operators.map(({ name }) => name);
	const all = operator === null || names.includes(operator) ? names : [...names, operator];
	return [{ value: '', label: 'Any' }, ...all.map((value) => ({ value, label: displayNameOf(value) }))];
}

function totalOf(report: Report, status: ResultFilter | null): number {
	if (status === null) return report.total;
	return status === 'catch_all' ? report.flags.catchAll : report.counts[status];
}

function statusWords(status: ResultFilter | null): string {
	if (status === null) return 'All';
	return status === 'catch_all' ? 'Catch-all' : STATUS_WORDS[status];
}
