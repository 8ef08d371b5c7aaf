import type { HeldUpBy } from '../../core/jobs/estimate.ts';
import { keptInWords } from '../../core/jobs/retention.ts';
import { publicNameOf } from '../../core/mail-operators/public-mail.ts';
import { STATUSES } from '../../core/verification/sub-status.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { PartsBar } from '../charts/parts-bar.tsx';
import { count, plural, relative, span } from '../format.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { JobBadge, STATUS_WORDS } from '../parts/badge.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { isExpired, nameOf } from '../parts/jobs-table.tsx';
import { Mono } from '../parts/long-text.tsx';
import { Notice } from '../parts/notice.tsx';
import { Progress, Stats, Time } from '../parts/figures.tsx';
import type { View } from '../view.ts';
import { JobActions } from './job-actions.tsx';
import { JobNextSteps } from './job-next-steps.tsx';
import type { NextSteps } from './job-next-steps.tsx';
import { JobResults } from './job-results.tsx';
import type { ShownResults } from './job-results.tsx';

export interface JobProps extends NextSteps {
	/** Null without results: working, failed or expired. */
	readonly shown: ShownResults | null;
	/** The refusal of the last action. */
	readonly error: string | null;
}

/** One list: its state, its results, and the next steps. */
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
			<JobLive view={view} job={job} />
			<JobActions view={view} job={job} />
			<p id="live-says" class="unseen" role="status" />
			{shown !== null && (
				<>
					<JobNextSteps {...props} />
					<JobResults job={job} shown={shown} />
				</>
			)}
			{!working && <JobFacts view={view} job={job} />}
		</DashboardPage>
	);
}

const SOON_MS = 15_000;

/** The state of a job and, while it works, its cost so far: a script reloads this part of the page. */
export function JobLive({ view, job }: { readonly view: View; readonly job: JobRecord }) {
	const working = job.status === 'processing';
	return (
		<div
			class="stack-wide"
			data-live={`/dashboard/jobs/${job.jobId}/live`}
			data-reload
			data-done={working ? undefined : ''}
			data-says={inWords(job)}
		>
			<div class="stack">
				<Situation view={view} job={job} />
				{working && (
					<Progress done={job.processed} total={job.accepted} things="addresses" label="Addresses done" />
				)}
				<ExpectedEnd view={view} job={job} />
				<Outcomes view={view} job={job} />
			</div>
			{working && <JobFacts view={view} job={job} />}
		</div>
	);
}

/** When it will be done, as far as that shows; what is seconds away needs no words. */
function ExpectedEnd({ view, job }: { readonly view: View; readonly job: JobRecord }) {
	const leftMs = (job.estimatedCompletionAt ?? 0) - view.now;
	return leftMs < SOON_MS ? null : (
		<p class="quiet">
			Done in about {span(leftMs)}
			{paceOf(job.heldUpBy ?? null)}
		</p>
	);
}

/** Why it takes as long: a provider answers only so many of our questions. */
function paceOf(heldUpBy: HeldUpBy | null): string {
	const name = heldUpBy === null ? null : publicNameOf(heldUpBy.operator);
	if (heldUpBy === null || name === null) return '';
	const { open, perMinute } = heldUpBy;
	return `: ${plural(open, 'address', 'addresses')} at ${name}, which so far answers about ${count(perMinute)} a minute`;
}

function Outcomes({ view, job }: { readonly view: View; readonly job: JobRecord }) {
	const hasRows = job.status === 'completed' && !isExpired(job, view.now);
	return (
		<PartsBar
			label="Outcomes"
			total={job.accepted}
			parts={STATUSES.map((status) => ({
				name: STATUS_WORDS[status],
				tone: status,
				value: job.counts[status],
				...(hasRows ? { href: `/dashboard/jobs/${job.jobId}?status=${status}#results` } : {}),
			}))}
		/>
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
					{(job.deletedAt ?? null) === null
						? `Results are kept for ${keptInWords(job)}.`
						: 'They were deleted on request.'}{' '}
					What remains is this summary. Upload the file again to have it verified anew.
				</p>
			</Notice>
		);
	}
	if (job.status === 'processing' && job.waiting > 0) {
		return (
			<Notice kind="info">
				<p>
					{plural(job.waiting, 'address is', 'addresses are')} waiting: their mail servers asked us to come
					back later, or are asked no faster than they bear.
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

function leftOut({ duplicates, invalid }: JobRecord): string {
	return `${count(duplicates)} repeated, ${count(invalid)} malformed`;
}

function inWords(job: JobRecord): string {
	if (job.status === 'failed') return 'The list could not be finished';
	if (job.status === 'completed') return 'The list is done';
	return `${count(job.processed)} of ${count(job.accepted)} addresses done`;
}
