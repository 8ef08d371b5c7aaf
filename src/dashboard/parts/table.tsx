import type { Child } from 'hono/jsx';
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
	/**
	 * Stays where the table has less than 720 px. Where any column has it, the others are left out there; else the table
	 * scrolls.
	 */
	readonly phone?: boolean;
	readonly class?: string | undefined;
}

// The place beside the navigation of a window of 1,024 px, less a scroll bar. A table that is no wider cannot scroll from
// there on, so its head stays in sight.
const FITS = 720;
// The place of a window of 360 px.
const ALWAYS_FITS = 328;

interface TableProps<Row> {
	/** The content of the table, for screen readers. */
	readonly caption: string;
	readonly columns: readonly Column<Row>[];
	readonly rows: readonly Row[];
	/** Shown instead of an empty table. */
	readonly empty?: Child;
	/** Buttons and links at the end of each row. */
	readonly actions?: { readonly of: (row: Row) => Child; readonly width: number };
	readonly class?: string;
}

/**
 * A table with columns of fixed minimum widths. Where they do not fit, it keeps its `phone` columns, or scrolls in its
 * frame.
 */
export function Table<Row>(props: TableProps<Row>) {
	if (props.rows.length === 0) return <>{props.empty}</>;
	const columns = columnsOf(props);
	const leavesOut = columns.some(({ phone }) => phone === true);
	const width = columns.reduce((sum, column) => sum + column.width, 0);
	// A scrollable frame must be reachable by keyboard.
	const reach = width > ALWAYS_FITS ? { tabindex: 0, role: 'group', 'aria-label': props.caption } : {};
	return (
		<div class="table-frame">
			<div class={joined('table-scroll', width <= FITS && 'table-fits')} {...reach}>
				<table class={joined('table', leavesOut && 'table-phone', props.class)}>
					<caption class="unseen">{props.caption}</caption>
					<colgroup>
						{columns.map((column) => (
							<col width={column.width} class={column.class} />
						))}
					</colgroup>
					<thead>
						<tr>
							{columns.map(({ head, headAs, hidesHead, class: name }) => (
								<th scope="col" class={name}>
									{hidesHead === true ? <span class="unseen">{head}</span> : (headAs ?? head)}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{props.rows.map((row) => (
							<tr>
								{columns.map(({ head, cell, names, class: name }) =>
									names === true ? (
										<th scope="row" class={name}>
											{cell(row)}
										</th>
									) : (
										<td class={name} data-label={head}>
											{cell(row)}
										</td>
									),
								)}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</div>
	);
}

/** The columns with their classes, and one for the actions, if there are any. */
function columnsOf<Row>({ columns: given, actions }: TableProps<Row>): readonly Column<Row>[] {
	const leavesOut = given.some(({ phone }) => phone === true);
	const columns: Column<Row>[] = given.map((column) => ({
		...column,
		class: joined(
			column.align === 'right' && 'num',
			column.class,
			leavesOut && column.phone !== true && column.names !== true && 'wide-only',
		),
	}));
	if (actions === undefined) return columns;
	const cell = (row: Row) => <span class="row-links">{actions.of(row)}</span>;
	return [...columns, { head: 'Actions', hidesHead: true, cell, width: actions.width }];
}

function joined(...names: readonly (string | false | undefined)[]): string | undefined {
	const given = names.filter((name) => name !== undefined && name !== false);
	return given.length === 0 ? undefined : given.join(' ');
}

/** An empty state: what will be shown here, and how it comes about. */
export function Empty(props: { readonly title: string; readonly text: Child }) {
	return (
		<div class="empty">
			<strong>{props.title}</strong>
			<p class="quiet">{props.text}</p>
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
		<nav class="spread pages" aria-label="Pages">
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
