import { scoredOf } from '../../../core/jobs/report/report.ts';
import type { Report } from '../../../core/jobs/report/report.ts';
import { NO_FILTER } from '../../../core/jobs/report/filter.ts';
import type { RowFilter } from '../../../core/jobs/report/filter.ts';
import { displayNameOf } from '../../../core/mail-operators/operators.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { binsOf, ScoreHistogram } from '../../charts/score-histogram.tsx';
import { count, plural } from '../../format.ts';
import { Section } from '../../layout.tsx';
import { listHref } from '../../list-query.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Cut } from '../../parts/table.tsx';
import { Reasons, ReportPicture, TroubleTable } from '../../parts/report-picture.tsx';
import { LeftOut } from './job-left-out.tsx';

interface ReportProps {
	readonly job: JobRecord;
	readonly report: Report;
}

/** The sentence that people repeat, the picture of all outcomes, and the file that most people come for. */
export function ReportHead({ job, report, fileRows }: ReportProps & { readonly fileRows: number | null }) {
	return (
		<section class="stack report-head" aria-labelledby="headline">
			<ReportPicture id="headline" report={report} hrefOf={(status) => hrefOf(job, { status })} />
			<div class="report-actions">
				{report.counts.deliverable > 0 && (
					<ButtonLink href={deliverableHref(job)} icon="download">
						Download deliverable ({count(report.counts.deliverable)})
					</ButtonLink>
				)}
			</div>
			{job.finishedAt !== null && <Stopped report={report} />}
			<LeftOut job={job} fileRows={fileRows} />
			{report.learntLater > 0 && (
				<p class="quiet">
					The catch-all check settled {plural(report.learntLater, 'address', 'addresses')}. All figures, rows
					and files on this page include them.
				</p>
			)}
		</section>
	);
}

/** Says that the list was ended early: its open addresses were not asked, which is no one's fault. */
function Stopped({ report }: Pick<ReportProps, 'report'>) {
	const unasked = report.reasons.find(({ reason }) => reason === 'not_asked')?.count ?? 0;
	return (
		<p>
			Stopped early: {count(report.total - unasked)} of {count(report.total)} answered. The others cost
			nothing.
		</p>
	);
}

/** Why addresses came out as they did, and where the trouble is. */
export function ReportDetails({ job, report }: ReportProps) {
	return (
		<>
			<Section title="Reasons">
				<Reasons report={report} hrefOf={(reason) => hrefOf(job, { reason })} />
			</Section>
			{report.counts.deliverable < report.total && <Troubles job={job} report={report} />}
			{scoredOf(report) > 0 && (
				<Section
					title="Catch-all scores"
					aside={<span class="quiet">How likely a message is to reach a mailbox, 0 to 100</span>}
				>
					<ScoreHistogram bins={binsOf(report.scores)} />
				</Section>
			)}
		</>
	);
}

// The report fits two screens; the filter of the results has the others.
const TROUBLES_SHOWN = 5;

function Troubles({ job, report }: ReportProps) {
	return (
		<div class="report-pair">
			<Section title="Domains with the most trouble">
				<TroubleTable
					head="Domain"
					rows={report.domains.slice(0, TROUBLES_SHOWN)}
					nameOf={({ name }) => (
						<a href={hrefOf(job, { text: `@${name}` })}>
							<Cut text={name} mono />
						</a>
					)}
				/>
			</Section>
			{report.operators.length > 0 && (
				<Section title="Mail operators with the most trouble">
					<TroubleTable
						head="Operator"
						rows={report.operators.slice(0, TROUBLES_SHOWN)}
						nameOf={({ name }) => <a href={hrefOf(job, { operator: name })}>{displayNameOf(name)}</a>}
					/>
				</Section>
			)}
		</div>
	);
}

/** One row for each address that is safe to send, as CSV, with the columns of the person's own file. */
function deliverableHref({ jobId }: JobRecord): string {
	return `/dashboard/jobs/${jobId}/download?status=deliverable&repeats=left_out&format=csv`;
}

function hrefOf(job: JobRecord, filter: Partial<RowFilter>): string {
	return listHref(job.jobId, { filter: { ...NO_FILTER, ...filter } });
}
