import { fnv1a } from '../../lib/fnv1a.ts';
import { findMailOperator } from '../mail-operators/find-operator.ts';
import { exchangerCountOf } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';

/** Which mail hosts are asked through an exchanger, beside those of the operators that everybody meets all the time. */
export type SharedHosts =
	| { readonly kind: 'none' }
	| { readonly kind: 'all' }
	/** Words of operators and endings of host names, lower case. */
	| { readonly kind: 'usual_and'; readonly names: readonly string[] };

/**
 * The name of the exchanger that holds the conversations with a host about a domain; null: none does. The same for all
 * of an operator's hosts, so that its patience is counted in one place; the largest are cut by domain.
 */
export function exchangerFor(
	shared: SharedHosts,
	host: string,
	implicit: boolean,
	domain: string,
): string | null {
	// A domain's own name tells nothing of an operator.
	const operator = implicit ? null : (findMailOperator([host])?.operator ?? null);
	if (!isShared(shared, host, operator)) return null;
	if (operator === null) return `host ${host}`;
	const exchangers = Math.max(1, exchangerCountOf(operator));
	return exchangers === 1 ? operator : `${operator} ${fnv1a(domain) % exchangers}`;
}

function isShared(shared: SharedHosts, host: string, operator: OperatorName | null): boolean {
	if (shared.kind !== 'usual_and') return shared.kind === 'all';
	if (operator !== null && exchangerCountOf(operator) > 0) return true;
	return shared.names.some((name) => name === operator || host === name || host.endsWith(`.${name}`));
}
