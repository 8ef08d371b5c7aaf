import type { Address } from '../../core/address/parse-address.ts';
import { ALONE } from '../../engine/case.ts';
import type { How } from '../../engine/case.ts';
import { sha256Hex } from '../../lib/digest.ts';
import { networkOf } from '../../lib/ip-address.ts';
import type { Services } from '../../services.ts';
import { throttle } from '../people/steps/throttle.ts';
import type { Throttled } from '../people/steps/throttle.ts';
import { examinedOf } from './verify-address.ts';
import type { Examined } from './verify-address.ts';

// So few that a digest leads to no network: 256 of them share what visitors may ask.
const NETWORK_DIGITS = 2;

/**
 * Verifies an address for an anonymous visitor, free of charge, with a limit per client. A mail server is asked only if
 * lists and the DNS don't decide; that costs us, so it has limits per network and for all together. A refusal says
 * whether it is the visitor's own limit.
 */
export async function tryAddress(
	services: Pick<Services, 'attempts' | 'clock' | 'examineAddresses'>,
	request: { readonly address: Address; readonly client: string },
): Promise<({ readonly kind: 'answered' } & Examined) | (Throttled & { readonly isOwn: boolean })> {
	const { address, client } = request;
	const throttled = await throttle(services, 'try_address', { client });
	if (throttled !== null) return { ...throttled, isOwn: true };
	const examine = async (how: Pick<How, 'quick' | 'owner'>) => {
		const found = await services.examineAddresses([address], { ...ALONE, asker: null, ...how });
		return { kind: 'answered', ...examinedOf(address, found, services.clock.now()) } as const;
	};
	const quick = await examine({ quick: true });
	if (quick.result.status !== 'unknown') return quick;
	const network = networkOf(client);
	const visitor = { client: network, account: 'everybody' };
	const isFirst = (await throttle(services, 'try_mailbox_first', visitor)) === null;
	const costly = isFirst ? null : await throttle(services, 'try_mailbox', visitor);
	if (costly !== null) return { ...costly, isOwn: false };
	return examine({ owner: sha256Hex(network).slice(0, NETWORK_DIGITS) });
}
