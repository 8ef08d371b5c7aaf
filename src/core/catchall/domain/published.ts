import { sha1, sha256Hex } from '../../../lib/digest.ts';

/** A place where a domain publishes one of its addresses. */
export type PublishedWhere = 'site' | 'security_txt' | 'dmarc' | 'tls_rpt' | 'soa' | 'caa';

/** A published address, as a digest: facts are kept for a week, and must not hold people's addresses. */
export interface PublishedAddress {
	readonly digest: string;
	readonly where: PublishedWhere;
}

// More than any honest page publishes; a page with a million addresses is an attack.
const ADDRESSES_MAX = 200;
const LOCAL_PART_MAX = 64;
// 96 bits: two addresses do not collide by accident.
const DIGEST_LENGTH = 24;

/** The digest of an address in the facts. Letter case is ignored: people publish one mailbox in any case. */
export function addressDigest(localPart: string, domain: string): string {
	return sha256Hex(`${localPart.toLowerCase()}@${domain.toLowerCase()}`).slice(0, DIGEST_LENGTH);
}

/** The domain's own addresses among the `mailto:` URIs in a text (RFC 6068), at most two hundred. */
export function readMailtos(
	text: string,
	domain: string,
	where: PublishedWhere,
): readonly PublishedAddress[] {
	const digests = new Set<string>();
	let matches = 0;
	for (const [, encoded = ''] of text.matchAll(/mailto:([^\s"'<>?]{3,400})/gi)) {
		if ((matches += 1) > ADDRESSES_MAX) break;
		for (const part of decodeText(encoded).split(',')) {
			const digest = digestOfOwn(part, domain);
			if (digest !== null) digests.add(digest);
		}
	}
	return [...digests].slice(0, ADDRESSES_MAX).map((digest) => ({ digest, where }));
}

/** The domain's own addresses in a list of report URIs (`rua`, RFC 7489 §6.2: a size may follow a `!`). */
export function readReportUris(
	list: string,
	domain: string,
	where: PublishedWhere,
): readonly PublishedAddress[] {
	const uris = list.split(',', ADDRESSES_MAX).map((uri) => uri.trim().replace(/![0-9]+[kmgt]?$/i, ''));
	return readMailtos(uris.join(' '), domain, where);
}

// DNS servers and hosting panels write these into every zone: the owner did not choose to publish them, and often the
// mailbox is not read.
const TEMPLATES: ReadonlySet<string> = new Set([
	'hostmaster',
	'root',
	'admin',
	'administrator',
	'postmaster',
	'webmaster',
	'dnsadmin',
	'dns',
	'nobody',
	'noreply',
]);

/** The address in the RNAME of a SOA record (RFC 1035 §8: the first label is the local part, `\.` a dot in it). */
export function readSoaAddress(rname: string, domain: string): readonly PublishedAddress[] {
	const match = /^((?:[^.\\]|\\.){1,80})\.(.+)$/.exec(rname.toLowerCase().slice(0, 300));
	const localPart = match?.[1]?.replace(/\\(.)/g, '$1') ?? '';
	if (match?.[2] !== domain.toLowerCase() || TEMPLATES.has(localPart)) return [];
	const digest = digestOfOwn(`${localPart}@${domain}`, domain);
	return digest === null ? [] : [{ digest, where: 'soa' }];
}

/** The addresses that CAA records name for incidents (RFC 8659 §4.4). */
export function readCaaAddresses(records: readonly string[], domain: string): readonly PublishedAddress[] {
	const uris = records.filter((record) => record.startsWith('iodef ')).slice(0, ADDRESSES_MAX);
	return readMailtos(uris.join('\n'), domain, 'caa');
}

/** The addresses in the `Contact` lines of a security.txt (RFC 9116 §2.5.3). */
export function readSecurityTxt(text: string, domain: string): readonly PublishedAddress[] {
	const lines = text.split(/\r?\n/, 500).filter((line) => /^contact:/i.test(line));
	return readMailtos(lines.join('\n'), domain, 'security_txt');
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
