import type { Child } from 'hono/jsx';
import type { Report, Trouble } from '../../core/jobs/report/report.ts';
import { scoredOf } from '../../core/jobs/report/report.ts';
import { NO_FILTER } from '../../core/jobs/report/filter.ts';
import type { RowFilter } from '../../core/jobs/report/filter.ts';
import { STATUSES, SUB_STATUSES, statusOf } from '../../core/verification/sub-status.ts';
import { displayNameOf } from '../../core/mail-operators/display-name.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { percent } from '../charts/axis.tsx';
import { PartsBar } from '../charts/parts-bar.tsx';
import { ScoreHistogram, binsOf } from '../charts/score-histogram.tsx';
import type { Thresholds } from '../charts/score-histogram.tsx';
import { count, plural, share } from '../format.ts';
import { Section } from '../layout.tsx';
import { listHref } from '../list-query.ts';
import { STATUS_WORDS, Shape } from '../parts/badge.tsx';
import { Cut } from '../parts/long-text.tsx';
import { REASON_WORDS } from '../parts/reason-words.ts';
import { LeftOut } from './job-left-out.tsx';

interface ReportProps {
	readonly job: JobRecord;
	readonly report: Report;
}

/** The sentence that people repeat, and the picture of all outcomes. */
export function ReportHead({ job, report }: ReportProps) {
	const { total, counts } = report;
	return (
		<section class="stack report-head" aria-labelledby="headline">
			<h2 id="headline" class="headline">
				<strong>{share(counts.deliverable, total)} safe to send</strong>
				<span class="quiet">
					{count(counts.deliverable)} of {plural(total, 'address', 'addresses')}
				</span>
			</h2>
			<PartsBar
				label="Outcomes"
				large
				total={total}
				parts={STATUSES.map((status) => ({
					name: STATUS_WORDS[status],
					tone: status,
					value: counts[status],
					href: hrefOf(job, { status }),
				}))}
			/>
			<LeftOut job={job} />
			{report.learntLater > 0 && (
				<p class="quiet">
					Later checks settled {plural(report.learntLater, 'address', 'addresses')} that the first pass could
					not. All figures, rows and files on this page include them.
				</p>
			)}
		</section>
	);
}

/** Why addresses came out as they did, and where the trouble is. */
export function ReportDetails(props: ReportProps & { readonly thresholds: Thresholds }) {
	const { job, report, thresholds } = props;
	return (
		<>
			<Section title="Reasons">
				<Reasons job={job} report={report} />
			</Section>
			{report.counts.deliverable < report.total && <Troubles job={job} report={report} />}
			{scoredOf(report) > 0 && (
				<Section
					title="Catch-all scores"
					aside={<span class="quiet">How likely a message is to reach a mailbox, 0 to 100</span>}
				>
					<ScoreHistogram bins={binsOf(report.scores)} thresholds={thresholds} />
				</Section>
			)}
		</>
	);
}

/** A bar for each reason, as long as its share of the list. */
function Reasons({ job, report: { reasons, total } }: ReportProps) {
	const most = Math.max(1, ...reasons.map((one) => one.count));
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
					return (
						<tr>
							<th scope="row" title={SUB_STATUSES[reason].reason}>
								<span class={`ink-${status}`}>
									<Shape tone={status} />
								</span>
								<span class="unseen">{STATUS_WORDS[status]}: </span>
								<a href={hrefOf(job, { reason })}>{REASON_WORDS[reason]}</a>
							</th>
							<td class="reason-bar">
								<svg width="100%" height="12" aria-hidden="true">
									<rect class="fill-pending" width="100%" height="12" rx="2" />
									<rect class={`fill-${status}`} width={percent(rows, most)} height="12" rx="2" />
								</svg>
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

function Troubles({ job, report }: ReportProps) {
	return (
		<div class="report-pair">
			<Section title="Domains with the most trouble">
				<TroubleTable
					head="Domain"
					rows={report.domains}
					nameOf={({ name }) => (
						<a class="row-link" href={hrefOf(job, { text: `@${name}` })}>
							<Cut text={name} mono />
						</a>
					)}
				/>
			</Section>
			{report.operators.length > 0 && (
				<Section title="Mail operators with the most trouble">
					<TroubleTable
						head="Operator"
						rows={report.operators}
						nameOf={({ name }) => (
							<a class="row-link" href={hrefOf(job, { operator: name })}>
								{displayNameOf(name)}
							</a>
						)}
					/>
				</Section>
			)}
		</div>
	);
}

/** Each party with a bar of its outcomes, and how many of its addresses are not safe to send. */
function TroubleTable(props: {
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
						<th scope="row">
							{props.nameOf(row)}
							<span class="small quiet block">Mostly: {REASON_WORDS[row.reason]}</span>
						</th>
						<td class="trouble-bar">
							<OutcomeBar row={row} />
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

function OutcomeBar({ row: { total, counts } }: { readonly row: Trouble }) {
	let before = 0;
	return (
		<svg width="100%" height="8" aria-hidden="true">
			<rect class="fill-pending" width="100%" height="8" />
			{STATUSES.map((status) => {
				const x = percent(before, total);
				before += counts[status];
				return (
					<rect class={`fill-${status}`} x={x} width={percent(counts[status], total)} height="8">
						<title>{`${STATUS_WORDS[status]}: ${count(counts[status])}`}</title>
					</rect>
				);
			})}
		</svg>
	);
}

function hrefOf(job: JobRecord, filter: Partial<RowFilter>): string {
	return listHref(job.jobId, { filter: { ...NO_FILTER, ...filter } });
}
