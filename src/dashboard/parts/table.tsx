import type { Child } from 'hono/jsx';
import { Icon } from './icon.tsx';
import type { Pagination } from '../../core/jobs/pages.ts';
import { count, plural } from '../format.ts';
import { ButtonLink } from './button.tsx';

export interface Column<Row> {
	readonly head: string;
	/** Shown in place of the head's words. */
	readonly headAs?: Child;
	readonly cell: (row: Row) => Child;
	/**
	 * Minimum width in pixels, including 12 of padding. Spare width is distributed in proportion to these. A table of at
	 * most 720 px scrolls in narrow windows only.
	 */
	readonly width: number;
	/** Right-aligned, for figures and buttons. */
	readonly align?: 'right';
	/** The row header. One column has it. */
	readonly names?: boolean;
	/** The head is for screen readers only, because the cells need no explanation. */
	readonly hidesHead?: boolean;
	/** The head is a link that sorts by this column. */
	readonly sort?: Sort;
	/**
	 * Stays where the table has less than 720 px. Where any column has it, the others are left out there; else the table
	 * scrolls.
	 */
	readonly phone?: boolean;
	readonly class?: string | undefined;
}

/** How a column sorts. */
export interface Sort {
	/** The same page, sorted by this column; the other way round if it already is. */
	readonly href: string;
	/** How the rows are sorted by it now; null: by another column. */
	readonly order: 'ascending' | 'descending' | null;
}

/** Buttons and links at the end of each row. */
interface RowActions<Row> {
	readonly of: (row: Row) => Child;
	/** As of a column. */
	readonly width: number;
}

// Widths of the place beside the navigation from which on a table that is no wider never scrolls: windows of 1,024,
// 1,184 and 1,344 px, less a scroll bar. The head of a table that cannot scroll stays in sight.
const FITS = [720, 880, 1_040] as const;
// The least width of a table that is not shown as cards: next to the navigation at 768 px.
const ALWAYS_FITS = 456;

/**
 * A table with columns of fixed minimum widths. Where they do not fit, it keeps its `phone` columns, or scrolls in its
 * frame.
 */
export function Table<Row>(props: {
	/** The content of the table, for screen readers. */
	readonly caption: string;
	readonly columns: readonly Column<Row>[];
	readonly rows: readonly Row[];
	/** Shown instead of an empty table. */
	readonly empty: Child;
	/** The actions on a row. */
	readonly actions?: RowActions<Row>;
	readonly class?: string;
	readonly rowClass?: (row: Row) => string | undefined;
	/** Stays a table on a narrow screen, because its columns are those of the customer's file. */
	readonly asIs?: boolean;
}) {
	if (props.rows.length === 0) return <>{props.empty}</>;
	const isFile = props.asIs === true;
	const columns = withPhoneClasses(withActions(props.columns, props.actions));
	const width = columns.reduce((sum, column) => sum + column.width, 0);
	const fits = isFile ? undefined : FITS.find((place) => width <= place);
	// A scrollable frame must be reachable by keyboard.
	const mayScroll = width > ALWAYS_FITS || isFile;
	const reach = mayScroll ? { tabindex: 0, role: 'group', 'aria-label': props.caption } : {};
	return (
		<div class="table-frame">
			<div class={joined('table-scroll', fits === undefined ? undefined : `table-fits-${fits}`)} {...reach}>
				<table class={joined('table', layoutOf(columns), props.class)}>
					<caption class="unseen">{props.caption}</caption>
					<colgroup>
						{columns.map((column) => (
							<col width={column.width} class={column.class} />
						))}
					</colgroup>
					<thead>
						<tr>
							{columns.map((column) => (
								<Head column={column} isFile={isFile} />
							))}
						</tr>
					</thead>
					<tbody>
						{props.rows.map((row) => (
							<tr class={props.rowClass?.(row)}>{columns.map((column) => cellOf(column, row))}</tr>
						))}
					</tbody>
				</table>
			</div>
		</div>
	);
}

function withActions<Row>(
	columns: readonly Column<Row>[],
	actions: RowActions<Row> | undefined,
): readonly Column<Row>[] {
	if (actions === undefined) return columns;
	const cell = (row: Row) => <span class="row-links">{actions.of(row)}</span>;
	return [...columns, { head: 'Actions', hidesHead: true, cell, width: actions.width, class: 'row-actions' }];
}

