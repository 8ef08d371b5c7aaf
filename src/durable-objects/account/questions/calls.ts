import type {
	AdmitRequest,
	Admission,
	KeyedCall,
	SettleRequest,
	Settled,
} from '../../../operations/verify/port.ts';
import type { AccountContext } from '../context.ts';
import { admitRequest } from '../credits/admission.ts';
import { findCall, noteTaker } from '../credits/keyed-calls.ts';
import { settleReservation } from '../credits/reservations.ts';
import { countFreeAnswers, freeAnswersLeftOf } from './free-answers.ts';
import { trialOf } from './trial.ts';

/** Admits a request, and says whether it may put a question to a mail host. */
export function admit(account: AccountContext, request: AdmitRequest): Admission {
	const admission = admitRequest(account, request);
	if (admission.kind !== 'admitted' || request.reservation === null) return admission;
	const mayAsk = freeAnswersLeftOf(account, request.now) > 0;
	return { ...admission, mayAsk, ...trialOf(account) };
}

/** Lets a repeat do the work of a call, and counts what that may cost us. */
export function takeCall(
	account: AccountContext,
	{
		call,
		by,
		now,
	}: {
		call: KeyedCall;
		by: string;
		now: number;
	},
) {
	const earlier = findCall(account, { call, now });
	if (earlier === null) return null;
	// One that is answered needs no question.
	if (earlier.kind !== 'under_way' || freeAnswersLeftOf(account, now) === 0) return { mayAsk: false };
	if (noteTaker(account.sql, call.key, by)) countFreeAnswers(account.sql, 1, now);
	return { mayAsk: true };
}

/** Ends a reservation, and counts its answer if it was free. */
export function settle(account: AccountContext, request: SettleRequest): Settled {
	const { reservation, isFree = false, now } = request;
	const line = account.credits.findLine(reservation.at, reservation.id);
	const isFirst = line?.closedAt === null;
	const settled = settleReservation(account, request);
	if (isFirst && isFree) countFreeAnswers(account.sql, 1, now);
	return settled;
}
