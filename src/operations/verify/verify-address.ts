import type { Examined } from '../../engine/examined.ts';
import type { Address } from '../../core/address/parse-address.ts';
import type { Asker } from '../../core/politeness/mail-host.ts';
import type { Trace } from '../../core/verification/trace.ts';
import type { Admissions, ReservationRef, Settled } from './port.ts';
import type { Clock } from '../../engine/ports.ts';

export interface VerifyServices {
	readonly clock: Clock;
	readonly examine: (address: Address, asker: Asker, trace?: Trace) => Promise<Examined>;
}

/**
 * Verifies one address against a reservation. A definite answer is charged, an `unknown` refunded, and
 * a failure of ours sets the credit free. A crash anywhere leaves a reservation that the account releases by itself.
 */
export async function verifyAddress(
	services: VerifyServices,
	account: Admissions,
	request: {
		readonly accountId: string;
		readonly reservation: ReservationRef;
		readonly address: Address;
	},
): Promise<Examined & { settled: Settled }> {
	const { accountId, reservation, address } = request;
	let examined: Examined;
	try {
		examined = await services.examine(address, accountId);
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
