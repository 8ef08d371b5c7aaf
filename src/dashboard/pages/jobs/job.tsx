import { expectedEnd } from '../../../core/jobs/estimate.ts';
import type { Report } from '../../../core/jobs/report/report.ts';
import { keptInWords } from '../../../core/jobs/retention.ts';
import { STATUSES, SUB_STATUSES, statusOf } from '../../../core/verification/sub-status.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import type { Moving, NewAnswer, SlowedDomain } from '../../../operations/jobs/read-moving.ts';
import { PartsBar } from '../../charts/parts-bar.tsx';
import { count, ofAddresses, plural, relative, span } from '../../format.ts';
import { share } from '../../../lib/share.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { Shape, STATUS_WORDS } from '../../parts/badge.tsx';
import { isExpired, nameOf } from '../../parts/jobs-table.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';
import { ALL_ROWS, DownloadDialog } from './job-download.tsx';
import { JobFacts } from './job-facts.tsx';
import { JobFrame } from './job-frame.tsx';
import { JobNextSteps } from './job-next-steps.tsx';
import type { NextSteps } from './job-next-steps.tsx';
import { ReportDetails, ReportHead } from './job-report.tsx';

export interface JobProps extends NextSteps, Moving {
	/** Null without results: working, failed or expired. */
	readonly report: Report | null;
	/** The rows of the file that the job was made from; null: it was made from none. */
	readonly fileRows: number | null;
	/** The list whose addresses this one asks again. */
	readonly source: JobRecord | null;
	/** The refusal of the last action. */
	readonly error: string | null;
}

/** One list: its state, and the report of its results with what can still be found out. */
export function JobPage(props: JobProps) {
	const { view, job, report, source, error } = props;
	const working = job.status === 'processing';
	return (
		<JobFrame
			view={view}
			job={job}
			tab="report"
			source={source}
			error={error}
			dialog={report !== null}
			islands={report === null ? ['live'] : ['live', 'dialog']}
			refreshSeconds={working ? 10 : undefined}
		>
			{source !== null && (
				<p class="quiet">
					These addresses of <a href={`/dashboard/jobs/${source.jobId}`}>{nameOf(source)}</a> had no answer
					the first time.
				</p>
			)}
			{report === null ? (
				<>
					<JobLive view={view} job={job} newest={props.newest} slowed={props.slowed} />
					{!working && <JobFacts view={view} job={job} />}
				</>
			) : (
				<>
					<ReportHead job={job} report={report} fileRows={props.fileRows} />
					<JobNextSteps {...props} report={report} />
					<ReportDetails job={job} report={report} />
					<DownloadDialog job={job} rows={ALL_ROWS} fileRows={props.fileRows} />
				</>
			)}
			<p id="live-says" class="unseen" role="status" />
		</JobFrame>
	);
}

const SOON_MS = 15_000;

/** The state of a job and, while it works, its cost so far: a script reloads this part of the page. */
export function JobLive(props: Pick<JobProps, 'view' | 'job' | 'newest' | 'slowed'>) {
	const { view, job, newest, slowed } = props;
	const working = job.status === 'processing';
	return (
		<div
			class="stack-wide"
			data-live={`/dashboard/jobs/${job.jobId}/live`}
			data-reload
			data-done={working ? undefined : ''}
			data-says={inWords(job)}
			data-title={working ? `${share(job.processed, job.accepted)} of ${nameOf(job)}` : undefined}
		>
			<div class="stack">
				<Situation view={view} job={job} slowed={slowed} />
				<div class="stack-small">
					{working && (
						<progress
							class="unseen"
							value={job.processed}
							max={Math.max(1, job.accepted)}
							aria-label="Addresses done"
						/>
					)}
					{working && (
						<p class="spread">
							<strong>{ofAddresses(job.processed, job.accepted)}</strong>
							<ExpectedEnd view={view} job={job} slowed={slowed} />
						</p>
					)}
					<Outcomes job={job} />
				</div>
				{working && <Newest answers={newest} />}
			</div>
			{working && <JobFacts view={view} job={job} />}
		</div>
	);
}

