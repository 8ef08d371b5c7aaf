import type { Flaw } from '../../core/audit/finding.ts';
import { liveAccountOf } from '../../core/keys/api-key.ts';
import { Counter } from '../../core/metrics/metrics.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { log } from '../../lib/log.ts';
import { auditStep } from './steps/audit-step.ts';
import type { AuditServices, Looked } from './steps/audit-step.ts';
import { AUDIT_STAGES, FROM_THE_FIRST } from './steps/account-step.ts';
import type { AuditPlace } from './steps/account-step.ts';
import { walk } from './steps/walk.ts';
import type { Reach } from './steps/walk.ts';

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
const REACH: Reach = { steps: 2_000, ms: 300_000 };

/**
 * Audits some of the accounts; the next run continues after them. A run that dies is repeated from its last place.
 * Each finding is a line in the log; the run returns their sums.
 */
export async function auditSome(
	services: AuditServices & { readonly metrics: Metrics },
	request: Reach = REACH,
): Promise<AuditedSome> {
	const { clock, auditedBucket } = services;
	const from = readPlace(await auditedBucket.readPlace());
	const keep = (place: AuditPlace | null): Promise<void> =>
		auditedBucket.keepPlace(place === null ? null : JSON.stringify(place));
	const found: Partial<Record<Flaw, number>> = {};
	const { looked, next } = await walk(clock, from, request, async (place) => {
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
