import { scoredOf } from '../../../core/jobs/report/report.ts';
import type { Report } from '../../../core/jobs/report/report.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { binsOf, ScoreHistogram } from '../../charts/score-histogram.tsx';
import { date } from '../../format.ts';
import { PublicPage, Section } from '../../layout.tsx';
import { Button, ButtonLink, CancelLink, CopyButton } from '../../parts/button.tsx';
import { Time } from '../../parts/figures.tsx';
import { Form } from '../../parts/form.tsx';
import { nameOf } from '../../parts/jobs-table.tsx';
import { Reasons, ReportPicture } from '../../parts/report-picture.tsx';
import type { View } from '../../view.ts';
import { ActionPage } from './job-actions.tsx';

interface ShareProps {
	readonly view: View;
	readonly job: JobRecord;
	/** The whole link; null: the list is not shared. */
	readonly link: string | null;
}

/** Makes a link for people without an account, or revokes it. */
export function SharePage({ view, job, link }: ShareProps) {
	const path = `/dashboard/jobs/${job.jobId}/share`;
	return (
		<ActionPage view={view} job={job} title="Share the report" islands={['copy']}>
			<p>
				Anybody with the link sees the number of addresses by outcome and reason. The page shows no address
				and no domain, and works until you revoke the link or the results are deleted.
			</p>
			{link === null ? (
				<Form view={view} action={path}>
					<div class="actions">
						<Button>Create link</Button>
						<CancelLink href={`/dashboard/jobs/${job.jobId}`} />
					</div>
				</Form>
			) : (
				<>
					<p>
						<a class="mono" id="share-link" href={link}>
							{link}
						</a>
					</p>
					<div class="actions">
						<CopyButton of="share-link" word="Copy link" what="to the report" />
						<Form view={view} action={`${path}/revoke`} layout="plain">
							<Button kind="danger">Revoke link</Button>
						</Form>
						<ButtonLink kind="quiet" href={`/dashboard/jobs/${job.jobId}`}>
							Back to the list
						</ButtonLink>
					</div>
				</>
			)}
		</ActionPage>
	);
}

/** The figures of a list, for people who have the link: counts only, and fit for paper. */
export function SharedReportPage(props: {
	readonly view: View;
	readonly job: JobRecord;
	readonly report: Report;
}) {
	const { view, job, report } = props;
	return (
		<PublicPage view={view} title={nameOf(job)}>
			<div class="shared-report stack-wide">
				<div>
					<h1>{nameOf(job)}</h1>
					<p class="quiet">Verified on {date(job.completedAt ?? job.createdAt)}</p>
				</div>
				<section class="stack report-head" aria-labelledby="headline">
					<ReportPicture id="headline" report={report} />
				</section>
				<Section title="Reasons">
					<Reasons report={report} />
				</Section>
				{scoredOf(report) > 0 && (
					<Section title="Catch-all scores">
						<ScoreHistogram bins={binsOf(report.scores)} />
					</Section>
				)}
				<p class="quiet small">
					These are counts: no address and no domain of the list is named here. The sender can revoke this
					link
					{job.resultsExpiresAt !== null && (
						<>
							; without that it works until <Time at={job.resultsExpiresAt} now={view.now} />
						</>
					)}
					.
				</p>
			</div>
		</PublicPage>
	);
}
