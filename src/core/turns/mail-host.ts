import { addressBytes } from '../../lib/ip-address.ts';
import type { SpeaksFor } from '../mail-operators/operator-row.ts';
import { companyOf, speaksForOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';

/** A mail host, as seen from one egress. Plain data, which can be sent to another machine. */
export interface MailHost {
	/** Its name. */
	readonly host: string;
	/** The party that refuses us there before RCPT: the whole operator, or this host alone. */
	readonly party: string;
	readonly egress: string;
	/** On whose behalf the host refuses us before RCPT. */
	readonly speaksFor: SpeaksFor;
}

/** Describes a mail host by its operator; null: not known. */
export function mailHostOf(host: string, operator: OperatorName | null, egress: string): MailHost {
	const speaksFor = operator === null ? 'itself' : speaksForOf(operator);
	const party = operator === null || speaksFor === 'itself' ? host : companyOf(operator);
	return { host, party, egress, speaksFor };
}

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
