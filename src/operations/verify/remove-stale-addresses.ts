import { HISTORY_MS } from '../../core/verification/history.ts';
import type { Clock } from '../../engine/ports.ts';
import type { VerifiedAddresses } from './history-port.ts';

export interface RemoveStaleAddressesServices {
	readonly clock: Clock;
	readonly verifiedAddresses: Pick<VerifiedAddresses, 'removeOlderThan'>;
}

/**
 * Deletes addresses that are older than any history: left where an account deleted its history while one was being
 * stored.
 */
export async function removeStaleAddresses(
	services: RemoveStaleAddressesServices,
): Promise<{ readonly removed: number }> {
	const { clock, verifiedAddresses } = services;
	return { removed: await verifiedAddresses.removeOlderThan(clock.now() - HISTORY_MS) };
}
