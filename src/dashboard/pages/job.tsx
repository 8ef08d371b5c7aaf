import type { Pagination } from '../../core/jobs/pages.ts';
import type { VerificationResult } from '../../core/verification/result.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import type { ResultList } from '../../core/jobs/pages.ts';
import { PartsBar } from '../charts/parts-bar.tsx';
import { count, plural, relative, span } from '../format.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { JobBadge, STATUS_WORDS } from '../parts/badge.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { isExpired, nameOf } from '../parts/jobs-table.tsx';
import { Notice } from '../parts/notice.tsx';
import { Progress } from '../parts/progress.tsx';
import { Stats } from '../parts/stat.tsx';
import { Time } from '../parts/time.tsx';
import type { View } from '../view.ts';
import { JobNextSteps } from './job-next-steps.tsx';
import { JobResults } from './job-results.tsx';

export interface ShownResults {
	readonly results: readonly VerificationResult[];
	readonly pagination: Pagination;
	readonly list: ResultList;
	/** What was searched for; empty: nothing. */
	readonly search: string;
}

export interface JobProps {
	readonly view: View;
	readonly job: JobRecord;
	/** Null while there are none: working, failed or expired. */
	readonly shown: ShownResults | null;
	/** Credits that can be spent. */
	readonly available: number;
	/** Catch-all checks that were made from this job. */
	readonly tasks: readonly {
		readonly taskId: string;
		readonly name: string | null;
		readonly createdAt: number;
	}[];
	readonly error: string | null;
}

/** One list: how it stands, what came out, and what can be done next. */
export function JobPage(props: JobProps) {
	const { view, job, shown } = props;
	const working = job.status === 'processing';
	const expired = isExpired(job, view.now);
	return (
		<DashboardPage
			view={view}
			place="Lists"
			title={nameOf(job)}
			up={{ name: 'Lists', href: '/dashboard/lists' }}
			islands={['live']}
			refreshSeconds={working ? 10 : undefined}
			lead={
				<>
					<JobBadge status={job.status} expired={expired} /> Started{' '}
					<Time at={job.createdAt} now={view.now} />
				</>
			}
			action={
				shown === null ? undefined : (
					<ButtonLink href={`/dashboard/jobs/${job.jobId}/download`} icon="download" download>
						Download CSV
					</ButtonLink>
				)
			}
		>
			{props.error !== null && (
				<Notice kind="failed" announce>
					<p>{props.error}</p>
				</Notice>
			)}
			<JobProgress view={view} job={job} />
			<p id="live-says" class="unseen" role="status" />
			{shown !== null && (
				<>
					<JobNextSteps {...props} />
					<JobResults job={job} shown={shown} />
				</>
			)}
			<JobFacts view={view} job={job} />
		</DashboardPage>
	);
}

/** How a job stands. A script asks for this part again while the job is at work. */
export function JobProgress({ view, job }: { readonly view: View; readonly job: JobRecord }) {
	const working = job.status === 'processing';
	return (
		<div
			class="stack"
			data-live={`/dashboard/jobs/${job.jobId}/live`}
			data-reload
			data-done={working ? undefined : ''}
			data-says={inWords(job)}
		>
			<Situation view={view} job={job} />
			{working && (
				<Progress done={job.processed} total={job.accepted} things="addresses" label="Addresses done" />
			)}
			<PartsBar
				label="Outcomes"
				total={job.accepted}
				parts={(['deliverable', 'undeliverable', 'risky', 'unknown'] as const).map((status) => ({
					name: STATUS_WORDS[status],
					tone: status,
					value: job.counts[status],
					...(job.status === 'completed' && !isExpired(job, view.now)
						? { href: `/dashboard/jobs/${job.jobId}?status=${status}#results` }
						: {}),
				}))}
			/>
		</div>
	);
}

function Situation({ view, job }: { readonly view: View; readonly job: JobRecord }) {
	if (job.status === 'failed') {
		return (
			<Notice kind="failed" title="This list could not be finished">
				<p>
					{job.error ?? 'It stopped on our side.'} It costs nothing: every credit is free again. Upload the
					file once more to try anew.
				</p>
			</Notice>
		);
	}
	if (isExpired(job, view.now)) {
		return (
			<Notice kind="info" title="The results are deleted">
				<p>
					Results are kept for 48 hours. What remains is this summary. Upload the file again to have it
					verified anew.
				</p>
			</Notice>
		);
	}
	if (job.status === 'processing' && job.waiting > 0) {
		return (
			<Notice kind="info">
				<p>
					{plural(job.waiting, 'address is', 'addresses are')} waiting: their mail servers asked us to come
					back later.
					{job.nextAttemptAt !== null &&
						` Next try ${relative(Math.max(job.nextAttemptAt, view.now + 1000), view.now)}.`}
				</p>
			</Notice>
		);
	}
	return null;
}

function JobFacts({ view, job }: { readonly view: View; readonly job: JobRecord }) {
	return (
		<Section title="Credits and rows">
			<div class="stack">
				<Stats
					stats={[
						{ label: 'Used', value: job.creditsUsed, note: 'credits charged' },
						{ label: 'Refunded', value: job.creditsRefunded, note: 'the servers would not say' },
						...(job.creditsReserved > 0
							? [{ label: 'Reserved', value: job.creditsReserved, note: 'set aside for the rest' }]
							: []),
						{ label: 'Addresses', value: job.accepted, note: `of ${count(job.submitted)} sent` },
						{ label: 'Left out', value: job.duplicates + job.invalid, note: leftOut(job) },
					]}
				/>
				<dl class="facts">
					<dt>Job id</dt>
					<dd class="mono">{job.jobId}</dd>
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

function leftOut({ duplicates, invalid }: JobRecord): string {
	return `${count(duplicates)} repeated, ${count(invalid)} malformed`;
}

function inWords(job: JobRecord): string {
	if (job.status === 'failed') return 'The list could not be finished';
	if (job.status === 'completed') return 'The list is done';
	return `${count(job.processed)} of ${count(job.accepted)} addresses done`;
}
