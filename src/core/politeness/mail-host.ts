import type { MailOperator } from '../mail-operators/find-operator.ts';

/** Whose question it is: an account, by its id, or null for whoever is not signed in. */
export type Asker = string | null;

/** A mail host, as seen from one egress. All of it can be sent to another machine. */
export interface MailHost {
	/** Its name. */
	readonly host: string;
	/** What has one standing with us: the operator as a whole, or the host by itself. */
	readonly party: string;
	readonly egress: string;
	/**
	 * Whose word it is that turns us away before RCPT. `customer`: each customer of the operator has a host of his own
	 * there, with rules of his own.
	 */
	readonly speaksFor: 'itself' | 'operator' | 'customer';
}

// Their customers get a gateway each, and say whom it listens to.
const HOSTS_OF_CUSTOMERS: ReadonlySet<string> = new Set([
	'proofpoint',
	'cisco',
	'fortinet',
	'libraesva',
	'spamtitan',
	'mailinblack',
	'firstwave',
]);

/** A mail host by whoever runs it; null: nobody we know. */
export function mailHostOf(
	host: string,
	operator: Pick<MailOperator, 'operator' | 'kind'> | null,
	egress: string,
): MailHost {
	// A hosting company's hosts judge by themselves, each for the customers it has.
	if (operator === null || (operator.kind !== 'mailbox' && operator.kind !== 'gateway'))
		return { host, party: host, egress, speaksFor: 'itself' };
	const speaksFor = HOSTS_OF_CUSTOMERS.has(operator.operator) ? 'customer' : 'operator';
	return { host, party: operator.operator, egress, speaksFor };
}

/** Under which everybody's experience with the host is remembered. */
export function everybodysName({ party, egress }: MailHost): string {
	return `${party} by ${egress}`;
}

/** Under which the asker's own is: of those who are not signed in with the single host only, for all of them together. */
export function askersName({ host, party, egress }: MailHost, asker: Asker): string {
	return asker === null ? `anonymous at ${host} by ${egress}` : `${asker} at ${party} by ${egress}`;
}
