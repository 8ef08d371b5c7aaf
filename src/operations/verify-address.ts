import type { Address } from '../core/address/parse-address.ts';
import type { Breakdown } from '../core/catchall/breakdown.ts';
import type { VerificationResult } from '../core/verification/result.ts';
import type { Trace } from '../core/verification/trace.ts';
import type { AccountStore, ReservationRef, Settled } from './accounts-port.ts';
import type { Clock } from './ports.ts';

export interface VerifyServices {
	readonly clock: Clock;
	readonly examine: (address: Address, trace?: Trace) => Promise<Examined>;
}

/** What is said of an address; on a catch-all domain, also how its score came about. */
export interface Examined {
	readonly result: VerificationResult;
	readonly breakdown: Breakdown | null;
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
): Promise<Examined & { settled: Settled }> {
	let examined: Examined;
	try {
		examined = await services.examine(address);
	} catch (error) {
		await account.settle({ reservation, outcome: 'failed', now: services.clock.now() });
		throw error;
	}
	const settled = await account.settle({
		reservation,
		outcome: examined.result.status,
		now: services.clock.now(),
	});
	return { ...examined, settled };
}
