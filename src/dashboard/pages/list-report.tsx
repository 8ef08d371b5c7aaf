import type { Report } from '../../core/jobs/report/report.ts';
import { scoredOf } from '../../core/jobs/report/report.ts';
import { JOB_KINDS } from '../../core/jobs/kinds.ts';
import { PRICE } from '../../core/credits/price.ts';
import { SUB_STATUSES } from '../../core/verification/sub-status.ts';
import type { SubStatus } from '../../core/verification/sub-status.ts';
import { expectedEnd } from '../../core/jobs/estimate.ts';
import { keptInWords } from '../../core/jobs/retention.ts';
import { share } from '../../lib/share.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { FILE_FORMATS } from '../../operations/jobs/download-results.ts';
import type { SlowedDomain } from '../../operations/jobs/find-slowed.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { Bar, PartsBar, partsOf, ScoreHistogram } from '../parts/charts.tsx';
import { count, list, ofAddresses, plural, relative, span } from '../format.ts';
import { Section } from '../layout.tsx';
import { Button, QuietLink, Notice, NoticeFrame } from '../parts/basic.tsx';
import { Checkbox, Select } from '../parts/form.tsx';
import { Reasons, ReportPicture } from '../parts/report-picture.tsx';
import { Cut, isExpired, STATUS_WORDS, Table } from '../parts/table.tsx';
import { useView } from '../view.ts';
import { rowsHref } from './list-rows.tsx';

// The report of a finished list, to be forwarded, printed or downloaded.

interface ReportProps {
	readonly job: JobRecord;
	readonly report: Report;
	/** The path of the list. */
	readonly path: string;
	/** The rows of the file that the job was made from; null: it was made from none. */
	readonly fileRows: number | null;
}

/** The sentence that people repeat, the picture of all outcomes, and what it cost. */
export function ReportHead({ job, report, path, fileRows }: ReportProps) {
	const unasked = report.reasons.find(({ reason }) => reason === 'not_asked')?.count ?? 0;
	return (
		<section class="stack report-head" aria-labelledby="headline">
			<ReportPicture
				id="headline"
				report={report}
				hrefOf={(status) => `${rowsHref(path, { status })}#rows`}
			/>
			{job.finishedAt !== null && (
				<p>
					Stopped early: {count(report.total - unasked)} of {count(report.total)} answered. The others cost
					nothing.
				</p>
			)}
			<Cost job={job} />
			<LeftOutWords job={job} fileRows={fileRows} path={path} />
			{report.learntLater > 0 && (
				<p class="quiet">
					The catch-all check settled {plural(report.learntLater, 'address', 'addresses')}. All figures, rows
					and files on this page include them.
				</p>
			)}
		</section>
	);
}

/** The cost of a list, in a line. */
function Cost({ job }: Pick<ReportProps, 'job'>) {
	const { creditsUsed, creditsRefunded, creditsReserved } = job;
	const more = [
		...(creditsRefunded > 0 ? [`${count(creditsRefunded)} refunded`] : []),
		...(creditsReserved > 0 ? [`${count(creditsReserved)} reserved for the rest`] : []),
	];
	return <p>{[`${plural(creditsUsed, 'credit')} used`, ...more].join(', ')}.</p>;
}

/** How many rows were not verified, in a sentence that leads to them. Renders nothing if all were. */
function LeftOutWords({ job, fileRows, path }: Omit<ReportProps, 'report'>) {
	const { duplicates, invalid, submitted } = job;
	const isKept = !isExpired(job, useView().now);
	const empty = fileRows === null ? 0 : fileRows - submitted;
	const all = duplicates + invalid + empty;
	if (all === 0) return null;
	const sentences = [
		...(duplicates > 0 ? [`${plural(duplicates, 'row repeats', 'rows repeat')} an earlier address`] : []),
		...(invalid > 0 ? [`${plural(invalid, 'row is', 'rows are')} not a valid address`] : []),
		...(empty > 0 ? [`${plural(empty, 'row has', 'rows have')} no address`] : []),
	];
	return (
		<p class="quiet">
			{list(sentences)}. {all === 1 ? 'It was' : 'They were'} left out and cost nothing.{' '}
			{duplicates + invalid > 0 && isKept && (
				<a href={`${rowsHref(path, { status: 'left_out' })}#rows`}>See what was left out</a>
			)}
		</p>
	);
}

