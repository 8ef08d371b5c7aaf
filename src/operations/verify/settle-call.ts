import { hmacSha256 } from '../../lib/digest.ts';
import { seal, SEAL_OCTETS, unsealWithAny } from '../../lib/seal.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import type { Services } from '../../services.ts';
import type { AccountRef, AccountsFor } from '../accounts/port.ts';
import type { Hold, KeptAnswer, KeyedCall, ReservationRef, Settled, SettleRequest } from './port.ts';

// The end of a call that one reservation pays for. All calls under a key have one answer, which is charged once: of two that
// work on one reservation, the one that settles first gives the answer of both.
//
// Answers under a key hold addresses, and a database forgets late: deleted rows stay in its unused pages, and in what the
// platform keeps for recovery. So an account keeps them sealed, under a secret of ours and under what was asked, which it
// does not keep. A caller that repeats its call brings that along.

export interface SettleServices extends Pick<
	Services,
	'clock' | 'secureRandom' | 'signing' | 'signingSecrets'
> {
	readonly accounts: AccountsFor<'settle'>;
}

/** A call as its account admitted it. */
export interface AdmittedCall {
	readonly reservation: ReservationRef;
	/** Left out: there is nothing to settle. */
	readonly hold?: Hold;
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

/** Settles a call by its answer, and keeps that where the call has a key. `opener`: the text that opens it again. */
export async function settleCall<T extends object>(
	services: SettleServices,
	account: AccountRef,
	admitted: AdmittedCall,
	{ opener, found, ...by }: Pick<SettleRequest, 'outcome' | 'free'> & { opener: string; found: T },
): Promise<SettledCall<T>> {
	const { requestId, call = null } = admitted;
	const keep = call === null ? null : { requestId, sealed: await sealAnswer(services, opener, found) };
	const { charged, balance, answer } = await settle(services, account, admitted, { ...by, keep });
	// Another Worker at the same call may have been faster.
	if (answer !== null && answer.requestId !== requestId) return replay(services, opener, answer);
	return { answer: { ...found, requestId, charged, remaining: balance.availableCredits }, replayed: false };
}

/** Releases what a call set aside that failed by our fault. */
export async function failCall(
	services: Pick<SettleServices, 'clock' | 'accounts'>,
	account: AccountRef,
	admitted: AdmittedCall,
): Promise<void> {
	await settle(services, account, admitted, { outcome: 'failed', keep: null });
}

function settle(
	{ clock, accounts }: Pick<SettleServices, 'clock' | 'accounts'>,
	{ accountId }: AccountRef,
	{ reservation, hold, calledAt, call = null }: AdmittedCall,
	{
		keep,
		...by
	}: Pick<SettleRequest, 'outcome' | 'free'> & { keep: Pick<KeptAnswer, 'sealed' | 'requestId'> | null },
): Promise<Settled> {
	return accounts(accountId).settle({
		reservation,
		...(hold === undefined ? {} : { hold }),
		now: clock.now(),
		...(call === null ? {} : { call: { key: call.key, calledAt, answer: keep } }),
		...by,
	});
}

/** The answer to a repeated call. Throws `ServiceError` where all secrets that could open it are gone. */
export async function replay<T extends object>(
	services: Pick<Services, 'signingSecrets'>,
	opener: string,
	kept: KeptAnswer,
): Promise<SettledCall<T>> {
	const answer = await openAnswer<T>(services, opener, kept);
	if (answer !== null) return { answer, replayed: true };
	throw new ServiceError(
		'upstream_unavailable',
		'The answer under this Idempotency-Key cannot be read any more',
	);
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
