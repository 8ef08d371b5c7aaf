import type { Child } from 'hono/jsx';
import { Cut } from './long-text.tsx';

export interface Column<Row> {
	readonly head: string;
	readonly cell: (row: Row) => Child;
	/**
	 * At least so many pixels wide, its padding of 12 included; what a table has to spare is shared out by these. A table
	 * of at most 720 px scrolls in narrow windows only.
	 */
	readonly width: number;
	/** Figures and buttons stand at the right. */
	readonly align?: 'right';
	/** The column that names the row: one of them. */
	readonly names?: boolean;
	/** Only screen readers are told the head: what is below it speaks for itself. */
	readonly hidesHead?: boolean;
	readonly class?: string | undefined;
}

// Beside the navigation in a window of 1,024 px, with room for a scroll bar.
const FITS = 720;
// The least that a table has in a window that does not make cards of it: beside the navigation at 768 px.
const ALWAYS_FITS = 456;

/**
 * Rows of one kind in columns of set widths. Where they do not fit, the table scrolls in its own frame; on a narrow
 * screen each row becomes a small list of its own.
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
	/** Stays a table on a narrow screen: its columns are somebody else's. */
	readonly asIs?: boolean;
}) {
	if (props.rows.length === 0) return <>{props.empty}</>;
	const width = props.columns.reduce((sum, column) => sum + column.width, 0);
	const names = ['table', props.asIs === true ? undefined : 'table-cards', props.class];
	const mayScroll = width > ALWAYS_FITS || props.asIs === true;
	// What can be scrolled can be reached by the keyboard.
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

function headOf<Row>({ head, hidesHead }: Column<Row>, isTheirs: boolean): Child {
	if (hidesHead === true) return <span class="unseen">{head}</span>;
	return isTheirs ? <Cut text={head} /> : head;
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

/** Says what will be here and offers the one thing to do. */
export function Empty(props: { readonly title: string; readonly text: Child; readonly action?: Child }) {
	return (
		<div class="empty">
			<strong>{props.title}</strong>
			<p>{props.text}</p>
			{props.action}
		</div>
	);
}
