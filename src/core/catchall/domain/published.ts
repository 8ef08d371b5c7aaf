import { sha256Hex } from '../../../lib/digest.ts';

// More than any honest page publishes; a page with a million addresses is an attack.
const ADDRESSES_MAX = 200;
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
	const ending = `@${domain.toLowerCase()}`;
	const localParts = new Set<string>();
	let matches = 0;
	for (const [, encoded = ''] of text.matchAll(/mailto:([^\s"'<>?]{3,400})/gi)) {
		if ((matches += 1) > ADDRESSES_MAX) break;
		for (const part of decodeText(encoded).toLowerCase().split(',')) {
			const localPart = part.trim().slice(0, -ending.length);
			if (part.trim().endsWith(ending) && /^[^\s"@]{1,64}$/.test(localPart)) localParts.add(localPart);
		}
	}
	return [...localParts].slice(0, ADDRESSES_MAX).map((localPart) => addressDigest(localPart, domain));
}

/** Decodes character references and percent-encoding, which pages use to write an `@`, or all of an address. */
function decodeText(text: string): string {
	const plain = text
		.replaceAll(/&#(x[\da-f]{1,5}|\d{1,6});/gi, (_, code: string) =>
			String.fromCodePoint(Number(code.replace(/^x/i, '0x'))),
		)
		.replaceAll('&commat;', '@')
		.replaceAll('&amp;', '&');
	try {
		return decodeURIComponent(plain);
	} catch {
		return plain;
	}
}
