import { priceOfDomains } from '../../core/credits/price.ts';
import type { DomainReport } from '../../engine/describe-domains.ts';
import { errorOf } from '../../errors.ts';
import { secondsToNextDay } from '../../lib/time.ts';
import type { Services } from '../../services.ts';
import type { AccountRef } from '../accounts/port.ts';
import { answerCall } from '../verify/answer-call.ts';
import type { AdmittedCall, AnswerServices, SettledCall } from '../verify/answer-call.ts';

/** The most domains of a call. */
export const DOMAINS_MAX = 1_000;
/** The ids of reservations for look-ups of domains begin so. */
export const DOMAINS_ID_PREFIX = 'dom';

/** Describes domains against a reservation, which is released if DNS answered about none of them. */
export async function describeDomains(
	services: AnswerServices & Pick<Services, 'describeDomains'>,
	account: AccountRef,
	call: AdmittedCall & { readonly names: readonly string[] },
): Promise<SettledCall<{ readonly results: readonly DomainReport[] }>> {
	const { names, mayAsk = true } = call;
	return answerCall(services, account, call, names.join(' '), async () => {
		if (!mayAsk) throw errorOf('rate_limited', { retryAfterSeconds: secondsToNextDay(services.clock.now()) });
		const results = await services.describeDomains(names);
		const isTold = results.some(({ exists }) => exists !== null);
		const free = isTold ? 0 : priceOfDomains(names.length);
		return { found: { results }, outcome: isTold ? 'described' : 'failed', free };
	});
}
