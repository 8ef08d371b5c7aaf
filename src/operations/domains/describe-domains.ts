import { priceOfDomains } from '../../core/credits/price.ts';
import { secondsToNextDay } from '../../lib/time.ts';
import type { DomainReport } from '../../engine/describe-domains.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../services.ts';
import type { AccountsFor } from '../accounts/object-port.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { EarlierCall, Hold, KeyedCall, RememberedAnswer, ReservationRef } from '../verify/port.ts';
import { waitForEarlier } from '../verify/verify-address.ts';

/** The most domains of a call. */
export const DOMAINS_MAX = 1_000;

/** The ids of reservations for look-ups of domains begin so. */
export const DOMAINS_ID_PREFIX = 'dom';

export interface DescribeDomainsServices extends Pick<Services, 'clock' | 'describeDomains'> {
	readonly accounts: AccountsFor<'settle' | 'findCall' | 'takeCall'>;
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
	/** The earlier call under the key, by which there is no reservation for this one; null: none. */
	readonly earlier: EarlierCall | null;
}

interface DescribedDomains {
	readonly answer: RememberedAnswer<readonly DomainReport[]>;
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
	const { names, requestId, call, earlier, hold } = request;
	const till = services.accounts(account.accountId);
	let { reservation, mayAsk } = request;
	if (call !== null && earlier !== null) {
		const found = await waitForEarlier(till, clock, { call, earlier, by: reservation.id });
		if ('result' in found) return { answer: asDescribed(found), replayed: true };
		({ reservation, mayAsk } = found);
	}
	const held = hold === undefined ? {} : { hold };
	let reports: readonly DomainReport[];
	try {
		if (!mayAsk) throw tooManyFree(clock.now());
		reports = await services.describeDomains(names);
	} catch (error) {
		await till.settle({ reservation, ...held, outcome: 'failed', now: clock.now() });
		throw error;
	}
	const isTold = reports.some(({ exists }) => exists !== null);
	const { charged, balance, answer } = await till.settle({
		reservation,
		...held,
		outcome: isTold ? 'described' : 'failed',
		free: isTold ? 0 : priceOfDomains(names.length),
		now: clock.now(),
		...(call === null ? {} : { remember: { key: call.key, requestId, result: reports } }),
	});
	if (answer !== undefined) return { answer: asDescribed(answer), replayed: answer.requestId !== requestId };
	const remaining = balance.availableCredits;
	return { answer: { result: reports, requestId, charged, remaining }, replayed: false };
}

/** The fingerprint of the key is that of such a call, so its answer is one. */
function asDescribed({ result, ...answer }: RememberedAnswer): DescribedDomains['answer'] {
	return { ...answer, result: result as unknown as readonly DomainReport[] };
}

function tooManyFree(now: number): ServiceError {
	const retryAfterSeconds = secondsToNextDay(now);
	return new ServiceError('rate_limited', 'Developer API rate limit exceeded', { retryAfterSeconds });
}
