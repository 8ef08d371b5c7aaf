import { GATEWAYS } from './gateways.ts';
import { HOSTING } from './hosting.ts';
import { INTERNET_PROVIDERS } from './internet-providers.ts';
import { MAILBOX_HOSTS } from './mailbox-hosts.ts';
import type { OperatorRow, SpeaksFor } from './operator-row.ts';

/** An operator that we know. */
export type OperatorName =
	| keyof typeof MAILBOX_HOSTS
	| keyof typeof INTERNET_PROVIDERS
	| keyof typeof GATEWAYS
	| keyof typeof HOSTING;

/** One row per operator, collected from the MX records of 40,000 public bodies and from vendors' documents. */
export const OPERATORS: Readonly<Record<OperatorName, OperatorRow>> = {
	...MAILBOX_HOSTS,
	...INTERNET_PROVIDERS,
	...GATEWAYS,
	...HOSTING,
};

/** Whether there is a row of that name. */
export function isOperator(name: string): name is OperatorName {
	return Object.hasOwn(OPERATORS, name);
}

/** An operator's name in results; null: it has none. */
export function wordOf(operator: OperatorName): string | null {
	const { word } = OPERATORS[operator];
	return word === undefined ? operator : word;
}

/** The party for which the operator's hosts refuse us before RCPT. */
export function speaksForOf(operator: OperatorName): SpeaksFor {
	const { speaksFor, kind } = OPERATORS[operator];
	return speaksFor ?? (kind === 'mailbox' || kind === 'gateway' ? 'operator' : 'itself');
}

/** The operator with which the operator shares one standing and one budget: itself, or another of its company. */
export function companyOf(operator: OperatorName): OperatorName {
	return OPERATORS[operator].standsWith ?? operator;
}

/** The words for gateways, or for all other operators, that results use; sorted. */
export function operatorWords(which: 'gateways' | 'others'): readonly string[] {
	const names = (Object.keys(OPERATORS) as OperatorName[]).filter(
		(name) => (OPERATORS[name].kind === 'gateway') === (which === 'gateways'),
	);
	return [...new Set(names.map(wordOf).filter((word) => word !== null))].toSorted();
}

/** The usual name of a mail operator, by its word in results: `google`, Google; `mailbox_org`, mailbox.org. */
export function displayNameOf(word: string): string {
	const name = isOperator(word) ? OPERATORS[word].name : undefined;
	return name ?? word.replaceAll('_', ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
