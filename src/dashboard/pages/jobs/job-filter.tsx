import type { Child } from 'hono/jsx';
import { isOpen, NO_FILTER } from '../../../core/jobs/report/filter.ts';
import type { RowFilter, RowOrder, SortKey } from '../../../core/jobs/report/filter.ts';
import type { ResultFilter } from '../../../core/jobs/pages.ts';
import { scoredOf } from '../../../core/jobs/report/report.ts';
import type { Report } from '../../../core/jobs/report/report.ts';
import { CATCH_ALL_VERDICTS } from '../../../core/verification/render.ts';
import { SUB_STATUSES } from '../../../core/verification/sub-status.ts';
import type { Status, SubStatus } from '../../../core/verification/sub-status.ts';
import { displayNameOf } from '../../../core/mail-operators/operators.ts';
import { count } from '../../format.ts';
import { listHref, listParameters, sortWord } from '../../list-query.ts';
import type { ListQuery } from '../../list-query.ts';
import { Shape, STATUS_WORDS, VERDICT_WORDS } from '../../parts/badge.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Field } from '../../parts/form.tsx';

interface FilterProps {
	readonly jobId: string;
	readonly query: ListQuery;
	readonly report: Report;
}

const STATUS_FILTERS = [null, 'deliverable', 'undeliverable', 'risky', 'unknown', 'catch_all'] as const;

/** The filter of the rows. Every choice is a link, so it applies at once; only a search has to be typed. */
export function FilterBar({ jobId, query, report }: FilterProps) {
	const { filter, order } = query;
	const hrefOf = (more: Partial<RowFilter>): string =>
		listHref(jobId, { filter: { ...filter, ...more }, order });
	return (
		<div class="stack-small">
			<Filters
				options={STATUS_FILTERS.filter(
					(status) => totalOf(report, status) > 0 || status === filter.status,
				).map((status) => ({
					href: hrefOf({ status }),
					label: statusWords(status),
					rows: totalOf(report, status),
					isChosen: filter.status === status,
					tone: status === 'catch_all' ? null : status,
				}))}
			/>
			<div class="chips">
				{menusOf(report, query, hrefOf).map((menu) => (
					<Menu {...menu} />
				))}
				<SortMenu jobId={jobId} query={query} />
				<Search jobId={jobId} query={query} />
				{!isOpen(filter) && (
					<ButtonLink kind="quiet" size="small" href={listHref(jobId, { filter: NO_FILTER, order })}>
						Clear
					</ButtonLink>
				)}
			</div>
		</div>
	);
}

interface FilterOption {
	readonly href: string;
	readonly label: string;
	readonly rows: number;
	readonly isChosen: boolean;
	/** The outcome whose shape stands before the label. */
	readonly tone?: Status | null;
}

/** The kinds of rows with their numbers, each a link that shows those alone. */
export function Filters({ options }: { readonly options: readonly FilterOption[] }) {
	return (
		<ul class="filters" aria-label="Show">
			{options.map(({ href, label, rows, isChosen, tone = null }) => (
				<li>
					<a href={href} aria-current={isChosen ? 'true' : undefined}>
						{tone !== null && (
							<span class={`ink-${tone} row`}>
								<Shape tone={tone} />
							</span>
						)}
						{withRows(label, rows)}
					</a>
				</li>
			))}
		</ul>
	);
}

interface MenuProps {
	readonly name: string;
	/** Null: nothing is chosen. */
	readonly chosen: string | null;
	readonly options: readonly Option[];
}

interface Option {
	readonly href: string;
	readonly label: Child;
	readonly isChosen: boolean;
}

/** A chip that opens to its choices. */
function Menu({ name, chosen, options }: MenuProps) {
	return (
		<details class="chip" name="filter">
			<summary class={chosen === null ? undefined : 'chosen'}>
				{chosen === null ? name : `${name}: ${chosen}`}
			</summary>
			<ul>
				{options.map(({ href, label, isChosen }) => (
					<li>
						<a href={href} aria-current={isChosen ? 'true' : undefined}>
							{label}
						</a>
					</li>
				))}
			</ul>
		</details>
	);
}

type HrefOf = (more: Partial<RowFilter>) => string;

