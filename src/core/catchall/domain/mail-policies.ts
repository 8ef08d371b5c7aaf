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

/** A DMARC policy record. */
export interface DmarcRecord {
	/** For mail of the domain itself. */
	readonly policy: Exclude<DmarcFinding, 'missing'>;
	/** For mail of its subdomains. */
	readonly subdomainPolicy: Exclude<DmarcFinding, 'missing'>;
}

/** The DMARC record among the TXT records of `_dmarc.<domain>`, or null where none is valid. */
export function readDmarcRecord(texts: readonly string[]): DmarcRecord | null {
	const records = texts.flatMap((text) => readTags(text, 'DMARC1') ?? []);
	const [tags] = records;
	// RFC 7489 §6.6.3: with more than one record there is no policy.
	if (tags === undefined || records.length > 1) return null;
	const policy = readPolicy(tags.get('p'));
	// The same clause: a record without a valid policy counts as `none` if it has an address for reports.
	if (policy === null && (tags.get('rua') ?? '') === '') return null;
	return {
		policy: policy ?? 'none',
		subdomainPolicy: readPolicy(tags.get('sp')) ?? policy ?? 'none',
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
