import { addressBytes } from '../../lib/ip-address.ts';
import type { SpeaksFor } from '../mail-operators/operator-row.ts';
import { companyOf, speaksForOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';

/** The account id of the caller who asks, or null for anonymous visitors. */
export type Asker = string | null;

/** A mail host, as seen from one egress. Plain data, which can be sent to another machine. */
export interface MailHost {
	/** Its name. */
	readonly host: string;
	/** The party for which one standing is kept: the whole operator, or this host alone. */
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
 * The machine at an address, for the budget of an unknown host: a thousand names may lead to one server. For IPv6
 * the network of 64 bits, since that is what one machine has.
 */
function machineAt(address: string): string {
	const octets = addressBytes(address) ?? [];
	return octets.length === 16 ? `${octets.slice(0, 8).join('.')}/64` : address;
}

/** The key for what is asked of the machine at an address, from one source address. */
export function nameOfMachine(address: string, egress: string): string {
	return nameOfWhole({ party: machineAt(address), egress });
}

/** The network around an address: /24, of IPv6 /48. One owner may have all of it. */
export function networkAt(address: string): string {
	const octets = addressBytes(address) ?? [];
	return octets.length === 16 ? `${octets.slice(0, 6).join('.')}/48` : `${octets.slice(0, 3).join('.')}/24`;
}

/** The key for the standing with the party as a whole. */
export function nameOfWhole({ party, egress }: Pick<MailHost, 'party' | 'egress'>): string {
	return `${party} by ${egress}`;
}

/** The key for the standing with one customer's domain at the party, or for one share's questions. */
export function nameOfOne({ party, egress }: Pick<MailHost, 'party' | 'egress'>, one: string): string {
	return `${one} at ${party} by ${egress}`;
}

/** The party of a standing's name; null: the name is of another form. `only`: one domain or share; null: all of it. */
export function readStandingName(
	name: string,
): { readonly operator: string; readonly only: string | null; readonly egress: string } | null {
	const [, only = null, operator = '', egress = ''] = /^(?:(\S+) at )?(\S+) by (\S+)$/.exec(name) ?? [];
	return operator === '' ? null : { operator, only, egress };
}
