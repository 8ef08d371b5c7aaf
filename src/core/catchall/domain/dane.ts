import type { Looked } from '../../dns/records.ts';

/**
 * Whether a mail host has a TLSA record that SMTP may use: authenticated by DNSSEC (RFC 7672 §2.2), of usage DANE-TA
 * or DANE-EE (§3.1). Null: not answered.
 */
export function readDane(looked: Looked | null): 'present' | 'missing' | null {
	if (looked === null || looked.answer.kind === 'failed') return null;
	if (looked.answer.kind !== 'records' || !looked.authenticated) return 'missing';
	return looked.answer.records.some((record) => /^[23] /.test(record)) ? 'present' : 'missing';
}
