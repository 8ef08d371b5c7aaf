import { parseDomain } from '../address/parse-address.ts';
import { findRegistrable } from '../dns/registrable.ts';

/** The reason why a name can't be opted out. */
export type OptOutFault = 'no_domain' | 'public_suffix';

/**
 * Reads the domain that asked us not to ask: A-labels, lower case. We refuse a registry's public suffix (`com`,
 * `co.uk`), because no one owner speaks for it. A company's suffix (`github.io`) is that company's.
 */
export function readOptOut(text: string): { ok: true; domain: string } | { ok: false; fault: OptOutFault } {
	const domain = parseDomain(text);
	if (domain === null) return { ok: false, fault: 'no_domain' };
	return isPublicSuffix(domain) ? { ok: false, fault: 'public_suffix' } : { ok: true, domain };
}

/**
 * The opt-out that covers a domain or the name of a mail host; null: none does. An owner speaks for all names below
 * the domain, and for none beside it.
 */
export function coveringOptOut(name: string, refused: ReadonlySet<string>): string | null {
	let rest = name;
	while (rest !== '') {
		if (refused.has(rest)) return rest;
		const dot = rest.indexOf('.');
		rest = dot === -1 ? '' : rest.slice(dot + 1);
	}
	return null;
}

/** Uses only ICANN suffixes, not private ones such as github.io. */
function isPublicSuffix(domain: string): boolean {
	const below = findRegistrable(`a.${domain}`);
	return below !== null && below.suffix === domain && !below.isPrivate;
}

/** A domain whose owner asked us not to ask its mail servers. */
export interface OptOut {
	/** A-labels, lower case. It covers the names below it. */
	readonly domain: string;
	/** Epoch milliseconds. */
	readonly since: number;
}
