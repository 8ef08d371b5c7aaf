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
 * The machine behind a mail host of nobody we know, for its budget: names cost nothing, and a thousand domains may name
 * one server a thousand times. One of its addresses, always the same in whatever order the resolver gives them; of IPv6
 * the network of 64 bits, since that is what one machine has.
 */
export function machineOf(addresses: readonly string[]): string {
	const machines = addresses.map((address) => {
		const octets = addressBytes(address) ?? [];
		return octets.length === 16 ? `${octets.slice(0, 8).join('.')}/64` : address;
	});
	return machines.toSorted()[0] ?? 'nowhere';
}

/** The key for the standing of all askers together. */
export function everybodysName({ party, egress }: Pick<MailHost, 'party' | 'egress'>): string {
	return `${party} by ${egress}`;
}

/** The key for the asker's own standing. All anonymous visitors share one, which is kept for the single host only. */
export function askersName({ host, party, egress }: MailHost, asker: Asker): string {
	return asker === null ? `anonymous at ${host} by ${egress}` : `${asker} at ${party} by ${egress}`;
}

/** Whose standing with whom is remembered under a name; null: the name is neither of the two. */
export function readStandingName(
	name: string,
): { readonly operator: string; readonly asker: string | null; readonly egress: string } | null {
	const [, asker = null, operator = '', egress = ''] = /^(?:(\S+) at )?(\S+) by (\S+)$/.exec(name) ?? [];
	return operator === '' ? null : { operator, asker, egress };
}
