import type { DayUsage } from '../../core/credits/usage-by-day.ts';
import type { BalanceView } from '../../core/credits/balance-view.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { UsageByDay } from '../charts/usage-by-day.tsx';
import { examplesOf } from '../code-examples.ts';
import type { Flash } from '../flash.ts';
import { count, plural } from '../format.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { CodeTabs } from '../parts/code.tsx';
import { JobsTable } from '../parts/jobs-table.tsx';
import { FlashNotice, NoCreditsNotice } from '../parts/notice.tsx';
import { Stats } from '../parts/figures.tsx';
import { Empty } from '../parts/table.tsx';
import type { View } from '../view.ts';

export interface OverviewProps {
	readonly view: View;
	readonly baseUrl: string;
	readonly balance: BalanceView;
	/** In order and without gaps; the last one is today. */
	readonly days: readonly DayUsage[];
	/** The newest few. */
	readonly jobs: readonly JobRecord[];
	/** Keys that are not revoked. */
	readonly keys: number;
	/** An address that can be verified here. */
	readonly sample: string;
	readonly flash: Flash | null;
}

/** An account's balance, usage and newest lists, or its first call if it has made none. */
export function OverviewPage(props: OverviewProps) {
	const { view, balance, days, jobs, flash } = props;
	const used = days.some(({ outcomes }) => Object.values(outcomes).some((value) => value > 0));
	const firstCall = <FirstCall {...props} />;
	return (
		<DashboardPage
			view={view}
			place="Overview"
			title="Overview"
			islands={['choice', 'copy']}
			action={<ButtonLink href="/dashboard/verify">Verify an address</ButtonLink>}
		>
			<FlashNotice flash={flash} />
			<NoCreditsNotice balance={balance} />
			<Section title="Credits" aside={<a href="/dashboard/credits">Every line of the ledger</a>}>
				<Stats stats={statsOf(balance)} />
			</Section>
			{!used && firstCall}
			<Section title="Verifications, last 30 days" aside={<span class="quiet">Days are UTC</span>}>
				{used ? (
					<UsageByDay days={days} />
				) : (
					<Empty
						title="Nothing verified yet"
						text="Each verification shows up here by day and outcome, whether it came by the API, a list or this dashboard."
						action={
							<ButtonLink kind="quiet" href="/dashboard/verify">
								Verify an address
							</ButtonLink>
						}
					/>
				)}
			</Section>
			<Section title="Latest lists" aside={jobs.length > 0 ? <a href="/dashboard/lists">All lists</a> : null}>
				<JobsTable
					view={view}
					jobs={jobs}
					brief
					empty={
						<Empty
							title="No lists yet"
							text={`A list of up to ${count(50_000)} addresses is checked as one job. Upload a CSV, or send it by the API.`}
							action={
								<ButtonLink kind="quiet" href="/dashboard/lists">
									Upload a list
								</ButtonLink>
							}
						/>
					}
				/>
			</Section>
			{used && firstCall}
		</DashboardPage>
	);
}

function FirstCall({ baseUrl, keys, sample }: OverviewProps) {
	return (
		<Section
			title={keys === 0 ? 'Your first call' : 'Call the API'}
			aside={
				keys === 0 ? null : (
					<span class="quiet">
						Put one of your <a href="/dashboard/keys">{plural(keys, 'key')}</a> in place of YOUR_API_KEY
					</span>
				)
			}
		>
			<div class="stack">
				{keys === 0 && (
					<p class="row">
						<ButtonLink kind="quiet" size="small" href="/dashboard/keys" icon="keys">
							Create a key
						</ButtonLink>
						<span class="quiet">and put it in place of YOUR_API_KEY.</span>
					</p>
				)}
				<CodeTabs
					id="first-call"
					examples={examplesOf(baseUrl, { method: 'POST', path: '/v1/verify', body: { email: sample } })}
				/>
			</div>
		</Section>
	);
}

function statsOf(balance: BalanceView) {
	return [
		{ label: 'Available', value: balance.availableCredits, note: 'can be spent now' },
		{ label: 'Reserved', value: balance.reservedCredits, note: 'set aside for work in progress' },
		{ label: 'Used', value: balance.totalConsumed, note: 'charged for definite answers' },
		{ label: 'Refunded', value: balance.totalRefunded, note: 'because nobody would say' },
	];
}
