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
	/** The answer is remembered under the key. Left out: it is not. */
	readonly remember?: { readonly key: string; readonly requestId: string };
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
	const { reservation, address, mail, remember } = request;
	const till = services.accounts(accountId);
	let examined: Examined;
	try {
		examined = await services.examine(address, accountId, { mail });
	} catch (error) {
		await till.settle({ reservation, outcome: 'failed', now: services.clock.now() });
		throw error;
	}
	const settled = await till.settle({
		reservation,
		outcome: examined.result.status,
		now: services.clock.now(),
		...(remember === undefined ? {} : { remember: { ...remember, result: examined.result } }),
	});
	return { ...examined, settled };
}
