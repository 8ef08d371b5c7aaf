import type { Address } from '../../core/address/parse-address.ts';
import type { IdentityServices } from '../people/port.ts';
import { throttle } from '../people/steps/throttle.ts';
import type { Throttled } from '../people/steps/throttle.ts';
import type { Examined } from '../../engine/examination.ts';
import type { VerifyServices } from './verify-address.ts';

export interface TryAddressRequest {
	readonly address: Address;
	readonly client: string;
}

/** Verifies an address for an anonymous visitor, free of charge, with limits per client and for all together. */
export async function tryAddress(
	services: VerifyServices & Pick<IdentityServices, 'attempts' | 'clock'>,
	request: TryAddressRequest,
): Promise<({ readonly kind: 'answered' } & Examined) | Throttled> {
	const { address, client } = request;
	const throttled = await throttle(services, 'try_address', { client, account: 'everybody' });
	if (throttled !== null) return throttled;
	return { kind: 'answered', ...(await services.examine(address, null)) };
}
