import type { Address } from '../../core/address/parse-address.ts';
import { withAddress } from '../../core/verification/without-address.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Admissions, EarlierCall, KeyedCall, RememberedAnswer } from './port.ts';
import { verifyAddress } from './verify-address.ts';
import type { VerifyAddressRequest, VerifyAddressServices } from './verify-address.ts';

export interface VerifyOnceServices extends VerifyAddressServices {
	readonly accounts: (
		accountId: string,
	) => ReturnType<VerifyAddressServices['accounts']> & Pick<Admissions, 'findCall' | 'takeCall'>;
}

export interface VerifyOnceRequest extends Omit<VerifyAddressRequest, 'remember'> {
	readonly call: KeyedCall;
	readonly requestId: string;
	/** The earlier call under the key, by which there is no reservation for this one; null: none. */
	readonly earlier: EarlierCall | null;
}

export interface VerifiedOnce {
	readonly answer: RememberedAnswer;
	/** It is the answer to an earlier call. */
	readonly replayed: boolean;
}

// The network work of a call takes 15 s at most: whoever has given no answer by then has died.
const AT_WORK_MS = 20_000;
// An answer takes 30 s at most: so long is waited for another one's, and there is time left to find our own.
const WAIT_MAX_MS = 12_000;
const FIRST_PAUSE_MS = 100;
const PAUSE_MAX_MS = 1_000;

/**
 * Verifies an address once for all calls under an Idempotency-Key: the same answer, charged once. A call whose first one
 * is under way waits for its answer, and does the work itself, on the first one's reservation, if none comes: of two who
 * work side by side the one that settles first gives the answer of both.
 */
export async function verifyOnce(
	services: VerifyOnceServices,
	account: AccountRef,
	request: VerifyOnceRequest,
): Promise<VerifiedOnce> {
	const { earlier, call, requestId, ...own } = request;
	const remember = { key: call.key, requestId };
	if (earlier === null) return work(services, account, { ...own, remember });
	if (earlier.kind === 'under_way') {
		const { reservation } = earlier;
		const answered = await waitForAnswer(services, account, request, reservation.at);
		if (answered !== null) return answered;
		const taking = { call, by: own.reservation.id, now: services.clock.now() };
		const taken = await services.accounts(account.accountId).takeCall(taking);
		if (taken === null) throw firstFailed();
		return work(services, account, { ...own, ...taken, reservation, mail: null, remember });
	}
	return earlierAnswer(earlier, own.address);
}

async function work(
	services: VerifyOnceServices,
	account: AccountRef,
	request: VerifyAddressRequest & { readonly remember: { readonly requestId: string } },
): Promise<VerifiedOnce> {
	const { settled } = await verifyAddress(services, account, request);
	assert(settled.answer !== undefined, 'an answer under a key is remembered');
	const answer = answerTo(settled.answer, request.address);
	return { answer, replayed: answer.requestId !== request.remember.requestId };
}

/** Null: none came in time. */
async function waitForAnswer(
	{ accounts, clock }: VerifyOnceServices,
	{ accountId }: AccountRef,
	{ call, address }: VerifyOnceRequest,
	begunAt: number,
): Promise<VerifiedOnce | null> {
	const until = Math.min(begunAt + AT_WORK_MS, clock.now() + WAIT_MAX_MS);
	for (let pause = FIRST_PAUSE_MS; clock.now() < until; pause = Math.min(2 * pause, PAUSE_MAX_MS)) {
		await clock.sleep(pause);
		const earlier = await accounts(accountId).findCall({ call, now: clock.now() });
		if (earlier === null) throw firstFailed();
		if (earlier.kind !== 'under_way') return earlierAnswer(earlier, address);
	}
	return null;
}

function firstFailed(): ServiceError {
	return new ServiceError('upstream_unavailable', 'The first request under this Idempotency-Key failed');
}

function earlierAnswer(earlier: Exclude<EarlierCall, { kind: 'under_way' }>, address: Address): VerifiedOnce {
	if (earlier.kind === 'answered') return { answer: answerTo(earlier.answer, address), replayed: true };
	throw new ServiceError('idempotency_key_reused', 'This Idempotency-Key was used for another request');
}

/** The account keeps it without the address, which the same request has brought again. */
function answerTo(kept: RememberedAnswer, address: Address): RememberedAnswer {
	return { ...kept, result: withAddress(kept.result, address) };
}
