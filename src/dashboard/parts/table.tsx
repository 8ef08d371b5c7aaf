import type { Child } from 'hono/jsx';
import { Cut } from './long-text.tsx';

export interface Column<Row> {
	readonly head: string;
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
	readonly class?: string | undefined;
}

// The width next to the navigation in a window of 1,024 px, less a scroll bar.
const FITS = 720;
// The least width of a table that is not shown as cards: next to the navigation at 768 px.
const ALWAYS_FITS = 456;

/**
 * A table with columns of fixed minimum widths. Where they do not fit, the table scrolls in its frame; on a narrow
 * screen each row becomes a card.
 */
export function Table<Row>(props: {
	/** What the table holds, for screen readers. */
	readonly caption: string;
	readonly columns: readonly Column<Row>[];
	readonly rows: readonly Row[];
	/** Shown instead of an empty table. */
	readonly empty: Child;
	readonly class?: string;
	readonly rowClass?: (row: Row) => string | undefined;
	/** Stays a table on a narrow screen, because its columns are those of the customer's file. */
	readonly asIs?: boolean;
}) {
	if (props.rows.length === 0) return <>{props.empty}</>;
	const width = props.columns.reduce((sum, column) => sum + column.width, 0);
	const names = ['table', props.asIs === true ? undefined : 'table-cards', props.class];
	const mayScroll = width > ALWAYS_FITS || props.asIs === true;
	// A scrollable frame must be reachable by keyboard.
	const reach = mayScroll ? { tabindex: 0, role: 'group', 'aria-label': props.caption } : {};
	return (
		<div class="table-frame">
			<div class={width > FITS ? 'table-scroll table-scroll-always' : 'table-scroll'} {...reach}>
				<table class={names.filter((name) => name !== undefined).join(' ')} role="table">
					<caption class="unseen">{props.caption}</caption>
					<colgroup>
						{props.columns.map((column) => (
							<col width={column.width} />
						))}
					</colgroup>
					<thead role="rowgroup">
						<tr role="row">
							{props.columns.map((column) => (
								<th scope="col" role="columnheader" class={classOf(column)}>
									{headOf(column, props.asIs === true)}
								</th>
							))}
						</tr>
					</thead>
					<tbody role="rowgroup">
						{props.rows.map((row) => (
							<tr role="row" class={props.rowClass?.(row)}>
								{props.columns.map((column) => cellOf(column, row))}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</div>
	);
}

function headOf<Row>({ head, hidesHead }: Column<Row>, isCustomersFile: boolean): Child {
	if (hidesHead === true) return <span class="unseen">{head}</span>;
	return isCustomersFile ? <Cut text={head} /> : head;
}

function cellOf<Row>(column: Column<Row>, row: Row) {
	if (column.names === true) {
		return (
			<th scope="row" role="rowheader" class={classOf(column)}>
				{column.cell(row)}
			</th>
		);
	}
	const content = column.cell(row);
	const isEmpty = content === null || content === '';
	return (
		<td role="cell" class={classOf(column)} data-label={column.hidesHead === true ? '' : column.head}>
			{/* One thing beside its label, on a narrow screen, whatever it is made of. */}
			{isEmpty ? null : <div>{content}</div>}
		</td>
	);
}

function classOf<Row>(column: Column<Row>): string | undefined {
	const names = [column.align === 'right' ? 'num' : undefined, column.class].filter(
		(name) => name !== undefined,
	);
	return names.length === 0 ? undefined : names.join(' ');
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
