import { booksOf } from './walk.ts';
import type { AuditPlace, AuditStep } from './walk.ts';
import type { AccountPort } from '../../accounts/object-port.ts';
import { checkBooks, checkStretch } from '../../../core/audit/check-books.ts';
import { checkBlobs, checkJob } from '../../../core/audit/check-job.ts';
import { checkListed, checkPlaces, checkRows, checkStanding } from '../../../core/audit/check-listing.ts';
import { checkBought, checkPurchases } from '../../../core/audit/check-purchases.ts';
import type { Found } from '../../../core/audit/finding.ts';
import type { JobFacts, PurchaseFacts, StretchFacts } from '../../../core/audit/facts.ts';
import { isTestAccount, liveAccountOf, testAccountOf } from '../../../core/keys/api-key.ts';
import { grantIdOf, readPurchaseLine, refundIdOf } from '../../../core/payments/purchase.ts';
import type { Clock } from '../../../engine/ports.ts';
import { ServiceError } from '../../../errors.ts';
import { Slots } from '../../../lib/slots.ts';
import type { AccountRegister } from '../../accounts/directory-port.ts';
import type { AuditedBucket, AuditedListing } from '../port.ts';

/** The calls of an account's object that an audit makes. */
type AuditedAccount = Pick<
	AccountPort,
	'auditBooks' | 'auditLedger' | 'auditGrants' | 'auditJobs' | 'knownJobs'
>;

export interface AuditAccountServices {
	readonly clock: Clock;
	readonly accounts: (accountId: string) => AuditedAccount;
	readonly auditedListing: AuditedListing;
	readonly auditedBucket: AuditedBucket;
	readonly accountRegister: Pick<AccountRegister, 'enteredAt' | 'nextAccount'>;
}

const JOBS_A_STEP = 20;
const ROWS_A_STEP = 200;
// A Worker may hold six connections.
const LISTS_AT_ONCE = 4;

interface Subject {
	readonly accountId: string;
	readonly store: AuditedAccount;
	readonly after: string | null;
}

type Step = Omit<AuditStep, 'findings'> & { readonly findings: readonly Found[] };

/** One bounded step of an account's audit, and where to go on; behind a live account comes the one of its test keys. */
export async function auditAccountStep(
	services: AuditAccountServices,
	{ stage, accountId, after }: AuditPlace,
): Promise<AuditStep> {
	if (accountId === null) throw new ServiceError('account_not_found', 'There is no such account');
	const subject = { accountId, store: services.accounts(accountId), after };
	const { findings, ...step } = await answered(accountId, () => stepOf(services, subject, stage));
	return { ...step, findings: findings.map((found) => ({ ...found, accountId })) };
}

function stepOf(services: AuditAccountServices, subject: Subject, stage: AuditPlace['stage']): Promise<Step> {
	if (stage === 'ledger') return ledgerStep(services, subject);
	if (stage === 'jobs') return jobsStep(services, subject);
	if (stage === 'listing') return listingStep(services, subject);
	if (stage === 'purchases') return purchasesStep(services, subject);
	return booksStep(services, subject);
}

/** An account that can't be asked is a finding of its own, and the audit continues with the others. */
async function answered(accountId: string, work: () => Promise<Step>): Promise<Step> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ServiceError) || error.code !== 'upstream_unavailable') throw error;
		const says = 'The account does not answer: see `account_call_failed` in the log';
		return {
			findings: [{ what: 'no_answer', about: null, says }],
			looked: {},
			next: accountAfter(accountId),
		};
	}
}

function accountAfter(accountId: string): AuditPlace | null {
	return isTestAccount(accountId) ? null : booksOf(testAccountOf(accountId));
}

async function booksStep(services: AuditAccountServices, { accountId, store }: Subject): Promise<Step> {
	const { clock, accountRegister, auditedListing } = services;
	let opened = false;
	let places: readonly Found[] = [];
	const findings = await confirm(services, async () => {
		const facts = await store.auditBooks({ now: clock.now() });
		const listed = await auditedListing.findStanding(liveAccountOf(accountId));
		opened = facts !== null;
		if (facts === null) return isTestAccount(accountId) ? [] : checkStanding(facts, listed);
		if (!isTestAccount(accountId))
			places = checkPlaces(listed !== null, (await accountRegister.enteredAt(accountId)) !== null);
		return [...checkStanding(facts, listed), ...checkBooks(facts, clock.now())];
	});
	return {
		findings: [...places, ...findings],
		looked: opened ? { accounts: 1 } : {},
		next: opened ? { stage: 'ledger', accountId, after: null } : accountAfter(accountId),
	};
}

