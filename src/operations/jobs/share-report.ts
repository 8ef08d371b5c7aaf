import type { Report } from '../../core/jobs/report/report.ts';
import { equalInConstantTime } from '../../lib/digest.ts';
import { toBase64Url } from '../../lib/encodings.ts';
import type { Services } from '../../services.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { JobRecord } from './port.ts';
import { readReport } from './read-job.ts';
import { requireResults } from './steps/stored-results.ts';
import type { ListedRowsServices } from './steps/stored-results.ts';

/** The secret that opens the figures of a list to anybody, until its owner revokes it or the results expire. */
interface Share {
	readonly accountId: string;
	/** The end of the link. It lies beside the results, which say more than the figures. */
	readonly secret: string;
}

const SECRET_OCTETS = 20;
// The stored text after the owner revoked the link.
const NONE = 'null';

/** The end of the link to a list's figures. Null: the list is not shared. */
export async function findShare(
	{ jobBlobs }: Pick<Services, 'jobBlobs'>,
	{ job }: { readonly job: Pick<JobRecord, 'jobId'> },
): Promise<string | null> {
	return (await readShare(jobBlobs, job.jobId))?.secret ?? null;
}

/** Makes a link to the figures of a list with results, or leaves the one that there is. Throws as `readResults` does. */
export async function shareReport(
	services: Pick<Services, 'clock' | 'jobBlobs' | 'secureRandom'>,
	{ accountId }: AccountRef,
	{ job }: { readonly job: JobRecord },
): Promise<void> {
	requireResults(job, services.clock.now());
	if ((await readShare(services.jobBlobs, job.jobId)) !== null) return;
	const share: Share = { accountId, secret: toBase64Url(services.secureRandom(SECRET_OCTETS)) };
	await services.jobBlobs.putSummary(job.jobId, 'share', JSON.stringify(share));
}

/** Revokes the link to a list's figures, at once and for good: the next one is another. */
export async function revokeShare(
	{ jobBlobs }: Pick<Services, 'jobBlobs'>,
	{ job }: { readonly job: Pick<JobRecord, 'jobId'> },
): Promise<void> {
	if ((await readShare(jobBlobs, job.jobId)) !== null) await jobBlobs.putSummary(job.jobId, 'share', NONE);
}

/** The list that a link opens, and its figures. Null: the link is wrong or revoked, or the results are gone. */
export async function openShare(
	services: ListedRowsServices,
	{ jobId, secret }: { readonly jobId: string; readonly secret: string },
): Promise<{ readonly job: JobRecord; readonly report: Report } | null> {
	const share = await readShare(services.jobBlobs, jobId);
	if (share === null || !equalInConstantTime(share.secret, secret)) return null;
	const job = await services.accounts(share.accountId).findJob(jobId);
	if (job === null || job.status !== 'completed') return null;
	if ((job.resultsExpiresAt ?? 0) <= services.clock.now()) return null;
	return { job, report: await readReport(services, share, { job }) };
}

async function readShare(jobBlobs: Services['jobBlobs'], jobId: string): Promise<Share | null> {
	const text = await jobBlobs.readSummary(jobId, 'share');
	return text === null ? null : (JSON.parse(text) as Share | null);
}
