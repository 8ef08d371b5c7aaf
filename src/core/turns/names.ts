import { addressBytes } from '../../lib/ip-address.ts';

// The names of gates, and of customers' domains there, under which a prober remembers its days and its pauses.

/**
 * The machine at an address: a thousand names may lead to one server. For IPv6 the network of 64 bits, since that is
 * what one machine has.
 */
export function machineAt(address: string): string {
	const octets = addressBytes(address) ?? [];
	return octets.length === 16 ? `${octets.slice(0, 8).join('.')}/64` : address;
}

/** The network around an address: /24, of IPv6 /48. One owner may have all of it. */
export function networkAt(address: string): string {
	const octets = addressBytes(address) ?? [];
	return octets.length === 16 ? `${octets.slice(0, 6).join('.')}/48` : `${octets.slice(0, 3).join('.')}/24`;
}

/** The name of a gate: an operator, a machine or a network, by one source address. */
export function gateName(party: string, egress: string): string {
	return `${party} by ${egress}`;
}

/** The name of one customer's domain at a gate. */
export function domainName(domain: string, gate: string): string {
	return `${domain} at ${gate}`;
}

/** The parts of such a name; null: it is of another form. `only`: one domain; null: all of the gate. */
export function readName(
	name: string,
): { readonly operator: string; readonly only: string | null; readonly egress: string } | null {
	const [, only = null, operator = '', egress = ''] = /^(?:(\S+) at )?(\S+) by (\S+)$/.exec(name) ?? [];
	return operator === '' ? null : { operator, only, egress };
}
