import type { BalanceView } from '../../core/credits/balance.ts';
import { inCredits, PRICE } from '../../core/credits/price.ts';
import { forecast } from '../../core/credits/forecast.ts';
import type { DayUsage } from '../../core/credits/usage.ts';
import { expectedEnd } from '../../core/jobs/estimate.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import type { AnsweredVerification } from '../../operations/verify/verify-for-owner.ts';
import type { CreditsLowView } from '../../operations/webhooks/port.ts';
import { Bar, outcomesInWords } from '../charts/bar.tsx';
import { UsageByDay } from '../charts/usage-by-day.tsx';
import type { Flash } from '../session.ts';
import { count, plural, relative } from '../format.ts';
import { share } from '../../lib/share.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { JobBadge } from '../parts/badge.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Field, Form } from '../parts/form.tsx';
import { LastsFor, Progress, Time } from '../parts/figures.tsx';
import { isExpired, nameOf } from '../parts/job-words.ts';
import { Cut, Table } from '../parts/table.tsx';
import { CreditsNotice, FlashNotice } from '../parts/notice.tsx';
import { RecentVerifications } from '../parts/verification-history.tsx';
import type { View } from '../view.ts';
import { NewList } from './lists.tsx';

/** The ranges of the chart, in days. */
export const RANGES = [7, 30, 90] as const;
export type Range = (typeof RANGES)[number];

// The forecast of how long the balance lasts reads so many days.
const FORECAST_DAYS = 30;

export interface OverviewProps {
	readonly view: View;
	readonly balance: BalanceView;
	readonly low: CreditsLowView;
	/** The longest range, in order and without gaps; the last one is today. */
	readonly days: readonly DayUsage[];
	/** How many days the chart shows. */
	readonly range: Range;
	/** Lists at work, newest first. */
	readonly running: readonly JobRecord[];
	/** The newest few that ended. */
	readonly ended: readonly JobRecord[];
	/** The newest few single verifications. */
	readonly answers: readonly AnsweredVerification[];
	readonly flash: Flash | null;
}

/** The first steps of a new account; later the lists at work, the newest answers, and the use by day. */
export function OverviewPage(props: OverviewProps) {
	const { view, balance, low, days, answers, flash } = props;
	const hasLists = props.running.length > 0 || props.ended.length > 0;
	return (
		<DashboardPage
			view={view}
			place="Overview"
			title="Overview"
			islands={['drop', 'live']}
			action={
				<ButtonLink kind="quiet" href="/dashboard/verify">
					Verify an address
				</ButtonLink>
			}
		>
			<FlashNotice flash={flash} />
			<CreditsNotice balance={balance} low={low} />
			<div class="overview-top">
				{hasLists ? (
					<Section title="Verify a list">
						<NewList view={view} error={null} small />
					</Section>
				) : (
					<FirstSteps view={view} hasAnswers={answers.length > 0} />
				)}
				<Section title="Credits" aside={<a href="/dashboard/credits">Ledger</a>}>
					<div class="stack-small">
						<p>
							<strong class="balance">{count(balance.availableCredits)}</strong>{' '}
							<span class="quiet">available</span>
						</p>
						{balance.reservedCredits > 0 && (
							<p class="quiet">{count(balance.reservedCredits)} more are reserved for work in progress.</p>
						)}
						<LastsFor
							available={balance.availableCredits}
							forecast={forecast(balance.availableCredits, days.slice(-FORECAST_DAYS))}
						/>
						<p>
							<a href="/dashboard/credits/add">Add credits</a>
						</p>
					</div>
				</Section>
			</div>
			<OverviewLive {...props} />
			<RecentVerifications view={view} verifications={answers} />
			{days.some(hasOutcomes) && <Usage {...props} />}
			<p id="live-says" class="unseen" role="status" />
		</DashboardPage>
	);
}

