import { readTags } from './tags.ts';

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
export function decideDmarc(own: DmarcRecord | null, organisational: DmarcRecord | null): DmarcFinding {
	return own?.policy ?? organisational?.subdomainPolicy ?? 'missing';
}
