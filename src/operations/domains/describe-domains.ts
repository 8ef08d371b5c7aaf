import { priceOfDomains } from '../../core/credits/price.ts';
import { secondsToNextDay } from '../../lib/time.ts';
import type { DomainReport } from '../../engine/describe-domains.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../services.ts';
import type { AccountsFor } from '../accounts/object-port.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Hold, KeptAnswer, KeyedCall, ReservationRef } from '../verify/port.ts';
import { openRepeated, sealAnswer } from '../verify/remembered.ts';

/** The most domains of a call. */
export const DOMAINS_MAX = 1_000;

/** The ids of reservations for look-ups of domains begin so. */
export const DOMAINS_ID_PREFIX = 'dom';

export interface DescribeDomainsServices extends Pick<
	Services,
	'clock' | 'describeDomains' | 'secureRandom' | 'signing' | 'signingSecrets'
> {
	readonly accounts: AccountsFor<'settle'>;
}

export interface DescribeDomainsRequest {
	readonly reservation: ReservationRef;
	/** As the admission told it; left out: there is nothing to settle. */
	readonly hold?: Hold;
	readonly names: readonly string[];
	readonly requestId: string;
	/** False: too many of the account's answers were free today. */
	readonly mayAsk: boolean;
	/** The answer is remembered under this key; null: it is not. */
	readonly call: KeyedCall | null;
	/** The answer to an earlier call under the key, by which there is no reservation; null: none. */
	readonly answered: KeptAnswer | null;
}

interface DescribedDomains {
	readonly answer: Omit<KeptAnswer, 'sealed'> & { readonly result: readonly DomainReport[] };
	/** It is the answer to an earlier call. */
	readonly replayed: boolean;
}

/**
 * Describes domains against a reservation, which is released if DNS answered about none of them. As with a verification,
 * the account holds the credits of a call that died for five minutes, and all calls under an Idempotency-Key have one
 * answer, which is charged once.
 */
export async function describeDomains(
	services: DescribeDomainsServices,
	account: AccountRef,
	request: DescribeDomainsRequest,
): Promise<DescribedDomains> {
	const { clock } = services;
	const { reservation, names, requestId, call, answered, hold, mayAsk } = request;
	if (answered !== null) return { answer: await answerOf(services, names, answered), replayed: true };
	const till = services.accounts(account.accountId);
	const held = hold === undefined ? {} : { hold };
	let reports: readonly DomainReport[];
	try {
		if (!mayAsk) throw tooManyFree(clock.now());
		reports = await services.describeDomains(names);
	} catch (error) {
		const failed = call === null ? {} : { call: { key: call.key, answer: null } };
		await till.settle({ reservation, ...held, outcome: 'failed', now: clock.now(), ...failed });
		throw error;
	}
	const isTold = reports.some(({ exists }) => exists !== null);
	const sealed = call === null ? '' : await sealAnswer(services, names.join(' '), reports);
	const { charged, balance, answer } = await till.settle({
		reservation,
		...held,
		outcome: isTold ? 'described' : 'failed',
		free: isTold ? 0 : priceOfDomains(names.length),
		now: clock.now(),
		...(call === null ? {} : { call: { key: call.key, answer: { requestId, sealed } } }),
	});
	if (answer !== null && answer.requestId !== requestId)
		return { answer: await answerOf(services, names, answer), replayed: true };
	const remaining = balance.availableCredits;
	return { answer: { result: reports, requestId, charged, remaining }, replayed: false };
}

/** The answer that is kept under the key of the call. */
async function answerOf(
	services: DescribeDomainsServices,
	names: readonly string[],
	{ sealed, ...paid }: KeptAnswer,
): Promise<DescribedDomains['answer']> {
	const result = await openRepeated<readonly DomainReport[]>(services, names.join(' '), { sealed });
	return { result, ...paid };
}

function tooManyFree(now: number): ServiceError {
	const retryAfterSeconds = secondsToNextDay(now);
	return new ServiceError('rate_limited', 'Developer API rate limit exceeded', { retryAfterSeconds });
}
