import { log } from '../../../lib/log.ts';
import type { JobStore } from '../../../operations/jobs/port.ts';
import type { AccountContext, CallsOf, RequestOf } from '../context.ts';
import { isAccountShut } from '../suspension.ts';
import type { AccountJobs } from './jobs.ts';
import type { Step } from './step.ts';

type Answer<M extends keyof JobStore> = Awaited<ReturnType<JobStore[M]>>;

/** Whether a method is a `step`, which also returns when the alarm has to ring, or only reads. */
type Kind<M extends keyof JobStore> = AccountJobs[M] extends (request: RequestOf<M>) => Step<Answer<M>>
	? 'step'
	: AccountJobs[M] extends (request: RequestOf<M>) => Answer<M>
		? 'read'
		: never;

const KINDS: { readonly [M in keyof JobStore]: Kind<M> } = {
	openJob: 'step',
	findJob: 'read',
	findAnswer: 'read',
	listJobs: 'read',
	tasksOf: 'read',
	claimPart: 'step',
	renewPart: 'step',
	settlePart: 'step',
	postponePart: 'step',
	finishJob: 'step',
	attemptsOf: 'read',
	deleteResults: 'step',
	completeJob: 'step',
	failJob: 'step',
	inspectJob: 'read',
	retryJob: 'step',
	claimsOf: 'read',
};

type Method = (request: { readonly jobId: string }) => unknown;

function callOf(method: keyof JobStore) {
	return ({ jobs, wakeBy }: AccountContext, request: unknown): unknown => {
		// Of reads, only some are about one job.
		const about = request as { readonly jobId: string };
		const answer = (jobs[method] as Method).call(jobs, about);
		if (KINDS[method] === 'read') return answer;
		const step = answer as Step<unknown>;
		if (step.wakeAt !== null) {
			jobs.wakeBy(about.jobId, step.wakeAt);
			wakeBy(step.wakeAt);
		}
		return step.answer;
	};
}

const calls = Object.fromEntries(
	Object.keys(KINDS).map((method) => [method, callOf(method as keyof JobStore)]),
) as CallsOf<JobStore>;

/**
 * Whoever's clock is further from the account's takes no part: what it wrote, its lease and when rows are due, would hold
 * the job up for as long as the clocks are apart.
 */
const CLOCKS_APART_MAX_MS = 3_600_000;

/** The calls of the account's object that are about jobs. */
export const jobCalls: CallsOf<JobStore> = {
	...calls,
	claimPart: (account, request) => {
		const apartMs = request.now - account.now();
		if (Math.abs(apartMs) <= CLOCKS_APART_MAX_MS) return calls.claimPart(account, request);
		log('clocks_apart', { jobId: request.jobId, part: request.part, apartMs }, 'warn');
		return { kind: 'held' };
	},
	openJob: (account, request) =>
		// A request that was let in before the account was shut. Jobs that end with it free credits, which must not pay for it.
		isAccountShut(account.sql)
			? { kind: 'insufficient_credits', available: 0 }
			: calls.openJob(account, request),
};
