import type { AccountPort } from '../accounts/object-port.ts';
import { JOB_KINDS } from '../../core/jobs/kinds/kinds.ts';
import { parseAddress } from '../../core/address/parse-address.ts';
import { layOut } from '../../core/jobs/pages.ts';
import type { Entry } from '../../core/jobs/part-rows.ts';
import { decodeRows, encodeRows, isDeferred, notAsked } from '../../core/jobs/stored-row.ts';
import type { FinalRow } from '../../core/jobs/stored-row.ts';
import { listFacts } from '../../engine/refusal.ts';
import { assert } from '../../lib/assert.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord, DoneList } from './port.ts';
import { summaryOf } from './steps/summaries.ts';
import { listDoneMail, mailableName } from '../../core/jobs/done-mail.ts';
import { mailOwner } from '../people/steps/mail-owner.ts';
import type { OwnerMailServices } from '../people/steps/mail-owner.ts';
import type { Services } from '../../services.ts';

export type CompleteJobServices = Pick<Services, 'clock' | 'accounts' | 'jobBlobs'>;

// A Worker may hold six connections.
const READ_AHEAD = 4;

interface CompleteJobRequest {
	readonly jobId: string;
}

/**
 * Writes the pages of a job whose rows are all final, then marks it as completed. A repetition writes the same pages
 * and changes nothing, so after a crash the next message or the account's alarm finishes the work.
 */
export async function completeJob(
	services: CompleteJobServices,
	account: AccountRef,
	request: CompleteJobRequest,
): Promise<void> {
	const { accountId } = account;
	const { jobId } = request;
	const jobs = services.accounts(accountId);
	const job = await jobs.findJob(jobId);
	if (job === null || job.status !== 'processing' || job.processed < job.accepted) return;
	const { jobBlobs } = services;
	const read = await partsOf(services, jobs, job);
	// Only of a job that was finished before anybody was asked about a part.
	if (read === null) return failJob(services, account, { jobId });
	const kind = JOB_KINDS[job.kind];
	const summary = summaryOf(services, account, job);
	const counts = await layOut({
		parts: read,
		total: job.accepted,
		rowsPerPass: kind.rowsPerPass,
		put: ({ list, page, rows }) => jobBlobs.putPage(jobId, list, page, rows),
		see: (row) => summary.see(row),
	});
	await summary.store();
	assert(
		counts.deliverable === job.counts.deliverable && counts.unknown === job.counts.unknown,
		'the results are what was charged for',
	);
	await jobs.completeJob({ jobId, now: services.clock.now() });
}

/**
 * The rows of a job's parts. A job that was finished early keeps only the rows settled by then, since later attempts
 * came too late; its open rows become `not_asked`. Null: its input is gone.
 */
async function partsOf(
	{ jobBlobs }: CompleteJobServices,
	jobs: Pick<AccountPort, 'attemptsOf'>,
	{ jobId, parts, finishedAt }: JobRecord,
): Promise<(() => AsyncGenerator<string>) | null> {
	if (finishedAt === null) {
		const attempts = await jobBlobs.lastAttempts(jobId, parts);
		return () => readParts(attempts, (part, attempt) => jobBlobs.readAttempt(jobId, part, attempt));
	}
	const attempts = await jobs.attemptsOf({ jobId });
	const unasked = attempts.indexOf(0);
	if (unasked >= 0 && (await jobBlobs.readPart(jobId, unasked)) === null) return null;
	return () =>
		readParts(attempts, (part, attempt) => readEnded(jobBlobs, { jobId, part, attempt }, finishedAt));
}

async function readEnded(
	jobBlobs: Services['jobBlobs'],
	{ jobId, part, attempt }: { readonly jobId: string; readonly part: number; readonly attempt: number },
	finishedAt: number,
): Promise<string | null> {
	if (attempt === 0) {
		const input = await jobBlobs.readPart(jobId, part);
		if (input === null) return null;
		const entries = JSON.parse(input) as readonly Entry[];
		return encodeRows(entries.map(([index, email]) => unansweredRow(index, email, finishedAt)));
	}
	const rows = await jobBlobs.readAttempt(jobId, part, attempt);
	if (rows === null) return null;
	return encodeRows(
		decodeRows(rows).map((row) => (isDeferred(row) ? unansweredRow(row[0], row[1], finishedAt) : row)),
	);
}

/** Dated by the job's end, so that a repetition writes the same pages. */
function unansweredRow(index: number, email: string, finishedAt: number): FinalRow {
	const parsed = parseAddress(email);
	assert(parsed.ok, 'an accepted address is well-formed');
	return notAsked(index, email, listFacts(parsed.address), finishedAt);
}

/** The rows of all parts, with a few reads ahead of the consumer. */
async function* readParts(
	attempts: readonly number[],
	read: (part: number, attempt: number) => Promise<string | null>,
): AsyncGenerator<string> {
	for (let first = 0; first < attempts.length; first += READ_AHEAD) {
		const some = attempts.slice(first, first + READ_AHEAD);
		const texts = await Promise.all(some.map((attempt, at) => read(first + at, attempt)));
		for (const [at, text] of texts.entries()) {
			assert(text !== null, `part ${first + at} has rows`);
			yield text;
		}
	}
}

/** Ends a job whose input is gone. Its reserved credits that were not charged are released. */
export async function failJob(
	services: CompleteJobServices,
	account: AccountRef,
	request: CompleteJobRequest,
): Promise<void> {
	const { jobId } = request;
	const jobs = services.accounts(account.accountId);
	const job = await jobs.findJob(jobId);
	if (job === null || job.status !== 'processing') return;
	await jobs.failJob({ jobId, now: services.clock.now(), error: "The job's input is gone" });
}

/** Tells the owner by mail that a list ended. Throws where the mail can't be sent. */
export async function tellDone(services: OwnerMailServices, request: DoneList): Promise<void> {
	const { accountId, job } = request;
	const { publicUrl } = services;
	const link = publicUrl === null ? null : new URL(`/dashboard/jobs/${job.jobId}`, publicUrl).href;
	const ended = { ...job, name: mailableName(job.name), failed: job.status === 'failed' };
	await mailOwner(services, accountId, listDoneMail(ended, link));
}
