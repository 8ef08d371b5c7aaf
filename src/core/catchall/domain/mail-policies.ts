import type { Answer, Looked } from '../../dns/resolver.ts';
import { findMailOperator } from '../../mail-operators/find-operator.ts';
import { OPERATORS } from '../../mail-operators/operators.ts';

// Real records have a dozen tags; a longer text is an attack on its reader.
const RECORD_LENGTH_MAX = 8_192;

/**
 * The tags of a `v=…; tag=value` record (RFC 6376 §3.2), names in lower case, or null where the record does not begin
 * with this version. If a tag is repeated, the first one counts.
 */
function readTags(text: string, version: string): ReadonlyMap<string, string> | null {
	if (text.length > RECORD_LENGTH_MAX) return null;
	const tags = new Map<string, string>();
	for (const part of text.split(';')) {
		const equals = part.indexOf('=');
		const name = part.slice(0, Math.max(0, equals)).trim().toLowerCase();
		if (
			tags.size === 0 &&
			(name !== 'v' ||
				part
					.slice(equals + 1)
					.trim()
					.toLowerCase() !== version.toLowerCase())
		)
			return null;
		if (name !== '' && !tags.has(name)) tags.set(name, part.slice(equals + 1).trim());
	}
	return tags;
}

/** Whether the domain signs its mail, as far as the DNS tells without the selectors being known. */
export type DkimFinding = 'selectors' | 'none';

/** Answers to TXT questions; null: not answered. */
interface DkimEvidence {
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

/** The reading of a domain's SPF record (RFC 7208). */
export type SpfFinding = 'ok' | 'missing' | 'several' | 'sends_no_mail';

/** Finds the SPF record among all TXT records of a domain. */
export function readSpf(texts: readonly string[]): SpfFinding {
	// RFC 7208 §4.5: the version is the whole first word.
	const records = texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
	if (records.length > 1) return 'several';
	const [record] = records;
	if (record === undefined) return 'missing';
	return record.slice('v=spf1'.length).trim().toLowerCase() === '-all' ? 'sends_no_mail' : 'ok';
}

/** The treatment that a domain requests for mail that fails authentication (RFC 7489). */
export type DmarcFinding = 'reject' | 'quarantine' | 'none' | 'missing';

/** A DMARC policy record, and the addresses for its reports. */
export interface DmarcRecord {
	/** For mail of the domain itself. */
	readonly policy: Exclude<DmarcFinding, 'missing'>;
	/** For mail of its subdomains. */
	readonly subdomainPolicy: Exclude<DmarcFinding, 'missing'>;
	/** `rua`, as written: a list of URIs. */
	readonly reportsTo: string;
}

/** The DMARC record among the TXT records of `_dmarc.<domain>`, or null where none is valid. */
export function readDmarcRecord(texts: readonly string[]): DmarcRecord | null {
	const records = texts.flatMap((text) => readTags(text, 'DMARC1') ?? []);
	const [tags] = records;
	// RFC 7489 §6.6.3: with more than one record there is no policy.
	if (tags === undefined || records.length > 1) return null;
	const reportsTo = tags.get('rua') ?? '';
	const policy = readPolicy(tags.get('p'));
	// The same clause: a record without a valid policy counts as `none` if it has an address for reports.
	if (policy === null && reportsTo === '') return null;
	return {
		policy: policy ?? 'none',
		subdomainPolicy: readPolicy(tags.get('sp')) ?? policy ?? 'none',
		reportsTo,
	};
}

function readPolicy(text: string | undefined): DmarcRecord['policy'] | null {
	const word = text?.toLowerCase();
	return word === 'reject' || word === 'quarantine' || word === 'none' ? word : null;
}

/**
 * The policy that holds for a domain: its own record or, without one, that of the organisational domain above it (RFC
 * 7489 §6.6.3). `organisational` is null where the domain is its own organisational domain.
 */
export function decideDmarc(domain: DmarcRecord | null, organisational: DmarcRecord | null): DmarcFinding {
	return domain?.policy ?? organisational?.subdomainPolicy ?? 'missing';
}

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