/** The newest answers, which pass by below the bar. */
function Newest({ answers }: { readonly answers: readonly NewAnswer[] }) {
	if (answers.length === 0) return null;
	return (
		<ul class="newest small" aria-label="Newest answers">
			{answers.map(({ email, reason }) => (
				<li>
					<span class={`ink-${statusOf(reason)}`}>
						<Shape tone={statusOf(reason)} />
					</span>{' '}
					<span class="cut mono" title={email}>
						{email}
					</span>{' '}
					<span class="quiet">{SUB_STATUSES[reason].short}</span>
				</li>
			))}
		</ul>
	);
}

interface Shown {
	readonly view: View;
	readonly job: JobRecord;
	readonly slowed: SlowedDomain | null;
}

/** When it will be done, as far as that shows; what is seconds away needs no words. The slowest pace decides. */
function ExpectedEnd({ view, job, slowed }: Shown) {
	const leftMs = (expectedEnd(job, view.now) ?? 0) - view.now;
	const slowedMs = slowed === null ? 0 : (slowed.open / slowed.perMinute) * MINUTE_MS;
	const isSlowest = slowed !== null && slowedMs > leftMs;
	return Math.max(leftMs, slowedMs) < SOON_MS ? null : (
		<span class="quiet">
			Done in about {span(Math.max(leftMs, slowedMs))}
			{isSlowest &&
				`: ${plural(slowed.open, 'address', 'addresses')} at ${slowed.domain}, where we ask about ${count(slowed.perMinute)} a minute`}
		</span>
	);
}

function Outcomes({ job }: { readonly job: JobRecord }) {
	return (
		<PartsBar
			label="Outcomes"
			total={job.accepted}
			of={job.processed}
			large={job.status === 'processing'}
			parts={STATUSES.map((status) => ({
				name: STATUS_WORDS[status],
				tone: status,
				value: job.counts[status],
			}))}
		/>
	);
}

function Situation({ view, job, slowed }: Shown) {
	if (job.status === 'failed') {
		return (
			<Notice kind="failed" title="This list could not be finished">
				<p>
					{job.error ?? 'It stopped on our side.'} It cost nothing: all its credits are available again.
					Upload the file again to retry.
				</p>
			</Notice>
		);
	}
	if (isExpired(job, view.now)) {
		return (
			<Notice kind="info" title="The results were deleted">
				<p>
					{job.deletedAt === null
						? `Results are kept for ${keptInWords(job)}.`
						: 'They were deleted on request.'}{' '}
					Only this summary is left. Upload the file to verify it again.
				</p>
			</Notice>
		);
	}
	return job.status === 'processing' && job.waiting > 0 ? (
		<Waiting view={view} job={job} slowed={slowed} />
	) : null;
}

const wait = (addresses: number): string => plural(addresses, 'address waits', 'addresses wait');

/** Why addresses wait. */
function Waiting({ view, job, slowed }: Shown) {
	const { waiting, nextAttemptAt } = job;
	const others = Math.max(0, waiting - (slowed?.open ?? 0));
	return (
		<Notice kind="info">
			{slowed !== null && (
				<p>
					{wait(slowed.open)}: {share(slowed.unknown, slowed.asked)} of your names at {slowed.domain} do not
					exist, so we ask there slowly.
				</p>
			)}
			{others > 0 && (
				<p>
					{wait(others)}: for our turn, since we ask each mail server only so many questions a minute and a
					day; because the server asked us to try again later; or because something failed on our side. We
					retry without your help.
				</p>
			)}
			{nextAttemptAt !== null && (
				<p>Next try {relative(Math.max(nextAttemptAt, view.now + 1000), view.now)}.</p>
			)}
		</Notice>
	);
}

function inWords(job: JobRecord): string {
	if (job.status === 'failed') return 'The list could not be finished';
	if (job.status === 'completed') return 'The list is done';
	return `${ofAddresses(job.processed, job.accepted)} done`;
}
