import type { Fact } from '../../support/unit/facts.ts';

type CorpusRow = Fact<'addresses'>;

/** What practical validators agree on; null where they do not. */
export function truthOf(row: CorpusRow): 'valid' | 'invalid' | null {
	for (const vote of [row.practical, row.consensus]) {
		if (vote === 'valid' || vote === 'invalid') return vote;
	}
	return null;
}

/** The heading of README.md that decides about this row whatever others say, or null where none speaks. */
export function policyOf({ address, verdicts }: CorpusRow): string | null {
	const text = address.trim();
	const domain = text.slice(text.lastIndexOf('@') + 1);
	const top = domain.slice(domain.lastIndexOf('.') + 1);
	if (address !== text) return 'surrounding white space';
	if (Object.keys(verdicts).every((source) => source.includes('{'))) return 'a setting of the source';
	if (/^[^"\\]*<|>$/.test(text)) return 'display name';
	if (text.includes('"')) return 'quoted local part';
	if (text.includes('\\')) return 'backslash';
	if (/[()]/.test(text)) return 'comment';
	if (text.includes('@[')) return 'domain literal';
	if (text.includes('@') && !/[.。｡]/.test(domain)) return 'dotless domain';
	if (/[_]|(^|\.)-|-(\.|$)/.test(domain)) return 'host name';
	if (text.includes('@') && /^[\x21-\x7e]+$/.test(top) && !/^([a-z]{2,}|xn--.+)$/i.test(top))
		return 'top-level domain';
	return ['invalid', 'test', 'example', 'local', 'onion', 'arpa'].includes(top) ? 'special-use domain' : null;
}
