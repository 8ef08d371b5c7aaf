import { isFreeAnswer } from '../../core/credits/free-answers.ts';
import type { Examined } from '../../engine/examined.ts';
import type { Address } from '../../core/address/parse-address.ts';
import type { Asker } from '../../core/politeness/mail-host.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Admissions, ReservationRef, Settled } from './port.ts';
import type { ExamineOptions } from '../../engine/examine-address.ts';
import type { LookedUpMail } from '../../engine/look-up-mail.ts';
import type { Clock } from '../../engine/ports.ts';

export interface VerifyServices {
	readonly clock: Clock;
	readonly examine: (address: Address, asker: Asker, options?: ExamineOptions) => Promise<Examined>;
}

export interface VerifyAddressServices extends VerifyServices {
	readonly accounts: (accountId: string) => Pick<Admissions, 'settle'>;
}

export interface VerifyAddressRequest {
	readonly reservation: ReservationRef;
	readonly address: Address;
	/** What was looked up while the account was asked; null: nothing. */
	readonly mail: Promise<LookedUpMail> | null;
	/** False: too many of the account's answers were free today. */
	readonly mayAsk?: boolean;
}

/**
 * Verifies one address against a reservation. A definite answer is charged, an `unknown` refunded, and after a failure
 * of ours the credit is released. A crash leaves a reservation that the account releases by itself.
 */
export async function verifyAddress(
	services: VerifyAddressServices,
	account: AccountRef,
	request: VerifyAddressRequest,
): Promise<Examined & { settled: Settled }> {
	const { accountId } = account;
	const { reservation, address, mail, mayAsk = true } = request;
	const till = services.accounts(accountId);
	let examined: Examined;
	try {
		examined = await services.examine(address, accountId, { mail, mayAsk });
	} catch (error) {
		await till.settle({ reservation, outcome: 'failed', now: services.clock.now() });
		throw error;
	}
	const settled = await till.settle({
		reservation,
		outcome: examined.result.status,
		isFree: isFreeAnswer(examined.result.details.sub_status),
		now: services.clock.now(),
	});
	return { ...examined, settled };
}
