import { hmacSha256 } from '../../lib/digest.ts';
import { seal, SEAL_OCTETS, unsealWithAny } from '../../lib/seal.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import type { Services } from '../../services.ts';
import type { AccountRef, AccountsFor } from '../accounts/port.ts';
import type { Admitted, KeptAnswer, KeyedCall, ReservationRef, Settled, SettleRequest } from './port.ts';

// The end of a call that one reservation pays for. All calls under a key have one answer, which is charged once: of two that
// work on one reservation, the one that settles first gives the answer of both.
//
// Answers under a key hold addresses, and a database forgets late: deleted rows stay in its unused pages, and in what the
// platform keeps for recovery. So an account keeps them sealed, under a secret of ours and under what was asked, which it
// does not keep. A caller that repeats its call brings that along.

export type AnswerServices = Pick<Services, 'clock' | 'secureRandom' | 'signing' | 'signingSecrets'> & {
	readonly accounts: AccountsFor<'settle'>;
};

/** A call as its account admitted it. */
export interface AdmittedCall extends Pick<Admitted, 'hold' | 'mayAsk'> {
	readonly reservation: ReservationRef;
	/** Epoch ms. The reservation may be that of an earlier call. */
	readonly calledAt: number;
	readonly requestId: string;
	/** The answer is kept under this key. Null or left out: it is not. */
	readonly call?: KeyedCall | null;
	/** The answer to an earlier call under the key, by which there is no reservation; null or left out: none. */
	readonly answered?: KeptAnswer | null;
}

/** An answer, and what was charged for it. */
export type Paid<T> = T & Omit<KeptAnswer, 'sealed'>;

/** `replayed`: it is the answer to an earlier call. */
export interface SettledCall<T> {
	readonly answer: Paid<T>;
	readonly replayed: boolean;
}

/**
 * Answers a call once: as before where it was answered, else by its work. If that fails, by our fault, what the call set
 * aside is released. Throws `ServiceError` where all secrets that could open a kept answer are gone.
 *
 * @param opener the text that opens the kept answer
 * @param work what it found, and what it is settled by
 */
export async function answerCall<T extends object>(
	services: AnswerServices,
	{ accountId }: AccountRef,
	{ reservation, hold, calledAt, requestId, call = null, answered = null }: AdmittedCall,
	opener: string,
	work: () => Promise<Pick<SettleRequest, 'outcome' | 'free'> & { readonly found: T }>,
): Promise<SettledCall<T>> {
	const replay = async (kept: KeptAnswer): Promise<SettledCall<T>> => {
		const answer = await openAnswer<T>(services, opener, kept);
		if (answer !== null) return { answer, replayed: true };
		const text = 'The answer under this Idempotency-Key cannot be read any more';
		throw new ServiceError('upstream_unavailable', text);
	};
	const settle = async (
		by: Pick<SettleRequest, 'outcome' | 'free'>,
		answer: Pick<KeptAnswer, 'sealed' | 'requestId'> | null,
	): Promise<Settled> => {
		const keyed = call === null ? {} : { call: { key: call.key, calledAt, answer } };
		const now = services.clock.now();
		return services.accounts(accountId).settle({ reservation, hold, now, ...keyed, ...by });
	};
	if (answered !== null) return replay(answered);
	const { found, ...by } = await work().catch(async (error: unknown) => {
		await settle({ outcome: 'failed' }, null);
		throw error;
	});
	const kept = call === null ? null : { requestId, sealed: await sealAnswer(services, opener, found) };
	const { charged, balance, answer } = await settle(by, kept);
	// Another Worker at the same call may have been faster.
	if (answer !== null && answer.requestId !== requestId) return replay(answer);
	return { answer: { ...found, requestId, charged, remaining: balance.availableCredits }, replayed: false };
}

async function sealAnswer(
	{ signing, secureRandom }: Pick<Services, 'signing' | 'secureRandom'>,
	opener: string,
	answer: object,
): Promise<string> {
	assert(signing !== null, 'the key of the call was signed');
	return seal(keyOf(signing.secret, opener), JSON.stringify(answer), secureRandom(SEAL_OCTETS));
}

/** Opens an answer. The secret that sealed it may have been rotated since. Null: none of ours opens it any more. */
export async function openAnswer<T extends object>(
	{ signingSecrets }: Pick<Services, 'signingSecrets'>,
	opener: string,
	{ sealed, ...paid }: KeptAnswer,
): Promise<Paid<T> | null> {
	const keys = signingSecrets.map(({ secret }) => keyOf(secret, opener));
	const text = await unsealWithAny(keys, sealed);
	return text === null ? null : { ...(JSON.parse(text) as T), ...paid };
}

function keyOf(secret: Uint8Array, opener: string): Uint8Array {
	return hmacSha256(secret, `answer ${opener}`);
}
