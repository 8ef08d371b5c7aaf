import type { AuditStep, AuditPlace } from './walk.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { AccountPort } from '../../accounts/object-port.ts';
import { UPLOAD_TTL_MS } from '../../../core/upload/limits.ts';
import { liveAccountOf } from '../../../core/keys/api-key.ts';
import type { Finding } from '../../../core/audit/finding.ts';
import { findOrphans } from '../../jobs/remove-orphans.ts';
import type { FindOrphansServices } from '../../jobs/remove-orphans.ts';
import type { KeptJobs } from '../../jobs/job-blobs-port.ts';
import { auditAccountStep, confirm } from './account-step.ts';
import { booksOf } from './walk.ts';
import type { AuditAccountServices } from './account-step.ts';

export interface AuditServices
	extends Omit<AuditAccountServices, 'accounts'>, Pick<FindOrphansServices, 'directory'> {
	readonly accounts: (
		accountId: string,
	) => ReturnType<AuditAccountServices['accounts']> & Pick<AccountPort, 'claimsOf'>;
	readonly keptJobs: Pick<KeptJobs, 'list'>;
}

const ROWS_A_STEP = 200;
// Each takes up to two calls.
const KEPT_A_STEP = 10;
// By then the nightly run has removed what no account answers for.
const SWEPT_AFTER_MS = 2 * DAY_MS;
const OF_NOBODY_MAX = 20;

/** One bounded step of an audit of everything: all accounts, then what belongs to none. */
export async function auditStep(services: AuditServices, place: AuditPlace): Promise<AuditStep> {
	if (place.stage === 'accounts') {
		const accountId = await nextAccount(services, place.after);
		return { findings: [], looked: {}, next: accountId === null ? stage('rows') : booksOf(accountId) };
	}
	if (place.stage === 'rows') return rowsStep(services, place);
	if (place.stage === 'bucket') return bucketStep(services, place);
	if (place.stage === 'uploads') return uploadsStep(services, place);
	const step = await auditAccountStep(services, place);
	if (step.next !== null) return step;
	return { ...step, next: stage('accounts', liveAccountOf(place.accountId ?? '')) };
}

/** The next account that the database lists or the register has. */
async function nextAccount(
	{ auditedListing, accountRegister }: AuditServices,
	after: string | null,
): Promise<string | null> {
	const next = [await auditedListing.nextAccount(after), await accountRegister.nextAccount(after)];
	return next.filter((id) => id !== null).toSorted()[0] ?? null;
}

function stage(of: AuditPlace['stage'], after: string | null = null): AuditPlace {
	return { stage: of, accountId: null, after };
}

/** Rows of the database whose account is not listed. */
async function rowsStep(services: AuditServices, { after }: AuditPlace): Promise<AuditStep> {
	const { auditedListing: listing } = services;
	const rows = await listing.jobsAfter(after, ROWS_A_STEP);
	const findings = await confirm(services, async () => {
		const owners = [...new Set(rows.map(({ accountId }) => liveAccountOf(accountId)))];
		const listed = new Set(await listing.accountsListed(owners));
		const people = after === null ? await listing.accountsOfNobody(OF_NOBODY_MAX) : [];
		const purchases = after === null ? await listing.purchasesOfNobody(OF_NOBODY_MAX) : [];
		return [
			...rows
				.filter(({ accountId }) => !listed.has(liveAccountOf(accountId)))
				.map(({ jobId, accountId }): Finding => ({
					what: 'listed_unknown',
					accountId,
					about: jobId,
					says: 'The database lists the job, and not its account',
				})),
			...people.map((accountId): Finding => ({
				what: 'listed_unknown',
				accountId,
				about: null,
				says: 'A person has this account, which the database does not list',
			})),
			...purchases.map(({ id, accountId }): Finding => ({
				what: 'listed_unknown',
				accountId,
				about: id,
				says: 'The database lists the purchase, and not its account',
			})),
		];
	});
	const isEnd = rows.length < ROWS_A_STEP;
	return { findings, looked: {}, next: isEnd ? stage('bucket') : stage('rows', rows.at(-1)?.jobId ?? null) };
}

/** Blobs of jobs that no account answers for, and that the nightly run left. */
async function bucketStep(services: AuditServices, { after }: AuditPlace): Promise<AuditStep> {
	const { jobs, last, isEnd } = await services.keptJobs.list(after, KEPT_A_STEP);
	const swept = jobs.filter(({ keptSince }) => keptSince < services.clock.now() - SWEPT_AFTER_MS);
	const findings = await confirm(services, async () =>
		(await findOrphans(services, swept)).map(({ jobId, accountId }): Finding => ({
			what: 'blob_left',
			accountId,
			about: jobId,
			says: 'The bucket has blobs of the job, and no account answers for it',
		})),
	);
	return { findings, looked: { blobs: jobs.length }, next: isEnd ? stage('uploads') : stage('bucket', last) };
}

/** Uploads that the daily run should have removed. */
async function uploadsStep(services: AuditServices, { after }: AuditPlace): Promise<AuditStep> {
	const { clock, auditedBucket } = services;
	const { accountIds, next } = await auditedBucket.oldUploads(clock.now() - 2 * UPLOAD_TTL_MS, after);
	const findings = [...new Set(accountIds)].map((accountId): Finding => ({
		what: 'blob_left',
		accountId,
		about: null,
		says: 'The bucket has uploads that should have been removed a day ago',
	}));
	return { findings, looked: {}, next: next === null ? null : stage('uploads', next) };
}