/** Which rows, columns and kind of file. */
export function DownloadForm({ job, path, fileRows }: Omit<ReportProps, 'report'>) {
	const [csv, xlsx] = FILE_FORMATS;
	return (
		<Section title="Download">
			<form method="get" action={`${path}/download`} class="inline-form">
				<Select
					id="download-rows"
					name="status"
					label="Rows"
					options={[['', 'All'], ...Object.entries(STATUS_WORDS)]}
				/>
				{fileRows !== null && fileRows > job.accepted && (
					<Select
						name="repeats"
						label="Repeated rows"
						options={[
							['left_out', `One row per address: ${count(job.accepted)}`],
							['kept', `Every row of your file: ${count(fileRows)}`],
						]}
					/>
				)}
				<Select
					name="format"
					label="File"
					options={[
						[csv, 'CSV'],
						[xlsx, 'Excel workbook (XLSX)'],
					]}
				/>
				<Checkbox name="columns" value="all" label="All columns" />
				<Button kind="quiet" icon="download">
					Download
				</Button>
			</form>
		</Section>
	);
}

// Two screens hold the report; the filter of the rows finds the others.
const TROUBLES_SHOWN = 5;
// Fewer scores make no picture.
const SCORES_DRAWN = 20;

/** Why addresses came out as they did, and where the trouble is. */
export function ReportDetails({ report, path }: Pick<ReportProps, 'report' | 'path'>) {
	const linkTo = (query: Parameters<typeof rowsHref>[1]): string => `${rowsHref(path, query)}#rows`;
	return (
		<>
			<Section title="Reasons">
				<Reasons report={report} hrefOf={(reason) => linkTo({ reason })} />
			</Section>
			{report.counts.deliverable < report.total && (
				<Section title="Domains with the most trouble">
					{/* A bar of their outcomes, and how many addresses are not safe to send. */}
					<Table
						caption="Domains with the most addresses that are not safe to send"
						rows={report.domains.slice(0, TROUBLES_SHOWN)}
						columns={(column) => [
							column('Domain', { width: 184, names: true }, ({ name, reason }) => (
								<a href={linkTo({ q: `@${name}` })} title={`Mostly: ${SUB_STATUSES[reason].short}`}>
									<Cut text={name} mono />
								</a>
							)),
							column('Outcomes', { width: 104, hidesHead: true }, ({ name, counts, total }) => (
								<Bar parts={partsOf(counts)} total={total} height={8} label={name} />
							)),
							column('Not safe', { width: 120, phone: true, class: 'num' }, ({ counts, total }) => (
								<>
									<strong>{count(total - counts.deliverable)}</strong>{' '}
									<span class="quiet">of {count(total)}</span>
								</>
							)),
						]}
					/>
				</Section>
			)}
			{scoredOf(report) >= SCORES_DRAWN && (
				<Section title="Catch-all scores" aside="How likely a message is to reach a mailbox, 0 to 100">
					<ScoreHistogram scores={report.scores} />
				</Section>
			)}
		</>
	);
}

/** The reasons that another question may overcome: those with a `retry_after`, and what a finished list left unasked. */
type Later =
	| {
			[K in SubStatus]: (typeof SUB_STATUSES)[K] extends { retryAfterSeconds: unknown } ? K : never;
	  }[SubStatus]
	| 'not_asked';

/** Each of them in words, about several servers. */
const WHY: Readonly<Record<Later, string>> = {
	timeout: 'their servers took too long',
	no_connect: 'their servers could not be reached',
	unavailable_smtp: 'their servers were not available',
	greylisted: 'their servers asked us to come back later',
	rate_limited: 'their servers limit how much we ask',
	probe_blocked: 'their servers block us',
	dns_error: 'their name servers did not work',
	no_capacity: 'we had no capacity left',
	not_asked: 'the list was finished early',
	free_limit: 'the day had no free answers left',
	unexpected_error: 'something failed on our side',
};

/** The offer to ask the unknown addresses again, with the reason of all of them, or of most. */
export function AskAgain({ report, path }: Pick<ReportProps, 'report' | 'path'>) {
	const { mayAnswerLater: open, reasons } = report;
	const most = reasons.find(({ reason }) => Object.hasOwn(WHY, reason));
	const why = most === undefined ? '' : WHY[most.reason as Later];
	const because = most === undefined ? '' : most.count >= open ? `: ${why}` : `, most often because ${why}`;
	return (
		<div class="spread">
			<div>
				<h3>{`${plural(open, 'address has', 'addresses have')} no answer${because}`}</h3>
				<p class="quiet">
					Asking again costs at most {plural(open * PRICE.verification, 'credit')}. Unknown answers are
					refunded. The answers are a list of their own.
				</p>
			</div>
			<QuietLink href={`${path}/again`}>Ask again</QuietLink>
		</div>
	);
}