async function ledgerStep(
	services: AuditAccountServices,
	{ accountId, store, after }: Subject,
): Promise<Step> {
	const { clock, auditedListing: listing } = services;
	let stretch: StretchFacts = { lines: 0, wrong: [], orphans: [], bought: [], next: null };
	const findings = await confirm(services, async () => {
		stretch = await store.auditLedger({ after });
		const { bought } = stretch;
		const purchases = await listing.purchasesNamed(
			bought.map(({ id }) => readPurchaseLine(id)?.purchaseId ?? null).filter((id) => id !== null),
		);
		return [...checkStretch(stretch), ...checkBought(accountId, bought, purchases, clock.now())];
	});
	const { lines, next } = stretch;
	return {
		findings,
		looked: { lines },
		next:
			next === null ? { stage: 'jobs', accountId, after: null } : { stage: 'ledger', accountId, after: next },
	};
}

async function jobsStep(services: AuditAccountServices, { accountId, store, after }: Subject): Promise<Step> {
	const { clock, auditedListing: listing } = services;
	let jobs: readonly JobFacts[] = [];
	let blobs = 0;
	const findings = await confirm(services, async () => {
		const now = clock.now();
		jobs = await store.auditJobs({ after, most: JOBS_A_STEP, now });
		const [standing, rows] = await Promise.all([
			listing.findStanding(liveAccountOf(accountId)),
			listing.jobsListed(jobs.map(({ jobId }) => jobId)),
		]);
		// The names are listed after the facts were read, and each attempt is stored before it is settled: none may
		// be missing.
		const names = await namesOf(services, jobs);
		blobs = names.reduce((sum, each) => sum + each.length, 0);
		const isListed = standing !== null && standing.closedAt === null;
		return [
			...jobs.flatMap((job, at) => [...checkJob(job, now), ...checkBlobs(job, names[at] ?? [], now)]),
			...(isListed ? checkListed(accountId, jobs, rows, now) : []),
		];
	});
	const last = jobs.length < JOBS_A_STEP ? null : (jobs.at(-1)?.jobId ?? null);
	return {
		findings,
		looked: { jobs: jobs.length, blobs },
		next: { stage: last === null ? 'listing' : 'jobs', accountId, after: last },
	};
}

async function namesOf(
	{ auditedBucket }: AuditAccountServices,
	jobs: readonly JobFacts[],
): Promise<readonly (readonly string[])[]> {
	const slots = new Slots(LISTS_AT_ONCE);
	return Promise.all(
		jobs.map(({ jobId, purged }) =>
			slots.run(() => (purged ? auditedBucket.firstNamesOf(jobId) : auditedBucket.namesOf(jobId))),
		),
	);
}

async function listingStep(
	services: AuditAccountServices,
	{ accountId, store, after }: Subject,
): Promise<Step> {
	const { auditedListing: listing } = services;
	const rows = await listing.jobsOf(accountId, after, ROWS_A_STEP);
	const findings = await confirm(services, async () => {
		const standing = await listing.findStanding(liveAccountOf(accountId));
		const jobIds = rows.map(({ jobId }) => jobId);
		const isClosed = (standing?.closedAt ?? null) !== null;
		return checkRows(jobIds, await store.knownJobs({ jobIds }), isClosed);
	});
	const last = rows.length < ROWS_A_STEP ? null : (rows.at(-1)?.jobId ?? null);
	return {
		findings,
		looked: {},
		next: { stage: last === null ? 'purchases' : 'listing', accountId, after: last },
	};
}

async function purchasesStep(
	services: AuditAccountServices,
	{ accountId, store, after }: Subject,
): Promise<Step> {
	const { clock, auditedListing: listing } = services;
	let purchases: readonly PurchaseFacts[] = [];
	const findings = await confirm(services, async () => {
		purchases = await listing.purchasesOf(accountId, after, ROWS_A_STEP);
		// Afterwards: the credits come before the note that they were granted.
		const ids = purchases.flatMap(({ id }) => [grantIdOf(id), refundIdOf(id)]);
		return checkPurchases(purchases, await store.auditGrants({ ids }), clock.now());
	});
	const last = purchases.length < ROWS_A_STEP ? null : (purchases.at(-1)?.id ?? null);
	const next =
		last === null ? accountAfter(accountId) : ({ stage: 'purchases', accountId, after: last } as const);
	return { findings, looked: {}, next };
}

/** Longer than what lies between two stores in any call. */
const PAUSE_MS = 2_000;

/**
 * Keeps the differences that two looks find, with a pause in between: two stores are never read at one moment, and
 * work continues meanwhile.
 */
export async function confirm<T extends Found>(
	{ clock }: { readonly clock: Clock },
	look: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
	const first = await look();
	if (first.length === 0) return first;
	await clock.sleep(PAUSE_MS);
	const seen = new Set(first.map(keyOf));
	return (await look()).filter((found) => seen.has(keyOf(found)));
}

function keyOf({ what, about }: Found): string {
	return `${what} ${about ?? ''}`;
}
