import { sha256Hex } from '../../../lib/digest.ts';

// More than any honest page publishes; a page with a million addresses is an attack.
const ADDRESSES_MAX = 200;
const LOCAL_PART_MAX = 64;
// 96 bits: two addresses do not collide by accident.
const DIGEST_LENGTH = 24;

/**
 * The digest of an address in the facts, which are kept for a week and must not hold people's addresses. Letter case is
 * ignored: people publish one mailbox in any case.
 */
export function addressDigest(localPart: string, domain: string): string {
	return sha256Hex(`${localPart.toLowerCase()}@${domain.toLowerCase()}`).slice(0, DIGEST_LENGTH);
}

/** Digests of the domain's own addresses among the `mailto:` URIs in a text (RFC 6068), at most two hundred. */
export function readMailtos(text: string, domain: string): readonly string[] {
	const digests = new Set<string>();
	let matches = 0;
	for (const [, encoded = ''] of text.matchAll(/mailto:([^\s"'<>?]{3,400})/gi)) {
		if ((matches += 1) > ADDRESSES_MAX) break;
		for (const part of decodeText(encoded).split(',')) {
			const digest = digestOfOwn(part, domain);
			if (digest !== null) digests.add(digest);
		}
	}
	return [...digests].slice(0, ADDRESSES_MAX);
}

function digestOfOwn(text: string, domain: string): string | null {
	const at = text.lastIndexOf('@');
	const localPart = text.slice(0, Math.max(0, at)).trim();
	if (localPart === '' || localPart.length > LOCAL_PART_MAX || /[\s"@]/.test(localPart)) return null;
	return text
		.slice(at + 1)
		.trim()
		.toLowerCase() === domain.toLowerCase()
		? addressDigest(localPart, domain)
		: null;
}

/** Decodes character references and percent-encoding, which pages use to write an `@`. */
function decodeText(text: string): string {
	const plain = text
		.replace(/&#(\d{1,6});|&#x([0-9a-f]{1,5});/gi, (_, decimal?: string, hex?: string) =>
			character(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)),
		)
		.replaceAll('&commat;', '@')
		.replaceAll('&amp;', '&');
	try {
		return decodeURIComponent(plain);
	} catch {
		return plain;
	}
}

function character(code: number): string {
	return code >= 0x20 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}
