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

// Real records have a dozen tags; a longer text is an attack on its reader.
const RECORD_LENGTH_MAX = 8_192;

/**
 * The policy in the TXT records of `_dmarc.<domain>`: for the domain or, with `isAbove`, for the subdomains of it. With
 * more than one record there is none (RFC 7489 §6.6.3).
 */
export function readDmarc(texts: readonly string[], isAbove = false): DmarcFinding {
	const records = texts.filter(
		(text) => text.length <= RECORD_LENGTH_MAX && /^\s*v\s*=\s*DMARC1\s*(?:;|$)/i.test(text),
	);
	const [tags = []] = records.map((text) =>
		text.split(';').map((tag) => tag.split('=', 2).map((part) => part.trim().toLowerCase())),
	);
	// If a tag is repeated, the first one counts.
	const valueOf = (wanted: string) => tags.find(([name]) => name === wanted)?.[1] ?? '';
	const [policy] = [isAbove ? valueOf('sp') : '', valueOf('p')].filter(isPolicy);
	if (records.length !== 1) return 'missing';
	// The same clause: a record without a valid policy counts as `none` if it has an address for reports.
	return policy ?? (valueOf('rua') === '' ? 'missing' : 'none');
}

function isPolicy(word: string): word is Exclude<DmarcFinding, 'missing'> {
	return word === 'reject' || word === 'quarantine' || word === 'none';
}
