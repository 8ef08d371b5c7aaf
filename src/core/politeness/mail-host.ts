import type { SpeaksFor } from '../mail-operators/operator-row.ts';
import { speaksForOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';

/** Whose question it is: an account, by its id, or null for whoever is not signed in. */
export type Asker = string | null;

/** A mail host, as seen from one egress. All of it can be sent to another machine. */
export interface MailHost {
	/** Its name. */
	readonly host: string;
	/** What has one standing with us: the operator as a whole, or the host by itself. */
	readonly party: string;
	readonly egress: string;
	/** Whose word it is that turns us away before RCPT. */
	readonly speaksFor: SpeaksFor;
}

/** A mail host by whoever runs it; null: nobody we know. */
export function mailHostOf(host: string, operator: OperatorName | null, egress: string): MailHost {
	const speaksFor = operator === null ? 'itself' : speaksForOf(operator);
	const party = operator === null || speaksFor === 'itself' ? host : operator;
	return { host, party, egress, speaksFor };
}

/** Under which everybody's experience with the host is remembered. */
export function everybodysName({ party, egress }: Pick<MailHost, 'party' | 'egress'>): string {
	return `${party} by ${egress}`;
}

/** Under which the asker's own is: of those who are not signed in with the single host only, for all of them together. */
export function askersName({ host, party, egress }: MailHost, asker: Asker): string {
	return asker === null ? `anonymous at ${host} by ${egress}` : `${asker} at ${party} by ${egress}`;
}
