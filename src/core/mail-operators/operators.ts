import { GATEWAYS } from './gateways.ts';
import { HOSTING } from './hosting.ts';
import { MAILBOX_HOSTS } from './mailbox-hosts.ts';
import type { OperatorRow, SpeaksFor } from './operator-row.ts';

/** An operator that we know. */
export type OperatorName = keyof typeof MAILBOX_HOSTS | keyof typeof GATEWAYS | keyof typeof HOSTING;

/** Operators and their mail servers, from the MX records of 40,000 public bodies and vendors' documents: a row each. */
export const OPERATORS: Readonly<Record<OperatorName, OperatorRow>> = {
	...MAILBOX_HOSTS,
	...GATEWAYS,
	...HOSTING,
};

/** The public word for an operator in results; null: there is none. */
export function wordOf(operator: OperatorName): string | null {
	const { word } = OPERATORS[operator];
	return word === undefined ? operator : word;
}

/** For whom its hosts speak when they turn us away before RCPT. */
export function speaksForOf(operator: OperatorName): SpeaksFor {
	const row = OPERATORS[operator];
	return row.speaksFor ?? (isLarge(row) ? 'operator' : 'itself');
}

/** Its servers are one service, which serves many. */
function isLarge({ kind }: OperatorRow): boolean {
	return kind === 'mailbox' || kind === 'gateway';
}
