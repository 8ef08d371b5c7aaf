import { listEffectOf } from '../../../core/catchall/breakdown.ts';
import type { Pagination } from '../../../core/jobs/pages.ts';
import { keptInWords } from '../../../core/jobs/retention.ts';
import { CATCH_ALL_VERDICTS } from '../../../core/verification/render.ts';
import type { Evidence } from '../../../core/verification/evidence.ts';
import type { CatchAllVerdict } from '../../../core/verification/render.ts';
import { PartsBar } from '../../charts/parts-bar.tsx';
import { ScoreHistogram } from '../../charts/score-histogram.tsx';
import type { ScoreBin } from '../../charts/score-histogram.tsx';
import { ScoreWaterfall } from '../../charts/score-waterfall.tsx';
import type { ScoreBreakdown } from '../../charts/score-waterfall.tsx';
import { change, ofAddresses, plural } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { JobBadge, VERDICT_WORDS, VerdictBadge } from '../../parts/badge.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { Conversation, KEPT_OF_A_LIST } from '../../parts/conversation.tsx';
import { isExpired } from '../../parts/jobs-table.tsx';
import { Empty, Mono, Pages, Table } from '../../parts/table.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Progress, Stats, Time } from '../../parts/figures.tsx';
import type { View } from '../../view.ts';
import { Filters } from './job-filter.tsx';

/** A catch-all check, for the page. Times are epoch milliseconds. */
export interface TaskSummary {
	readonly taskId: string;
	readonly sourceJobId: string;
	readonly status: 'processing' | 'completed' | 'failed';
	readonly name: string | null;
	readonly total: number;
	readonly processed: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
	readonly creditsReserved: number;
	readonly verdictCounts: Readonly<Record<CatchAllVerdict, number>>;
	readonly createdAt: number;
	readonly completedAt: number | null;
	readonly resultsExpiresAt: number | null;
	readonly error: string | null;
}

export interface TaskRow {
	readonly email: string;
	readonly score: number;
	readonly verdict: CatchAllVerdict;
	readonly breakdown: ScoreBreakdown;
	readonly evidence: readonly Evidence[];
}

export interface TaskProps {
	readonly view: View;
	readonly task: TaskSummary;
	/** Null without results: working, failed or expired. */
	readonly shown: {
		readonly rows: readonly TaskRow[];
		readonly pagination: Pagination;
		readonly verdict: CatchAllVerdict | 'all';
		readonly bins: readonly ScoreBin[];
	} | null;
}

const TONES = { valid: 'deliverable', invalid: 'undeliverable', unknown: 'unknown' } as const;

/** A catch-all check: verdicts, scores, and the breakdown of each score. */
export function TaskPage(props: TaskProps) {
	const { view, task, shown } = props;
	const working = task.status === 'processing';
	return (
		<DashboardPage
			view={view}
			place="Lists"
			title={task.name ?? 'Catch-all check'}
			up={{ name: 'The list it came from', href: `/dashboard/jobs/${task.sourceJobId}` }}
			islands={['live']}
			refreshSeconds={working ? 10 : undefined}
			lead={
				<>
					<JobBadge status={task.status} expired={isExpired(task, view.now)} /> Started{' '}
					<Time at={task.createdAt} now={view.now} />
				</>
			}
			action={
				shown === null || task.total === 0 ? undefined : (
					<ButtonLink href={`/dashboard/tasks/${task.taskId}/download`} icon="download" download>
						Download CSV
					</ButtonLink>
				)
			}
		>
			<TaskLive view={view} task={task} />
			<p id="live-says" class="unseen" role="status" />
			{shown !== null && task.total > 0 && (
				<>
					<Section
						title="Scores"
						aside={<span class="quiet">How likely a message is to reach a mailbox, 0 to 100</span>}
					>
						<ScoreHistogram bins={shown.bins} />
					</Section>
					<Verdicts {...props} shown={shown} />
				</>
			)}
			{!working && <Credits task={task} />}
		</DashboardPage>
	);
}

function Credits({ task }: { readonly task: TaskSummary }) {
	return (
		<Section title="Credits">
			<Stats
				stats={[
					{ label: 'Used', value: task.creditsUsed, note: 'credits charged' },
					{ label: 'Refunded', value: task.creditsRefunded, note: 'too little evidence to decide' },
					...(task.creditsReserved > 0
						? [{ label: 'Reserved', value: task.creditsReserved, note: 'set aside for the rest' }]
						: []),
				]}
			/>
		</Section>
	);
}