/** A later check of the list's addresses: how far it is, or what it brought. */
function LaterCheck({ check }: { readonly check: JobRecord }) {
	const { kind, jobId, status, processed, accepted, counts, creditsUsed } = check;
	return (
		<p>
			<a href={`/dashboard/jobs/${jobId}`}>
				{JOB_KINDS[kind].isDeep ? JOB_KINDS[kind].onPages.title : 'Asked again'}
			</a>
			: {status === 'failed' && 'it could not be finished and cost nothing.'}
			{status === 'processing' && `${ofAddresses(processed, accepted)} done.`}
			{status === 'completed' &&
				`of ${plural(accepted, 'address', 'addresses')}, ${count(counts.deliverable)} turned out deliverable and ${count(counts.undeliverable)} undeliverable, for ${plural(creditsUsed, 'credit')}.`}
		</p>
	);
}

// The state of a list: what moves while it works, or why there is no report.

/** The parts of a list that move while it works. */
export interface Moved {
	readonly job: JobRecord;
	/** Null: we do not slow it ourselves. */
	readonly slowed: SlowedDomain | null;
	/** Later checks of its addresses: catch-all checks, the newest first, and the list that asks again. */
	readonly checks: readonly JobRecord[];
}

/** The parts that move while the list or a later check works. The report, once there is one, says all of it but the checks. */
export function Moving({ path, job, slowed, checks }: Moved & { readonly path: string }) {
	const { now } = useView();
	return (
		<>
			{(job.status !== 'completed' || isExpired(job, now)) && (
				<>
					<Situation job={job} slowed={slowed} />
					<Progress job={job} slowed={slowed} />
					<Cost job={job} />
					<LeftOutWords job={job} fileRows={null} path={path} />
				</>
			)}
			{checks.map((check) => (
				<LaterCheck check={check} />
			))}
		</>
	);
}

/** The state of a list, for screen readers. */
export function inWords({ status, processed, accepted }: JobRecord): string {
	if (status === 'failed') return 'The list could not be finished';
	return status === 'completed' ? 'The list is done' : `${ofAddresses(processed, accepted)} done`;
}

const SOON_MS = 15_000;

type Slowed = Pick<Moved, 'job' | 'slowed'>;

/** How far it is, the outcomes so far, and when it will be done: the slowest pace decides, and seconds need no words. */
function Progress({ job, slowed }: Slowed) {
	const { now } = useView();
	const { processed, accepted, counts } = job;
	const paceMs = (expectedEnd(job, now) ?? 0) - now;
	const slowedMs = slowed === null ? 0 : (slowed.open / slowed.perMinute) * MINUTE_MS;
	const leftMs = Math.max(paceMs, slowedMs);
	return (
		<div class="stack-small">
			{job.status === 'processing' && (
				<>
					<progress
						class="unseen"
						value={processed}
						max={Math.max(1, accepted)}
						aria-label="Addresses done"
					/>
					<p class="spread">
						<strong>{ofAddresses(processed, accepted)}</strong>
						{leftMs >= SOON_MS && (
							<span class="quiet">
								Done in about {span(leftMs)}
								{slowed !== null &&
									slowedMs > paceMs &&
									`: ${plural(slowed.open, 'address', 'addresses')} at ${slowed.domain}, where we ask about ${count(slowed.perMinute)} a minute`}
							</span>
						)}
					</p>
				</>
			)}
			{accepted > 0 && <PartsBar label="Outcomes" parts={partsOf(counts)} total={accepted} of={processed} />}
		</div>
	);
}

const wait = (addresses: number): string => plural(addresses, 'address waits', 'addresses wait');

/** Why it ended without results, or why addresses wait. */
function Situation({ job, slowed }: Slowed) {
	const { now } = useView();
	if (job.status === 'failed') {
		return (
			<Notice kind="failed" title="This list could not be finished">
				{job.error ?? 'It stopped on our side.'} It cost nothing: all its credits are available again. Upload
				the file again to retry.
			</Notice>
		);
	}
	if (isExpired(job, now)) {
		return (
			<Notice kind="info" title="The results were deleted">
				{job.deletedAt === null
					? `Results are kept for ${keptInWords(job)}.`
					: 'They were deleted on request.'}{' '}
				Only this summary is left. Upload the file to verify it again.
			</Notice>
		);
	}
	const { waiting, nextAttemptAt } = job;
	if (job.status !== 'processing' || waiting === 0) return null;
	const others = Math.max(0, waiting - (slowed?.open ?? 0));
	return (
		<NoticeFrame kind="info">
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
			{nextAttemptAt !== null && <p>Next try {relative(Math.max(nextAttemptAt, now + 1000), now)}.</p>}
		</NoticeFrame>
	);
}
