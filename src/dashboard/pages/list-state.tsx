import { expectedEnd } from '../../core/jobs/estimate.ts';
import { keptInWords } from '../../core/jobs/retention.ts';
import { share } from '../../lib/share.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import type { SlowedDomain } from '../../operations/jobs/find-slowed.ts';
import { PartsBar, partsOf } from '../charts/bar.tsx';
import { count, ofAddresses, plural, relative, span } from '../format.ts';
import { isExpired } from '../parts/table.tsx';
import { Notice, NoticeFrame } from '../parts/basic.tsx';
import { useView } from '../view.ts';
import { Cost, LaterCheck, LeftOutWords } from './list-report.tsx';

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

/** How far it is, and the outcomes so far. */
function Progress(props: Slowed) {
	const { job } = props;
	const { processed, accepted, counts } = job;
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
						<ExpectedEnd {...props} />
					</p>
				</>
			)}
			{accepted > 0 && <PartsBar label="Outcomes" parts={partsOf(counts)} total={accepted} of={processed} />}
		</div>
	);
}

type Slowed = Pick<Moved, 'job' | 'slowed'>;

/** When it will be done, as far as that shows; what is seconds away needs no words. The slowest pace decides. */
function ExpectedEnd({ job, slowed }: Slowed) {
	const { now } = useView();
	const leftMs = (expectedEnd(job, now) ?? 0) - now;
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
	return job.status === 'processing' && job.waiting > 0 ? <Waiting job={job} slowed={slowed} /> : null;
}

const wait = (addresses: number): string => plural(addresses, 'address waits', 'addresses wait');

/** Why addresses wait. */
function Waiting({ job, slowed }: Slowed) {
	const { now } = useView();
	const { waiting, nextAttemptAt } = job;
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
