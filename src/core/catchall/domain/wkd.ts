import { sha1 } from '../../../lib/digest.ts';

// Phil Zimmermann's alphabet, which the Web Key Directory uses (draft-koch-openpgp-webkey-service §3.1).
const ALPHABET = 'ybndrfg8ejkmcpqxot1uwisza345h769';

/** Z-base-32 of octets; their number must be a multiple of five. */
export function zBase32(bytes: Uint8Array): string {
	let text = '';
	let bits = 0;
	let value = 0;
	for (const byte of bytes) {
		value = (value << 8) | byte;
		bits += 8;
		while (bits >= 5) {
			bits -= 5;
			text += ALPHABET.charAt((value >>> bits) & 31);
		}
		value &= (1 << bits) - 1;
	}
	return text;
}

/** A Web Key Directory. */
export interface WkdDirectory {
	readonly host: string;
	/** Ends without a slash. */
	readonly base: string;
}

/** The two places where a domain may have its directory; the advanced one only where `openpgpkey.<domain>` exists. */
export function wkdDirectories(domain: string): readonly [advanced: WkdDirectory, direct: WkdDirectory] {
	const host = `openpgpkey.${domain}`;
	return [
		{ host, base: `https://${host}/.well-known/openpgpkey/${domain}` },
		{ host: domain, base: `https://${domain}/.well-known/openpgpkey` },
	];
}

/** The URL of the key of a local part. */
export function wkdKeyUrl({ base }: WkdDirectory, localPart: string): string {
	const hash = zBase32(sha1(localPart.toLowerCase()));
	return `${base}/hu/${hash}?l=${encodeURIComponent(localPart)}`;
}

/** Whether a directory has a key for an address. We ask for the key of an invented address as a control. */
export type WkdFinding = 'key' | 'none';
