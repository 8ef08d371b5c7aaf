import type { Address } from '../core/address/parse-address.ts';
import type { VerificationResult } from '../core/verification/result.ts';
import type { Trace } from '../core/verification/trace.ts';
import type { AccountStore, ReservationRef, Settled } from './accounts-port.ts';
import type { Clock } from './ports.ts';

export interface VerifyServices {
	readonly clock: Clock;
	readonly examine: (address: Address, trace?: Trace) => Promise<VerificationResult>;
}

/**
 * Verifies one address against a reservation of one credit. A definite answer is charged, an `unknown` refunded, and
 * a failure of ours sets the credit free. A crash anywhere leaves a reservation that the account releases by itself.
 */
export async function verifyAddress(
	services: VerifyServices,
	account: AccountStore,
	reservation: ReservationRef,
	address: Address,
): Promise<{ result: VerificationResult; settled: Settled }> {
	let result: VerificationResult;
	try {
		result = await services.examine(address);
	} catch (error) {
		await account.settle({ reservation, outcome: 'failed', now: services.clock.now() });
		throw error;
	}
	const settled = await account.settle({ reservation, outcome: result.status, now: services.clock.now() });
	return { result, settled };
}
