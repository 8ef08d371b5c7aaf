import ipaddr from 'ipaddr.js';

type Parsed = ReturnType<typeof ipaddr.parse>;

/** A block of addresses, as `198.18.0.0/15`. */
export type AddressBlock = readonly [Parsed, number];

/** Parses a block such as `10.0.0.0/8`; null when the text is not one. */
export function parseAddressBlock(text: string): AddressBlock | null {
	// `ipaddr` reads `10.1/16` as 10.0.0.1/16, which is hardly ever meant.
	const [network = ''] = text.split('/');
	return isAddress(network) && ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

/** True when the address lies in the block (families never mix). */
export function isInBlock(address: string, [network, bits]: AddressBlock): boolean {
	const parsed = parse(address);
	return parsed !== null && parsed.kind() === network.kind() && parsed.match(network, bits);
}

// Public addresses at which a cloud's own platform answers its machines. All other clouds use blocks for this that are
// special anyway: 169.254.0.0/16, 192.0.0.0/24 (Oracle), 100.64.0.0/10 (Alibaba), fc00::/7 (Amazon).
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set([
	// Azure: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
	'168.63.129.16',
]);

/**
 * True for an address that a mail server of the public Internet can have: global unicast of the IANA registries.
 * Loopback, private, link-local, CGNAT, documentation, benchmarking, multicast, reserved, v4-mapped, NAT64, 6to4 and
 * Teredo addresses are not: the last four lead to a v4 address that was not checked. Nor is an address at which a cloud
 * answers its own machines.
 */
export function isPublicAddress(address: string): boolean {
	const parsed = parse(address);
	if (parsed === null || parsed.range() !== 'unicast') return false;
	if (parsed.kind() === 'ipv4') return !PLATFORM_ADDRESSES.has(parsed.toString());
	// IANA has allocated global unicast from 2000::/3 only; `unicast` just means "no special block" here.
	return isInBlock(address, [ipaddr.parse('2000::'), 3]);
}

/** True for any IPv4 or IPv6 address. */
export function isAddress(text: string): boolean {
	return parse(text) !== null;
}

/** The octets of an address in network order (4 or 16), or null. */
export function addressBytes(address: string): readonly number[] | null {
	return parse(address)?.toByteArray() ?? null;
}

function parse(text: string): Parsed | null {
	// `ipaddr` also reads forms such as 0x7f.1, which no DNS answer contains.
	const isAddressText =
		ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(':') && ipaddr.IPv6.isValid(text));
	return isAddressText ? ipaddr.parse(text) : null;
}

/** The network of a client, given as `clientOf` does (IPv4, or the first 64 bits of IPv6): its /24, or its /48. */
export function networkOf(client: string): string {
	const separator = client.includes(':') ? ':' : '.';
	return client.split(separator).slice(0, 3).join(separator);
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether a URL's host name always means this machine. Names that merely resolve to it in the DNS do not count. */
export function isLoopbackHost(hostname: string): boolean {
	return LOOPBACK.test(hostname);
}
