import { SUB_STATUSES, statusOf } from '../../../core/verification/sub-status.ts';
import type { ReasonCount, Report } from '../../../core/jobs/report/report.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { count, list, span } from '../../format.ts';
import { Section } from '../../layout.tsx';
import { Mono, Table } from '../../parts/table.tsx';
import { Stats, Time } from '../../parts/figures.tsx';
import type { View } from '../../view.ts';
import { JobFrame } from './job-frame.tsx';
import { LeftOut } from './job-left-out.tsx';
import type { NextSteps } from './job-next-steps.tsx';

interface FactsProps {
	readonly view: View;
	readonly job: JobRecord;
	/** Later checks of the same addresses, which have costs of their own. */
	readonly checks?: readonly { readonly title: string; readonly check: JobRecord }[];
	/** Null: there are no results. */
	readonly report?: Report | null;
}

/** The tab of what a list and its later checks cost. */
export function CostPage({
	view,
	job,
	tasks,
	again,
	report,
}: Omit<NextSteps, 'available'> & { readonly report: Report }) {
	// Checks that have ended. The report, which renews itself, has the figures of a running one.
	const checks = [
		...tasks.map((check) => ({ title: 'Catch-all check', check })),
		...(again === null ? [] : [{ title: 'Asked again', check: again }]),
	].filter(({ check }) => check.status !== 'processing');
	return (
		<JobFrame view={view} job={job} tab="cost">
			<JobFacts view={view} job={job} checks={checks} report={report} />
		</JobFrame>
	);
}

/** The cost of a list, the rows left out of it, and its dates. */
export function JobFacts({ view, job, checks = [], report = null }: FactsProps) {
	// A later check decides no address that was unknown.
	const refunded = report?.reasons.filter(({ reason }) => statusOf(reason) === 'unknown') ?? [];
	return (
		<Section title="Credits and rows">
			<div class="stack">
				<Stats
					stats={[
						{ label: 'Used', value: job.creditsUsed, note: 'credits charged' },
						{ label: 'Refunded', value: job.creditsRefunded, note: 'credits for unknown answers' },
						...(job.creditsReserved > 0
							? [{ label: 'Reserved', value: job.creditsReserved, note: 'set aside for the rest' }]
							: []),
						{ label: 'Addresses', value: job.accepted, note: `of ${count(job.submitted)} sent` },
					]}
				/>
				{checks.length > 0 && <Costs job={job} checks={checks} />}
				{refunded.length > 0 && <p class="quiet">Reasons for refunds: {refundsInWords(refunded)}.</p>}
				{report === null && <LeftOut job={job} />}
				<dl class="facts">
					<dt>Job id</dt>
					<dd>
						<Mono text={job.jobId} />
					</dd>
					{job.completedAt !== null && (
						<>
							<dt>Finished</dt>
							<dd>
								<Time at={job.completedAt} now={view.now} />, after {span(job.completedAt - job.createdAt)}
							</dd>
						</>
					)}
					{job.resultsExpiresAt !== null && (
						<>
							<dt>Results</dt>
							<dd>
								deleted <Time at={job.resultsExpiresAt} now={view.now} />
							</dd>
						</>
					)}
				</dl>
			</div>
		</Section>
	);
}

/** The list and its later checks, with their sum. */
function Costs({ job, checks }: { readonly job: JobRecord; readonly checks: FactsProps['checks'] }) {
	const rows = [{ title: 'This list', check: job }, ...(checks ?? [])];
	const sum = (value: (check: JobRecord) => number): number =>
		rows.reduce((all, { check }) => all + value(check), 0);
	const lines = [
		...rows.map(({ title, check }) => ({
			title,
			used: check.creditsUsed,
			refunded: check.creditsRefunded,
		})),
		{
			title: 'Total',
			used: sum(({ creditsUsed }) => creditsUsed),
			refunded: sum(({ creditsRefunded }) => creditsRefunded),
		},
	];
	return (
		<Table
			caption="Credits of this list and its later checks"
			rows={lines}
			empty=""
			columns={[
				{ head: 'Check', names: true, width: 180, cell: ({ title }) => title },
				{ head: 'Credits used', align: 'right', width: 110, cell: ({ used }) => count(used) },
				{ head: 'Refunded', align: 'right', width: 110, cell: ({ refunded }) => count(refunded) },
			]}
		/>
	);
}

const REASONS_TOLD = 4;

function refundsInWords(refunded: readonly ReasonCount[]): string {
	const reasons = refunded.slice(0, REASONS_TOLD).map(({ reason, count: rows }) => {
		const words = SUB_STATUSES[reason].short;
		return `${words.charAt(0).toLowerCase()}${words.slice(1)} (${count(rows)})`;
	});
	const rest = refunded.slice(REASONS_TOLD).reduce((sum, one) => sum + one.count, 0);
	return list(rest === 0 ? reasons : [...reasons, `other reasons (${count(rest)})`]);
}
