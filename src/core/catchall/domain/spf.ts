/** What the SPF record of a domain says (RFC 7208). */
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
