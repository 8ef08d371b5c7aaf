import type { Examined } from '../../engine/examined.ts';
import type { Address } from '../../core/address/parse-address.ts';
import type { Asker } from '../../core/politeness/mail-host.ts';
import type { Trace } from '../../core/verification/trace.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Admissions, ReservationRef, Settled } from './port.ts';
import type { Clock } from '../../engine/ports.ts';

export interface VerifyServices {
	readonly clock: Clock;
	readonly examine: (address: Address, asker: Asker, trace?: Trace) => Promise<Examined>;
}

export interface VerifyAddressServices extends VerifyServices {
	readonly accounts: (accountId: string) => Pick<Admissions, 'settle'>;
}

export interface VerifyAddressRequest {
	readonly reservation: ReservationRef;
	readonly address: Address;
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
	const { reservation, address } = request;
	const till = services.accounts(accountId);
	let examined: Examined;
	try {
		examined = await services.examine(address, accountId);
	} catch (error) {
		await till.settle({ reservation, outcome: 'failed', now: services.clock.now() });
		throw error;
	}
	const settled = await till.settle({
		reservation,
		outcome: examined.result.status,
		now: services.clock.now(),
	});
	return { ...examined, settled };
}
