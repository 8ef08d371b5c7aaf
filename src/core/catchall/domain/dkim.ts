import type { Answer } from '../../dns/resolver.ts';
import { findMailOperator } from '../../mail-operators/find-operator.ts';
import { OPERATORS } from '../../mail-operators/operators.ts';

/** Whether the domain signs its mail, as far as the DNS tells without the selectors being known. */
export type DkimFinding = 'selectors' | 'none';

/** Answers to TXT questions; null: not answered. */
export interface DkimEvidence {
	/** `_domainkey.<domain>`. */
	readonly parent: Answer<string> | null;
	/** A random label in the same zone, which does not exist. */
	readonly control: Answer<string> | null;
	/** The selectors that the domain's mail operator uses. */
	readonly selectors: readonly (Answer<string> | null)[];
}

/**
 * Reads the evidence. RFC 8020: a name with selectors below it is not NXDOMAIN, even when it has no record of its own.
 * In a zone that never answers NXDOMAIN (wildcards, the compact denial of RFC 9824) this proves nothing.
 */
export function readDkim({ parent, control, selectors }: DkimEvidence): DkimFinding | null {
	if (selectors.some(isKey)) return 'selectors';
	if (parent === null || control === null) return null;
	if (parent.kind === 'failed' || control.kind !== 'no_such_name') return null;
	return parent.kind === 'no_such_name' ? 'none' : 'selectors';
}

// RFC 6376 §3.6.1: only `p` is required; an empty one is a revoked key.
function isKey(answer: Answer<string> | null): boolean {
	if (answer?.kind !== 'records') return false;
	return answer.records.some((text) => text.length < 8_192 && /(?:^|;)\s*p\s*=\s*[A-Za-z0-9+/]/.test(text));
}

/** The selectors that the operator of the first mail host gives to its customers. */
export function operatorSelectors(mailHosts: readonly string[]): readonly string[] {
	const operator = findMailOperator(mailHosts.slice(0, 1))?.operator;
	return operator === undefined ? [] : (OPERATORS[operator].dkimSelectors ?? []);
}
