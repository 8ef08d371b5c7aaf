import { findMailOperator } from '../mail-operators/find-operator.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';

/** Which mail hosts are asked through an exchanger, beside those of the operators that everybody meets all the time. */
export type SharedHosts =
	| { readonly kind: 'none' }
	| { readonly kind: 'all' }
	/** Words of operators and endings of host names, lower case. */
	| { readonly kind: 'usual_and'; readonly names: readonly string[] };

// Hosters whose customers are many enough that calls about them follow closely on each other.
const LARGE_HOSTERS: ReadonlySet<string> = new Set(
	'godaddy ionos strato ovh hostinger titan opensrs namecheap siteground one gandi aruba hetzner allinkl'.split(
		' ',
	),
);

// One object answers a few hundred calls a second at most, and each conversation takes a part of a second of one line.
const SHARDS: Readonly<Record<string, number>> = {
	google: 16,
	microsoft365: 16,
	outlook: 8,
	yahoo: 8,
	apple: 4,
	proofpoint: 4,
};

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
	const operator = implicit ? null : findMailOperator([host]);
	if (!isShared(shared, host, operator)) return null;
	if (operator === null) return `host ${host}`;
	const shards = SHARDS[operator.operator] ?? 1;
	return shards === 1 ? operator.operator : `${operator.operator} ${shardOf(domain, shards)}`;
}

function isShared(shared: SharedHosts, host: string, operator: MailOperator | null): boolean {
	if (shared.kind !== 'usual_and') return shared.kind === 'all';
	if (operator !== null) {
		const { kind } = operator;
		if (kind === 'mailbox' || kind === 'gateway' || LARGE_HOSTERS.has(operator.operator)) return true;
	}
	return shared.names.some(
		(name) => name === operator?.operator || host === name || host.endsWith(`.${name}`),
	);
}

/** FNV-1a, 32 bits. */
function shardOf(domain: string, shards: number): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < domain.length; index += 1)
		hash = Math.imul(hash ^ domain.charCodeAt(index), 0x01000193);
	return (hash >>> 0) % shards;
}
