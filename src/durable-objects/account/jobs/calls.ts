import { log } from '../../../lib/log.ts';
import { textOf } from '../../sql.ts';
import type { AccountContext, RequestOf } from '../context.ts';
import { countFreeAnswersOfPart, forgetFreeAnswersOf, freeAnswersLeftOf } from '../questions/free-answers.ts';
import { postponeTurn } from '../questions/parts-at-work.ts';
import { isAccountShut } from '../suspension.ts';

// The calls about jobs that concern more of the account than its jobs, each in one transaction.

/**
 * A consumer whose clock is further from the account's takes no part: what it wrote, its lease and when rows are due, would
 * hold the job up for as long as the clocks are apart.
 */
const CLOCKS_APART_MAX_MS = 3_600_000;

export function openJob({ sql, jobs }: AccountContext, request: RequestOf<'openJob'>) {
	// A request that was let in before the account was shut. Jobs that end with it free credits, which must not pay for it.
	if (isAccountShut(sql)) return { kind: 'insufficient_credits', available: 0 } as const;
	return jobs.openJob(request);
}

export function claimPart(account: AccountContext, request: RequestOf<'claimPart'>) {
	const apartMs = request.now - account.now();
	if (Math.abs(apartMs) > CLOCKS_APART_MAX_MS) {
		log('clocks_apart', { jobId: request.jobId, part: request.part, apartMs }, 'warn');
		return { kind: 'held' } as const;
	}
	const claim = account.jobs.claimPart(request);
	if (claim.kind !== 'claimed') return claim;
	if (!account.partsAtWork.begin({ ...request, isSmall: claim.isSmall })) {
		postponeTurn(account, request);
		return { kind: 'held' } as const;
	}
	return { ...claim, freeAnswersLeft: freeAnswersLeftOf(account, request.now) };
}

export function renewPart({ jobs, partsAtWork }: AccountContext, request: RequestOf<'renewPart'>) {
	const isHeld = jobs.renewPart(request);
	if (isHeld) partsAtWork.goOn(request);
	return isHeld;
}

export function settlePart({ sql, jobs, partsAtWork }: AccountContext, request: RequestOf<'settlePart'>) {
	const settled = jobs.settlePart(request);
	const { jobId, part, tally, now } = request;
	if (!settled.held) partsAtWork.end(request);
	if (settled.job.status === 'processing' && tally.free !== undefined)
		countFreeAnswersOfPart(sql, { jobId, part, answers: tally.free, now });
	return settled;
}

export function postponePart({ jobs, partsAtWork }: AccountContext, request: RequestOf<'postponePart'>) {
	const isPostponed = jobs.postponePart(request);
	if (isPostponed) partsAtWork.end(request);
	return isPostponed;
}

export function completeJob({ sql, jobs }: AccountContext, request: RequestOf<'completeJob'>) {
	forgetFreeAnswersOf(sql, request.jobId);
	return jobs.completeJob(request);
}

export function failJob({ sql, jobs }: AccountContext, request: RequestOf<'failJob'>) {
	forgetFreeAnswersOf(sql, request.jobId);
	return jobs.failJob(request);
}

/** The names of the account's jobs; those without one are left out. */
export function jobNames(
	{ sql, credits }: AccountContext,
	{ jobIds }: RequestOf<'jobNames'>,
): Readonly<Record<string, string>> {
	if (!credits.exists || jobIds.length === 0) return {};
	const rows = sql.rows(
		'SELECT job_id, name FROM jobs WHERE name IS NOT NULL AND job_id IN (SELECT value FROM json_each(?))',
		JSON.stringify(jobIds),
	);
	return Object.fromEntries(rows.map((row) => [textOf(row, 'job_id'), textOf(row, 'name')]));
}
