import { addressBytes } from '../../lib/ip-address.ts';
import { companyOf, speaksForOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';

// The names of gates, and of customers' domains there, under which a prober remembers its days and its pauses.

/** The name of a gate: an operator, a machine or a network, by one source address. */
export function gateName(party: string, egress: string): string {
	return `${party} by ${egress}`;
}

/**
 * The names of all that is asked at an address of a mail host. `machine`: a thousand names may lead to one server, which
 * for IPv6 has a network of 64 bits. `network`: one owner may have all of it (/24, of IPv6 /48). `gate`: the operator's or
 * the machine's. `refuser`: whose refusals count together, a company with one standing at all its hosts, or the machine.
 */
export function namesOf(operator: OperatorName | null, address: string, egress: string) {
	const octets = addressBytes(address) ?? [];
	const first = (count: number): string => octets.slice(0, count).join('.');
	const isWide = octets.length === 16;
	const machine = gateName(isWide ? `${first(8)}/64` : address, egress);
	const network = gateName(isWide ? `${first(6)}/48` : `${first(3)}/24`, egress);
	const gate = operator === null ? machine : gateName(companyOf(operator), egress);
	const company = operator === null || speaksForOf(operator) === 'itself' ? null : companyOf(operator);
	return { machine, network, gate, company, refuser: company === null ? machine : gate };
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