/** Marks the columns that a narrow screen leaves out. */
function withPhoneClasses<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
	if (!columns.some(({ phone }) => phone === true)) return columns;
	return columns.map((column) => {
		const stays = column.phone === true || column.names === true || column.class === 'row-actions';
		return stays ? column : { ...column, class: joined(column.class, 'wide-only') };
	});
}

function layoutOf<Row>(columns: readonly Column<Row>[]): string | undefined {
	return columns.some(({ phone }) => phone === true) ? 'table-phone' : undefined;
}

function Head<Row>({ column, isFile }: { readonly column: Column<Row>; readonly isFile: boolean }) {
	const { head, hidesHead, sort } = column;
	const order = sort?.order ?? undefined;
	const words = column.headAs ?? (isFile ? <Cut text={head} /> : head);
	return (
		<th scope="col" class={classOf(column)} aria-sort={order}>
			{hidesHead === true && <span class="unseen">{head}</span>}
			{hidesHead !== true && sort === undefined && words}
			{hidesHead !== true && sort !== undefined && (
				<a class="sort" href={sort.href}>
					{words}
					<Icon name={order === undefined ? 'sort' : order} />
				</a>
			)}
		</th>
	);
}

function cellOf<Row>(column: Column<Row>, row: Row) {
	if (column.names === true) {
		return (
			<th scope="row" class={classOf(column)}>
				{column.cell(row)}
			</th>
		);
	}
	const content = column.cell(row);
	return (
		<td class={classOf(column)} data-label={column.head}>
			{content}
		</td>
	);
}

function classOf<Row>(column: Column<Row>): string | undefined {
	return joined(column.align === 'right' ? 'num' : undefined, column.class);
}

function joined(...names: readonly (string | undefined)[]): string | undefined {
	const given = names.filter((name) => name !== undefined);
	return given.length === 0 ? undefined : given.join(' ');
}

/** An empty state: what will be shown here, and the action that leads to it. */
export function Empty(props: { readonly title: string; readonly text: Child; readonly action?: Child }) {
	return (
		<div class="empty">
			<strong>{props.title}</strong>
			<p>{props.text}</p>
			{props.action}
		</div>
	);
}

/** The current page, and links to its neighbours. `hrefOf` makes the URL of a page. */
export function Pages(props: {
	readonly pagination: Pagination;
	/** The counted things: "addresses". */
	readonly things: string;
	readonly hrefOf: (page: number) => string;
}) {
	const { total, page, limit, pages, hasNextPage } = props.pagination;
	if (total === 0 || (pages <= 1 && page === 1)) return null;
	const first = (page - 1) * limit + 1;
	const last = Math.min(total, page * limit);
	return (
		<nav class="pages" aria-label="Pages">
			<p class="quiet">
				{first <= total
					? `${count(first)}–${count(last)} of ${count(total)} ${props.things}`
					: `There is no page ${count(page)}: ${count(total)} ${props.things} on ${plural(pages, 'page')}`}
			</p>
			<div class="row">
				{page > 1 && (
					<ButtonLink kind="quiet" size="small" href={props.hrefOf(Math.min(page - 1, pages))}>
						Previous
					</ButtonLink>
				)}
				<span class="quiet">
					Page {count(page)} of {count(pages)}
				</span>
				{hasNextPage && (
					<ButtonLink kind="quiet" size="small" href={props.hrefOf(page + 1)}>
						Next
					</ButtonLink>
				)}
			</div>
		</nav>
	);
}

// Long texts without spaces, at which prose would break.

// Breaks are allowed after the separators of an address, an id or a path, and before the next word of a camelCase name.
const PARTS = /(?<=[._@/:=&?+-])|(?<=[a-z])(?=[A-Z][a-z])/;

/** The parts of a text without spaces, none of which is broken. */
export function wordParts(text: string): readonly string[] {
	return text.split(PARTS);
}

/** A text without spaces that may wrap between its parts, but not inside of one. */
export function breakable(text: string): Child {
	return wordParts(text).map((part, index) => (
		<>
			{index > 0 && <wbr />}
			{part}
		</>
	));
}

/** An address, an id or a host name, in the monospaced font. */
export function Mono({ text }: { readonly text: string }) {
	return <span class="mono">{breakable(text)}</span>;
}

/** One line of a table cell, cut at the column's end, with the whole text as its tooltip. */
export function Cut({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) {
	return (
		<span class={mono ? 'cut mono' : 'cut'} title={text}>
			{breakable(text)}
		</span>
	);
}
