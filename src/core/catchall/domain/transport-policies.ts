import { readTags } from './tags.ts';
import type { Looked } from '../../dns/records.ts';

/** MTA-STS (RFC 8461): `record` where only the DNS was read, otherwise the mode of the policy. */
export type MtaStsFinding = 'enforce' | 'testing' | 'none' | 'record' | 'missing';

/** Whether the TXT records of `_mta-sts.<domain>` announce a policy (RFC 8461 §3.1: exactly one record counts). */
export function hasMtaSts(texts: readonly string[]): boolean {
	const records = texts.flatMap((text) => readTags(text, 'STSv1') ?? []);
	return records.length === 1 && /^[A-Za-z0-9]{1,32}$/.test(records[0]?.get('id') ?? '');
}

/** The mode of a policy file (RFC 8461 §3.2), or null where the text is not one. */
export function readMtaStsPolicy(text: string): 'enforce' | 'testing' | 'none' | null {
	const fields = new Map<string, string>();
	for (const line of text.slice(0, 65_536).split(/\r?\n/)) {
		const colon = line.indexOf(':');
		const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
		if (name !== '' && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
	}
	const mode = fields.get('mode');
	if (fields.get('version') !== 'STSv1') return null;
	return mode === 'enforce' || mode === 'testing' || mode === 'none' ? mode : null;
}

/** The URIs that receive reports about TLS (RFC 8460 §3: one record, with `rua`), or null. */
export function readTlsRpt(texts: readonly string[]): string | null {
	const records = texts.flatMap((text) => readTags(text, 'TLSRPTv1') ?? []);
	const reportsTo = records[0]?.get('rua') ?? '';
	return records.length === 1 && reportsTo !== '' ? reportsTo : null;
}

/** Whether `default._bimi.<domain>` names a logo. An empty `l=` declares that there is none. */
export function hasBimi(texts: readonly string[]): boolean {
	return texts.some((text) => /^https:\/\//i.test(readTags(text, 'BIMI1')?.get('l') ?? ''));
}

/**
 * Whether a mail host has a TLSA record that SMTP may use: authenticated by DNSSEC (RFC 7672 §2.2), of usage DANE-TA
 * or DANE-EE (§3.1). Null: not answered.
 */
export function readDane(looked: Looked | null): 'present' | 'missing' | null {
	if (looked === null || looked.answer.kind === 'failed') return null;
	if (looked.answer.kind !== 'records' || !looked.authenticated) return 'missing';
	return looked.answer.records.some((record) => /^[23] /.test(record)) ? 'present' : 'missing';
}
