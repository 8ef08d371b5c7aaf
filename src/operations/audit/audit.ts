import { isLiveAccount, isTestAccount, liveAccountOf } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountRef } from '../accounts/port.ts';
import { auditAccountStep } from './steps/account-step.ts';
import { booksOf, walk, FROM_THE_FIRST, AUDIT_STAGES } from './steps/walk.ts';
import type { AuditAccountServices } from './steps/account-step.ts';
import type { AuditPlace, Audited, Looked, Reach } from './steps/walk.ts';
import { auditStep } from './steps/audit-step.ts';
import type { AuditServices } from './steps/audit-step.ts';
import type { Flaw } from '../../core/audit/finding.ts';
import { Counter } from '../../core/metrics/metrics.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { log } from '../../lib/log.ts';

/** How far one call goes; the caller repeats it until nothing is left. */
const REACH = { steps: 40, ms: 5_000 };

/** Compares what the stores say of an account, and of the one of its test keys: some of it, and the rest by later calls. */
export async function auditAccount(
	services: AuditAccountServices,
	{ accountId }: AccountRef,
	stoppedAt: AuditPlace | null,
): Promise<Audited> {
	const place = stoppedAt ?? booksOf(accountId);
	const isOwn = liveAccountOf(place.accountId ?? '') === liveAccountOf(accountId);
	const isOurs = isOwn && (isLiveAccount(accountId) || isTestAccount(accountId));
	const audited = isOurs
		? await walk(services.clock, place, REACH, (at) => auditAccountStep(services, at))
		: null;
	const isNothing = audited === null || (audited.looked.accounts === 0 && audited.findings.length === 0);
	// It was never opened, and nothing says that it should be.
	if (audited === null || (stoppedAt === null && isNothing))
		throw new ServiceError('account_not_found', 'There is no such account');
	return audited;
}

/** Compares what the stores say of all accounts, and looks for what belongs to none: some of it, and the rest by later calls. */
export async function auditAll(services: AuditServices, stoppedAt: AuditPlace | null): Promise<Audited> {
	return walk(services.clock, stoppedAt ?? FROM_THE_FIRST, REACH, (at) => auditStep(services, at));
}

export interface AuditedSome extends Looked {
	/** How often each flaw was found. */
	readonly found: Partial<Readonly<Record<Flaw, number>>>;
	/** All accounts have had their turn, and the next run begins anew. */
	readonly isRound: boolean;
}

/**
 * The bounds of one run. A cron every ten minutes audits a hundred thousand accounts within a week
 * (test/unit/operations/audit/audit-rate.test.ts). A run's calls of the stores stay below `subrequests` in
 * wrangler.toml.
 */
const REACH_OF_RUN: Reach = { steps: 2_000, ms: 300_000 };

/**
 * Audits some of the accounts; the next run continues after them. A run that dies is repeated from its last place.
 * Each finding is a line in the log; the run returns their sums.
 */
export async function auditSome(
	services: AuditServices & { readonly metrics: Metrics },
	reach: Reach = REACH_OF_RUN,
): Promise<AuditedSome> {
	const { clock, auditedBucket } = services;
	const from = readPlace(await auditedBucket.readPlace());
	const keep = (place: AuditPlace | null): Promise<void> =>
		auditedBucket.keepPlace(place === null ? null : JSON.stringify(place));
	const found: Partial<Record<Flaw, number>> = {};
	const { looked, next } = await walk(clock, from, reach, async (place) => {
		const step = await auditStep(services, place).catch(async (error: unknown) => {
			// So that the next run is not ended by the same account.
			await keep(skip(place));
			throw error;
		});
		for (const finding of step.findings) {
			log('audit_found', { ...finding });
			found[finding.what] = (found[finding.what] ?? 0) + 1;
		}
		return step;
	});
	await keep(next);
	noteFindings(services.metrics, found);
	return { ...looked, found, isRound: next === null };
}

/** The most frequent ones: each point costs. */
function noteFindings(metrics: Metrics, found: AuditedSome['found']): void {
	const counter = new Counter();
	for (const [flaw, count] of Object.entries(found)) counter.add(flaw, count);
	for (const [flaw, count] of counter.largest(20, 'other')) metrics.note('audit_finding', { flaw, count });
}

/** The place behind the account of a place. */
function skip({ stage, accountId, after }: AuditPlace): AuditPlace {
	if (accountId === null) return { stage, accountId, after };
	return { stage: 'accounts', accountId: null, after: liveAccountOf(accountId) };
}

/** From the beginning, where nothing was kept or another version kept it. */
function readPlace(kept: string | null): AuditPlace {
	if (kept === null) return FROM_THE_FIRST;
	try {
		const place = JSON.parse(kept) as AuditPlace;
		return AUDIT_STAGES.includes(place.stage) ? place : FROM_THE_FIRST;
	} catch {
		return FROM_THE_FIRST;
	}
}