/** Three ways to begin. Each can be taken on the spot, or is one link away. */
function FirstSteps({ view, hasAnswers }: { readonly view: View; readonly hasAnswers: boolean }) {
	return (
		<Section title="First steps">
			<ol class="first-steps">
				<li class={hasAnswers ? 'step-done' : undefined}>
					<h3>Check one address</h3>
					<Form view={view} action="/dashboard/verify" layout="inline">
						<Field
							name="email"
							type="email"
							label="Email address"
							hint={`${inCredits(PRICE.single)} for a definite answer. An unknown is free.`}
							placeholder="jane@acme.com"
							autocomplete="off"
							mono
							required
						/>
						<Button>Verify address</Button>
					</Form>
				</li>
				<li>
					<h3>Clean a list</h3>
					<NewList view={view} error={null} small />
				</li>
				<li>
					<h3>Add it to your form</h3>
					<p>
						Your server asks with a key, and your form says “Did you mean” while people still sit at it.{' '}
						<a href="/docs/guides/sign-up">How it works</a>
					</p>
					<ButtonLink kind="quiet" href="/dashboard/keys">
						Make a key
					</ButtonLink>
				</li>
			</ol>
		</Section>
	);
}

/** Lists at work and those that ended, which a script reloads while one is at work. */
export function OverviewLive({ view, running, ended }: Pick<OverviewProps, 'view' | 'running' | 'ended'>) {
	return (
		<div
			class="stack-wide"
			data-live="/dashboard/live"
			data-done={running.length > 0 ? undefined : ''}
			data-says={running.length > 0 ? undefined : 'All lists are done'}
		>
			{running.length > 0 && (
				<Section title="In progress">
					<ul class="at-work">
						{running.map((job) => (
							<li>
								<Running view={view} job={job} />
							</li>
						))}
					</ul>
				</Section>
			)}
			{ended.length > 0 && (
				<Section title="Recent lists" aside={<a href="/dashboard/lists">All lists</a>}>
					<Latest view={view} jobs={ended} />
				</Section>
			)}
		</div>
	);
}

function Running({ view, job }: { readonly view: View; readonly job: JobRecord }) {
	const { jobId, processed, accepted } = job;
	const end = expectedEnd(job, view.now);
	return (
		<div class="stack-small">
			<p class="spread">
				<a href={`/dashboard/jobs/${jobId}`}>
					<Cut text={nameOf(job)} />
				</a>
				{end !== null && end > view.now && <span class="quiet nowrap">done {relative(end, view.now)}</span>}
			</p>
			<Progress done={processed} total={accepted} label={`Progress of ${nameOf(job)}`} />
		</div>
	);
}

function Latest({ view, jobs }: { readonly view: View; readonly jobs: readonly JobRecord[] }) {
	return (
		<Table
			caption="Recent lists"
			rows={jobs}
			empty={null}
			columns={[
				{
					head: 'List',
					names: true,
					phone: true,
					width: 140,
					cell: (job) => (
						<a class="block" href={`/dashboard/jobs/${job.jobId}`}>
							<Cut text={nameOf(job)} />
						</a>
					),
				},
				{
					head: 'Results',
					phone: true,
					width: 92,
					class: 'plot-cell',
					cell: (job) =>
						job.status === 'failed' ? null : (
							<Bar
								counts={job.counts}
								total={job.accepted}
								height={8}
								label={outcomesInWords(job.counts, job.accepted)}
							/>
						),
				},
				{
					head: 'Deliverable',
					align: 'right',
					phone: true,
					width: 92,
					cell: ({ status, counts, accepted }) =>
						status === 'failed' ? '' : share(counts.deliverable, accepted),
				},
				{ head: 'Addresses', align: 'right', width: 76, cell: ({ accepted }) => count(accepted) },
				{
					head: 'Status',
					width: 88,
					cell: (job) => <JobBadge status={job.status} expired={isExpired(job, view.now)} />,
				},
				{ head: 'Started', width: 96, cell: ({ createdAt }) => <Time at={createdAt} now={view.now} /> },
			]}
		/>
	);
}

function hasOutcomes({ outcomes }: DayUsage): boolean {
	return Object.values(outcomes).some((value) => value > 0);
}

function Usage({ days, range }: OverviewProps) {
	const drawn = days.slice(-range);
	return (
		<Section
			title="Verifications by day"
			id="usage"
			aside={
				<nav aria-label="Range">
					<ul class="filters">
						{RANGES.map((each) => (
							<li>
								<a href={`/dashboard?days=${each}#usage`} aria-current={each === range ? 'page' : undefined}>
									{each} days
								</a>
							</li>
						))}
					</ul>
				</nav>
			}
		>
			{drawn.some(hasOutcomes) ? (
				<UsageByDay days={drawn} />
			) : (
				<p class="quiet">Nothing was verified in the last {plural(range, 'day')}.</p>
			)}
		</Section>
	);
}
