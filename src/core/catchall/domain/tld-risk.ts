/** The abuse risk of a domain's public suffix. */
export type TldRisk = 'high_abuse' | 'restricted' | 'ordinary';

// Generic top-level domains with at least 150 phishing domains for every 10,000 delegated ones. Both the year to
// April 2025 and August to October 2025 must reach that figure (Interisle, cybercrimeinfocenter.org, `Phishing
// activity in TLDs`); for `lol`, that year and the report of 2024. Measured abuse only, no country codes. Review
// yearly; last: 2026-11.
const HIGH_ABUSE: ReadonlySet<string> = new Set([
	'bond',
	'cfd',
	'icu',
	'lol',
	'pro',
	'sbs',
	'top',
	'vip',
	'xin',
]);

// Only public bodies and schools can register here (RFC 1591, and the second levels that many countries copied).
const RESTRICTED_TOP: ReadonlySet<string> = new Set(['gov', 'edu', 'mil', 'int']);
const RESTRICTED_SECOND: ReadonlySet<string> = new Set(['gov', 'gob', 'gouv', 'govt', 'edu', 'ac', 'mil']);

/** The risk of a public suffix such as `com` or `co.uk`. */
export function readTldRisk(suffix: string): TldRisk {
	const labels = suffix.toLowerCase().split('.');
	const top = labels.at(-1) ?? '';
	if (HIGH_ABUSE.has(top)) return 'high_abuse';
	if (labels.length === 1) return RESTRICTED_TOP.has(top) ? 'restricted' : 'ordinary';
	return top.length === 2 && RESTRICTED_SECOND.has(labels.at(-2) ?? '') ? 'restricted' : 'ordinary';
}