/** The state of a task and, while it works, its cost so far: a script reloads this part of the page. */
export function TaskLive({ view, task }: { readonly view: View; readonly task: TaskSummary }) {
	const working = task.status === 'processing';
	return (
		<div
			class="stack-wide"
			data-live={`/dashboard/tasks/${task.taskId}/live`}
			data-reload
			data-done={working ? undefined : ''}
			data-says={working ? `${ofAddresses(task.processed, task.total)} done` : 'The check is done'}
		>
			<div class="stack">
				{task.status === 'failed' && (
					<Notice kind="failed" title="This check could not be finished">
						<p>
							{task.error ?? 'It stopped on our side.'} It cost nothing: all its credits are available again.
						</p>
					</Notice>
				)}
				{isExpired(task, view.now) && (
					<Notice kind="info" title="The verdicts were deleted">
						<p>Verdicts are kept for {keptInWords(task)}. Only this summary is left.</p>
					</Notice>
				)}
				{task.status === 'completed' && task.total === 0 && (
					<Notice kind="done" title="There was nothing to check">
						<p>No address of the list is on a domain that accepts everything. Nothing was charged.</p>
					</Notice>
				)}
				{working && <Progress done={task.processed} total={task.total} label="Addresses done" />}
				{task.total > 0 && (
					<PartsBar
						label="Verdicts"
						total={task.total}
						parts={CATCH_ALL_VERDICTS.map((verdict) => ({
							name: VERDICT_WORDS[verdict],
							tone: TONES[verdict],
							value: task.verdictCounts[verdict],
						}))}
					/>
				)}
			</div>
			{working && <Credits task={task} />}
		</div>
	);
}

function Verdicts(props: TaskProps & { readonly shown: NonNullable<TaskProps['shown']> }) {
	const { task, shown } = props;
	const { verdict, pagination, rows } = shown;
	return (
		<Section title="Verdicts" id="results">
			<div class="stack">
				<Filters
					options={(['all', ...CATCH_ALL_VERDICTS] as const).map((one) => ({
						href: hrefOf(task, one, 1),
						label: one === 'all' ? 'All' : VERDICT_WORDS[one],
						rows: one === 'all' ? task.total : task.verdictCounts[one],
						isChosen: one === verdict,
						tone: one === 'all' ? null : TONES[one],
					}))}
				/>
				<Table
					caption="Verdicts"
					rows={rows}
					columns={[
						{ head: 'Address', names: true, width: 320, cell: (row) => <RowCell row={row} /> },
						{ head: 'Verdict', width: 92, cell: (row) => <VerdictBadge verdict={row.verdict} /> },
						{ head: 'Score', align: 'right', width: 44, cell: ({ score }) => score },
					]}
					empty={<Empty title="No rows here" text="No address in this check has that verdict." />}
				/>
				<Pages pagination={pagination} things="addresses" hrefOf={(page) => hrefOf(task, verdict, page)} />
				{verdict !== 'all' && task.verdictCounts[verdict] > 0 && (
					<ButtonLink
						kind="quiet"
						icon="download"
						href={`/dashboard/tasks/${task.taskId}/download?verdict=${verdict}`}
						download
					>
						Download these {plural(task.verdictCounts[verdict], 'row')}
					</ButtonLink>
				)}
			</div>
		</Section>
	);
}

function RowCell({ row }: { readonly row: TaskRow }) {
	return (
		<details class="why">
			<summary>
				<Mono text={row.email} />
			</summary>
			<p class="quiet">{Math.round(row.breakdown.coverage * 100)}% of the evidence was available.</p>
			<ScoreWaterfall breakdown={row.breakdown} score={row.score} />
			<FromTheList breakdown={row.breakdown} />
			<Conversation email={row.email} evidence={row.evidence} note={KEPT_OF_A_LIST} />
		</details>
	);
}

/** The evidence that only a list has, by which a task may differ from a single verification. */
function FromTheList({ breakdown }: Pick<TaskRow, 'breakdown'>) {
	const effect = listEffectOf(breakdown);
	if (effect === 0) return null;
	return (
		<p class="quiet">
			{change(effect)} of these points come from the list. An address that is verified alone has no list to
			compare with, so its score may differ.
		</p>
	);
}

function hrefOf({ taskId }: TaskSummary, verdict: CatchAllVerdict | 'all', page: number): string {
	const query = new URLSearchParams();
	if (verdict !== 'all') query.set('verdict', verdict);
	if (page > 1) query.set('page', String(page));
	const words = query.toString();
	return `/dashboard/tasks/${taskId}${words === '' ? '' : `?${words}`}#results`;
}
