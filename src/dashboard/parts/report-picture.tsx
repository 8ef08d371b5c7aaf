import type { Child } from 'hono/jsx';
import type { Report, Trouble } from '../../core/jobs/report/report.ts';
import { SUB_STATUSES, statusOf } from '../../core/verification/sub-status.ts';
import type { Status, SubStatus } from '../../core/verification/sub-status.ts';
import { share } from '../../lib/share.ts';
import { Bar, PartsBar, partsOf } from '../charts/bar.tsx';
import { count, plural } from '../format.ts';
import { STATUS_WORDS, Shape } from './badge.tsx';

// The pictures of a report: on the page of a list, and on the front page.

/** The sentence that people repeat, and all outcomes as one bar. */
export function ReportPicture(props: {
	readonly id: string;
	readonly report: Pick<Report, 'total' | 'counts'>;
	/** Where the rows of a status are; none: nowhere. */
	readonly hrefOf?: (status: Status) => { readonly href: string };
}) {
	const { hrefOf } = props;
	const { total, counts } = props.report;
	return (
		<>
			<h2 id={props.id} class="headline">
				<strong>{share(counts.deliverable, total)} safe to send</strong>
				<span class="quiet">
					{count(counts.deliverable)} of {plural(total, 'address', 'addresses')}
				</span>
			</h2>
			<PartsBar
				label="Outcomes"
				parts={partsOf(counts).map((part) => ({ ...part, ...hrefOf?.(part.tone) }))}
				total={total}
			/>
		</>
	);
}

interface ReasonsProps {
	readonly report: Pick<Report, 'reasons' | 'total'>;
	/** Where the rows with a reason are; none: nowhere. */
	readonly hrefOf?: (reason: SubStatus) => string;
}

/** A bar for each reason, as long as its share of the list. Reasons of less than 1 % are folded. */
export function Reasons({ report: { reasons, total }, ...props }: ReasonsProps) {
	const frequent = reasons.filter(({ count: rows }) => rows >= total / 100);
	const rare = reasons.slice(frequent.length);
	// A fold for one line saves nothing.
	if (rare.length < 2) return <ReasonBars {...props} report={{ reasons, total }} />;
	return (
		<>
			<ReasonBars {...props} report={{ reasons: frequent, total }} />
			<details class="more">
				<summary>{plural(rare.length, 'reason')} of less than 1% each</summary>
				<ReasonBars {...props} report={{ reasons: rare, total }} />
			</details>
		</>
	);
}

function ReasonBars({ report: { reasons, total }, hrefOf }: ReasonsProps) {
	return (
		<table class="reason-bars">
			<caption class="unseen">Addresses by reason</caption>
			<thead class="unseen">
				<tr>
					<th scope="col">Reason</th>
					<th scope="col">Picture</th>
					<th scope="col">Addresses</th>
					<th scope="col">Share</th>
				</tr>
			</thead>
			<tbody>
				{reasons.map(({ reason, count: rows }) => {
					const status = statusOf(reason);
					const { reason: sentence, short } = SUB_STATUSES[reason];
					return (
						<tr>
							<th scope="row" title={sentence}>
								<span class={`ink-${status}`}>
									<Shape tone={status} />
								</span>
								<span class="unseen">{STATUS_WORDS[status]}: </span>
								{hrefOf === undefined ? (
									<span class="reason">{short}</span>
								) : (
									<a class="reason" href={hrefOf(reason)}>
										{short}
									</a>
								)}
							</th>
							<td class="reason-bar">
								<Bar parts={partsOf({ [status]: rows })} total={total} height={12} />
							</td>
							<td class="num">
								<strong>{count(rows)}</strong>
							</td>
							<td class="num quiet">{share(rows, total)}</td>
						</tr>
					);
				})}
			</tbody>
		</table>
	);
}

/** Each party with a bar of its outcomes, and how many of its addresses are not safe to send. */
export function TroubleTable(props: {
	readonly head: string;
	readonly rows: readonly Trouble[];
	readonly nameOf: (row: Trouble) => Child;
}) {
	return (
		<table class="troubles">
			<caption class="unseen">{props.head}s with the most addresses that are not safe to send</caption>
			<thead>
				<tr>
					<th scope="col">{props.head}</th>
					<th scope="col">
						<span class="unseen">Outcomes</span>
					</th>
					<th scope="col" class="num">
						Not safe
					</th>
				</tr>
			</thead>
			<tbody>
				{props.rows.map((row) => (
					<tr>
						<th scope="row" title={`Mostly: ${SUB_STATUSES[row.reason].short}`}>
							{props.nameOf(row)}
						</th>
						<td class="trouble-bar">
							<Bar parts={partsOf(row.counts)} total={row.total} height={8} label={row.name} />
						</td>
						<td class="num">
							<strong>{count(row.total - row.counts.deliverable)}</strong>{' '}
							<span class="quiet">of {count(row.total)}</span>
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