/** A menu for each property by which rows differ. One that says the same of all rows is left out. */
function menusOf(report: Report, { filter }: ListQuery, hrefOf: HrefOf): readonly MenuProps[] {
	const operators = report.operators.map(({ name }) => ({ value: name, label: displayNameOf(name) }));
	const verdicts = CATCH_ALL_VERDICTS.map((value) => ({ value, label: VERDICT_WORDS[value] }));
	const having = (name: 'role' | 'free' | 'disposable', label: string): readonly MenuProps[] => {
		const rows = report.flags[name];
		return menuOf(label, rows === 0 || rows === report.total ? [] : havingOf(rows), {
			chosen: filter[name],
			hrefOf: (value) => hrefOf({ [name]: value }),
		});
	};
	return [
		...menuOf('Reason', report.reasons.length < 2 ? [] : reasonsOf(report), {
			chosen: filter.reason,
			hrefOf: (reason) => hrefOf({ reason }),
			wordOf: (reason) => SUB_STATUSES[reason].short,
		}),
		...menuOf<string>('Mail operator', operators, {
			chosen: filter.operator,
			hrefOf: (operator) => hrefOf({ operator }),
			wordOf: displayNameOf,
		}),
		...menuOf('Catch-all verdict', scoredOf(report) === 0 ? [] : verdicts, {
			chosen: filter.verdict,
			hrefOf: (verdict) => hrefOf({ verdict }),
		}),
		...having('role', 'Role accounts'),
		...having('free', 'Free providers'),
		...having('disposable', 'Disposable'),
	];
}

interface Values<Value> {
	readonly chosen: Value | null;
	readonly hrefOf: (value: Value | null) => string;
	/** The words of a chosen value that no row has any more: an old link. */
	readonly wordOf?: (value: Value) => string;
}

/** None, without options and without a choice. */
function menuOf<Value extends string>(
	name: string,
	options: readonly { readonly value: Value; readonly label: string; readonly rows?: number }[],
	{ chosen, hrefOf, wordOf = (value) => value }: Values<Value>,
): readonly MenuProps[] {
	if (options.length === 0 && chosen === null) return [];
	const known = options.find(({ value }) => value === chosen)?.label;
	const word = chosen === null ? null : (known ?? wordOf(chosen));
	const choices = options.map(({ value, label, rows }) => ({
		href: hrefOf(value),
		label: rows === undefined ? label : withRows(label, rows),
		isChosen: value === chosen,
	}));
	return [
		{
			name,
			chosen: word,
			options: [{ href: hrefOf(null), label: 'Any', isChosen: chosen === null }, ...choices],
		},
	];
}

function withRows(label: string, rows: number): Child {
	return (
		<>
			{label} <span class="quiet">{count(rows)}</span>
		</>
	);
}

function reasonsOf({ reasons }: Report): readonly { value: SubStatus; label: string; rows: number }[] {
	return reasons.map(({ reason, count: rows }) => ({
		value: reason,
		label: SUB_STATUSES[reason].short,
		rows,
	}));
}

function havingOf(rows: number) {
	return [
		{ value: 'only' as const, label: 'Only these', rows },
		{ value: 'without' as const, label: 'Without these' },
	];
}

const SORT_WORDS = {
	list: 'Order of the list',
	address: 'Address',
	domain: 'Domain',
	status: 'Status',
	score: 'Score, lowest first',
} as const satisfies Record<SortKey, string>;

function SortMenu({ jobId, query: { filter, order } }: Pick<FilterProps, 'jobId' | 'query'>) {
	const orders: readonly (RowOrder & { readonly label: string })[] = [
		...Object.entries(SORT_WORDS).map(([by, label]) => ({ by: by as SortKey, descending: false, label })),
		{ by: 'score', descending: true, label: 'Score, highest first' },
	];
	const now = sortWord(order);
	const chosen = orders.find((one) => sortWord(one) === now)?.label ?? `${SORT_WORDS[order.by]}, reversed`;
	return (
		<Menu
			name="Sort"
			chosen={now === 'list' ? null : chosen}
			options={orders.map(({ label, ...one }) => ({
				href: listHref(jobId, { filter, order: one }),
				label,
				isChosen: sortWord(one) === now,
			}))}
		/>
	);
}

function Search({ jobId, query }: Pick<FilterProps, 'jobId' | 'query'>) {
	return (
		<form
			method="get"
			action={`/dashboard/jobs/${jobId}/results`}
			class="inline-form search"
			role="search"
			aria-label="Search the rows"
		>
			{listParameters(query)
				.filter(([name]) => name !== 'q')
				.map(([name, value]) => (
					<input type="hidden" name={name} value={value} />
				))}
			<Field
				name="q"
				type="search"
				label="Address contains"
				value={query.filter.text}
				placeholder="name or @domain"
			/>
			<Button kind="quiet">Search</Button>
		</form>
	);
}

function totalOf(report: Report, status: ResultFilter | null): number {
	if (status === null) return report.total;
	return status === 'catch_all' ? report.flags.catchAll : report.counts[status];
}

function statusWords(status: ResultFilter | null): string {
	if (status === null) return 'All';
	return status === 'catch_all' ? 'Catch-all' : STATUS_WORDS[status];
}
