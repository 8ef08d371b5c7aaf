import type { Report } from '../../core/jobs/report/report.ts';
import { SUB_STATUSES, statusOf } from '../../core/verification/sub-status.ts';
import type { Status, SubStatus } from '../../core/verification/sub-status.ts';
import { share } from '../../lib/share.ts';
import { Bar, PartsBar, partsOf } from './charts.tsx';
import { count, plural } from '../format.ts';
import { STATUS_WORDS, Shape, Table } from './table.tsx';

// The pictures of a report: on the page of a list, and on the front page.

/** The sentence that people repeat, and all outcomes as one bar. */
export function ReportPicture(props: {
	readonly id: string;
	readonly report: Pick<Report, 'total' | 'counts'>;
	/** Where the rows of a status are; none: nowhere. */
	readonly hrefOf?: (status: Status) => string;
}) {
	const { hrefOf } = props;
	const { total, counts } = props.report;
	return (
		<>
			<h2 id={props.id} class="row headline">
				<strong>{share(counts.deliverable, total)} safe to send</strong>
				<span class="quiet">
					{count(counts.deliverable)} of {plural(total, 'address', 'addresses')}
				</span>
			</h2>
			<PartsBar
				label="Outcomes"
				parts={partsOf(counts).map((part) => ({ ...part, href: hrefOf?.(part.tone) }))}
				total={total}
			/>
		</>
	);
}

/** A bar for each reason, as long as its share of the list. Reasons of less than 1 % are folded. */
export function Reasons(props: {
	readonly report: Pick<Report, 'reasons' | 'total'>;
	/** Where the rows with a reason are; none: nowhere. */
	readonly hrefOf?: (reason: SubStatus) => string;
}) {
	const { report, hrefOf } = props;
	const { reasons, total } = report;
	const bars = (some: Report['reasons']) => (
		<Table
			caption="Addresses by reason"
			rows={some}
			columns={(column) => [
				column('Reason', { width: 118, names: true }, ({ reason }) => {
					const { reason: sentence, short, status } = SUB_STATUSES[reason];
					return (
						<span class="row reason" title={sentence}>
							<span class={`ink-${status}`}>
								<Shape tone={status} />
							</span>
							<span class="unseen">{STATUS_WORDS[status]}: </span>
							{hrefOf === undefined ? <span>{short}</span> : <a href={hrefOf(reason)}>{short}</a>}
						</span>
					);
				}),
				column('Picture', { width: 68, hidesHead: true }, ({ reason, count: rows }) => (
					<Bar parts={partsOf({ [statusOf(reason)]: rows })} total={total} height={12} />
				)),
				column('Rows', { width: 56, class: 'num' }, ({ count: rows }) => <strong>{count(rows)}</strong>),
				column('Share', { width: 50, class: 'num' }, ({ count: rows }) => share(rows, total)),
			]}
		/>
	);
	const frequent = reasons.filter(({ count: rows }) => rows >= total / 100);
	const rare = reasons.slice(frequent.length);
	// A fold for one line saves nothing.
	if (rare.length < 2) return bars(reasons);
	return (
		<>
			{bars(frequent)}
			<details class="more">
				<summary>{plural(rare.length, 'reason')} of less than 1% each</summary>
				{bars(rare)}
			</details>
		</>
	);
}
