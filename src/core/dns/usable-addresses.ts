import { isAddress, isInBlock, isPublicAddress } from '../../lib/ip-address.ts';
import type { AddressBlock } from '../../lib/ip-address.ts';

/** Which mail server addresses we connect to: public ones, and those that the operator allowed by name. */
export type AddressPolicy =
	| { readonly kind: 'public_only'; readonly alsoAllowed: readonly AddressBlock[] }
	| { readonly kind: 'any' };

/**
 * The addresses that may be dialled, in their order. A zone that names our own loopback or a neighbour's private
 * network as its mail server must not turn us into its messenger.
 */
export function usableAddresses(addresses: readonly string[], policy: AddressPolicy): readonly string[] {
	return addresses.filter((address) => isUsable(address, policy));
}

function isUsable(address: string, policy: AddressPolicy): boolean {
	if (policy.kind === 'any') return isAddress(address);
	return isPublicAddress(address) || policy.alsoAllowed.some((block) => isInBlock(address, block));
}
