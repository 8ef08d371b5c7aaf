import { findMailOperator } from '../../src/core/mail-operators/find-operator.ts';
import type { ProviderRow } from '../sandbox/scenes/providers/row.ts';

// Of these a mail host is left alone for minutes, and with it its operator: two customers' domains are enough.
const PAUSING: readonly string[] = ['probe_blocked', 'rate_limited'];

/**
 * Rows in rounds, each for a service of its own: no operator refuses us twice in a round. Together, what we are told
 * of one customer would depend on when another one's server refused us.
 */
export function apart(rows: readonly ProviderRow[]): readonly (readonly ProviderRow[])[] {
	const rounds: ProviderRow[][] = [];
	const refusals = new Map<string, number>();
	for (const row of rows) {
		const operator = findMailOperator([row.mx])?.operator ?? row.mx;
		const earlier = PAUSING.includes(row.expect.sub_status) ? (refusals.get(operator) ?? 0) : null;
		if (earlier !== null) refusals.set(operator, earlier + 1);
		(rounds[earlier ?? 0] ??= []).push(row);
	}
	return rounds;
}
