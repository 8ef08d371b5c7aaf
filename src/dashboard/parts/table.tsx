import type { Child } from 'hono/jsx';

export interface Column<Row> {
	/** Empty for a column of actions. */
	readonly head: string;
	readonly cell: (row: Row) => Child;
	readonly align?: 'number';
	/** The column that names the row: one of them. */
	readonly names?: boolean;
	readonly class?: string;
}

/** Rows of one kind. On a narrow screen each row becomes a small list of its own. */
export function Table<Row>(props: {
	/** What the table holds, for screen readers. */
	readonly caption: string;
	readonly columns: readonly Column<Row>[];
	readonly rows: readonly Row[];
	/** Shown instead of an empty table. */
	readonly empty: Child;
	readonly class?: string;
}) {
	if (props.rows.length === 0) return <>{props.empty}</>;
	return (
		<table class={`table table-cards${props.class === undefined ? '' : ` ${props.class}`}`} role="table">
			<caption class="unseen">{props.caption}</caption>
			<thead role="rowgroup">
				<tr role="row">
					{props.columns.map((column) => (
						<th scope="col" role="columnheader" class={classOf(column)}>
							{column.head === '' ? <span class="unseen">Actions</span> : column.head}
						</th>
					))}
				</tr>
			</thead>
			<tbody role="rowgroup">
				{props.rows.map((row) => (
					<tr role="row">{props.columns.map((column) => cellOf(column, row))}</tr>
				))}
			</tbody>
		</table>
	);
}

function cellOf<Row>(column: Column<Row>, row: Row) {
	if (column.names === true) {
		return (
			<th scope="row" role="rowheader" class={classOf(column)}>
				{column.cell(row)}
			</th>
		);
	}
	return (
		<td role="cell" class={classOf(column)} data-label={column.head}>
			{column.cell(row)}
		</td>
	);
}

function classOf<Row>(column: Column<Row>): string | undefined {
	const names = [column.align === 'number' ? 'num' : undefined, column.class].filter(
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
