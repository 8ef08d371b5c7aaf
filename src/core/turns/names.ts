import { addressBytes } from '../../lib/ip-address.ts';

// The names of gates, and of customers' domains there, under which a prober remembers its days and its pauses.

/**
 * The machine at an address, where a thousand names may lead to one server: for IPv6 the network of 64 bits, since that is
 * what one machine has. And the network around it, all of which one owner may have: /24, of IPv6 /48.
 */
export function placeOf(address: string): { readonly machine: string; readonly network: string } {
	const octets = addressBytes(address) ?? [];
	const first = (count: number): string => octets.slice(0, count).join('.');
	if (octets.length === 16) return { machine: `${first(8)}/64`, network: `${first(6)}/48` };
	return { machine: address, network: `${first(3)}/24` };
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
