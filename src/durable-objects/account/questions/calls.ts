import type { JobStore } from '../../../operations/jobs/port.ts';
import type { Admission, Admissions } from '../../../operations/verify/port.ts';
import type { CallsOf } from '../context.ts';
import { admitRequest } from '../credits/admission.ts';
import { findCall, noteTaker } from '../credits/keyed-calls.ts';
import { settleReservation } from '../credits/reservations.ts';
import { jobCalls } from '../jobs/calls.ts';
import {
	countFreeAnswers,
	countFreeAnswersOfPart,
	forgetFreeAnswersOf,
	freeAnswersLeftOf,
} from './free-answers.ts';
import { postponeTurn } from './parts-at-work.ts';

type Counted = Pick<
	JobStore,
	'claimPart' | 'renewPart' | 'settlePart' | 'postponePart' | 'completeJob' | 'failJob'
>;

/** The calls of jobs that count consumers and free answers, each in the transaction of what it is about. */
export const countedJobCalls: CallsOf<Counted> = {
	claimPart: (account, request) => {
		const claim = jobCalls.claimPart(account, request);
		if (claim.kind !== 'claimed') return claim;
		if (!account.partsAtWork.begin({ ...request, isSmall: claim.isSmall })) {
			postponeTurn(account, request);
			return { kind: 'held' };
		}
		return { ...claim, freeAnswersLeft: freeAnswersLeftOf(account, request.now) };
	},
	settlePart: (account, request) => {
		const settled = jobCalls.settlePart(account, request);
		const { jobId, part, tally, now } = request;
		if (!settled.held) account.partsAtWork.end(request);
		if (settled.job.status === 'processing' && tally.free !== undefined)
			countFreeAnswersOfPart(account.sql, { jobId, part, answers: tally.free, now });
		return settled;
	},
	renewPart: (account, request) => {
		const isHeld = jobCalls.renewPart(account, request);
		if (isHeld) account.partsAtWork.goOn(request);
		return isHeld;
	},
	postponePart: (account, request) => {
		const isPostponed = jobCalls.postponePart(account, request);
		if (isPostponed) account.partsAtWork.end(request);
		return isPostponed;
	},
	completeJob: (account, request) => {
		forgetFreeAnswersOf(account.sql, request.jobId);
		return jobCalls.completeJob(account, request);
	},
	failJob: (account, request) => {
		forgetFreeAnswersOf(account.sql, request.jobId);
		return jobCalls.failJob(account, request);
	},
};

/** Admits a request, and says whether it may put a question to a mail host. */
export const admitCounted: CallsOf<Admissions>['admit'] = (account, request): Admission => {
	const admission = admitRequest(account, request);
	if (admission.kind !== 'admitted' || request.reservation === null) return admission;
	return { ...admission, mayAsk: freeAnswersLeftOf(account, request.now) > 0 };
};

/** Lets a repeat do the work of a call, and counts what that may cost us. */
export const takeCounted: CallsOf<Admissions>['takeCall'] = (account, { call, by, now }) => {
	const earlier = findCall(account, { call, now });
	if (earlier === null) return null;
	// One that is answered needs no question.
	if (earlier.kind !== 'under_way' || freeAnswersLeftOf(account, now) === 0) return { mayAsk: false };
	if (noteTaker(account.sql, call.key, by)) countFreeAnswers(account.sql, 1, now);
	return { mayAsk: true };
};

/** Ends a reservation, and counts its answer if it was free. */
export const settleCounted: CallsOf<Admissions>['settle'] = (account, request) => {
	const { reservation, isFree = false, now } = request;
	const line = account.credits.findLine(reservation.at, reservation.id);
	const isFirst = line?.closedAt === null;
	const settled = settleReservation(account, request);
	if (isFirst && isFree) countFreeAnswers(account.sql, 1, now);
	return settled;
};
