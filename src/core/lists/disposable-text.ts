import { parse } from 'tldts';
import { toAscii } from '../../lib/idna.ts';
import { DISPOSABLE_DOMAINS } from './data/disposable-domains.ts';
import { isFreeProvider, isPrivacyRelay, NEVER_DISPOSABLE } from './domain-kinds.ts';

// A text outside these limits is not the list: they are half of the smallest list in use and five times the largest.
const DOMAINS_MIN = 4_000;
const DOMAINS_MAX = 600_000;
// Share of lines that are no domain: some comments and noise are fine, a web page is not.
const JUNK_SHARE_MAX = 0.02;

export type DisposableText =
	| { readonly ok: true; readonly domains: readonly string[]; readonly leftOut: number }
	| { readonly ok: false; readonly problem: string };

/**
 * Reads a public list of disposable domains, one per line. An implausible list is refused as a whole. Mailbox
 * providers, privacy relays and public suffixes (`co.uk`) on it are ignored.
 */
export function readDisposableText(text: string): DisposableText {
	const lines = text
		.split('\n')
		.map((line) => line.trim().toLowerCase())
		.filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('//'));
	const domains = lines
		.map((line) => (line.includes('.') ? toAscii(line) : null))
		.filter((domain) => domain !== null);
	const junk = lines.length - domains.length;
	if (junk > lines.length * JUNK_SHARE_MAX)
		return { ok: false, problem: `${junk} of ${lines.length} lines are no domains` };
	const kept = [...new Set(domains)].filter((domain) => !isProtected(domain));
	if (kept.length < DOMAINS_MIN || kept.length > DOMAINS_MAX) {
		return { ok: false, problem: `${kept.length} domains are too few or too many for such a list` };
	}
	return { ok: true, domains: kept.toSorted(), leftOut: domains.length - kept.length };
}

function isProtected(domain: string): boolean {
	// A public suffix would make every domain below it disposable.
	const isSuffix = parse(domain).domain === null;
	return isSuffix || NEVER_DISPOSABLE.has(domain) || isFreeProvider(domain) || isPrivacyRelay(domain);
}

/**
 * The domains that the lists agree on, sorted. A list alone is believed as it is. Where there are
 * several independent lists, two must name a domain: a single one has held dozens of real providers. The bundled list has a proof of each domain.
 */
export function agreedDisposable(lists: readonly (readonly string[])[]): readonly string[] {
	const [only, ...others] = lists;
	if (only !== undefined && others.length === 0) return only;
	const agreed = new Set(DISPOSABLE_DOMAINS.trim().split(/\s+/));
	const once = new Set<string>();
	for (const list of lists) {
		for (const domain of new Set(list)) {
			if (once.has(domain)) agreed.add(domain);
			once.add(domain);
		}
	}
	return [...agreed].toSorted();
}
