import { isAddress, isInBlock, isPublicAddress } from '../../lib/ip-address.ts';
import type { AddressBlock } from '../../lib/ip-address.ts';

/** The IP addresses of mail servers that we connect to: public ones, and blocks that our configuration allows. */
export type AddressPolicy =
	| { readonly kind: 'public_only'; readonly alsoAllowed: readonly AddressBlock[] }
	| { readonly kind: 'any' };

/**
 * The addresses that may be dialled, in the given order. A zone that names our loopback or a private network as its
 * mail server must not make us connect there.
 */
export function usableAddresses(addresses: readonly string[], policy: AddressPolicy): readonly string[] {
	return addresses.filter((address) => isUsable(address, policy));
}

function isUsable(address: string, policy: AddressPolicy): boolean {
	if (policy.kind === 'any') return isAddress(address);
	return isPublicAddress(address) || policy.alsoAllowed.some((block) => isInBlock(address, block));
}
