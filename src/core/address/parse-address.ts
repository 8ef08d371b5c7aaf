import { DOMAIN_OCTETS_MAX, LABEL_OCTETS_MAX, normalizeDomain, toAscii } from '../../lib/idna.ts';

/** An address that fits a RCPT command (RFC 5321 §4.1.2, RFC 6531 §3.3). */
export interface Address {
	/** As given: trimmed, NFC, the domain in lower case but in the script it was typed in. */
	email: string;
	/** As given (quotes included), because only its own server may interpret it (RFC 5321 §2.3.11). */
	localPart: string;
	/** A-labels, lower case, no trailing dot. */
	domain: string;
	/** The local part is not ASCII: only a server with SMTPUTF8 can take it (RFC 6531). */
	needsSmtputf8: boolean;
	/** `ada+lists@…` */
	hasPlusTag: boolean;
}

const FAULTS = {
	empty: 'The address is empty',
	too_long: 'The address is longer than 254 octets',
	control_character: 'The address contains a control character',
	hidden_character: 'The address contains an invisible or unassigned character',
	no_at_sign: 'The address has no @',
	several_at_signs: 'The address has more than one @',
	display_name: 'Only the address itself is accepted, without a display name or angle brackets',
	comment: 'Comments in parentheses are not accepted in an address',
	space: 'The address contains a space',
	local_part_empty: 'There is nothing before the @',
	local_part_too_long: 'The part before the @ is longer than 64 octets',
	local_part_dots: 'The part before the @ has a dot at its edge or two in a row',
	local_part_character: 'The part before the @ contains a character that is not allowed there',
	local_part_quotes: 'The quotes before the @ are not a quoted string',
	domain_empty: 'There is nothing after the @',
	domain_literal: 'An IP address is not accepted as the domain',
	domain_too_long: 'The domain is longer than 253 characters',
	domain_dots: 'The domain has a dot at its edge or two in a row',
	domain_character: 'The domain contains a character that is not allowed in a host name',
	domain_hyphen: 'A part of the domain begins or ends with a hyphen',
	domain_label_too_long: 'A part of the domain is longer than 63 characters',
	domain_idn: 'The internationalised domain is not valid',
	domain_dotless: 'The ending is missing, such as .com',
	domain_tld: 'The ending does not exist: it needs letters, such as .com',
	domain_not_public: 'The domain is not on the public Internet',
} as const;

/** The reason why a text is not an address that we accept. */
export type AddressFault = keyof typeof FAULTS;

export type ParsedAddress = { ok: true; address: Address } | { ok: false; reason: AddressFault };

// RFC 5321 §4.5.3.1.1, and §4.5.3.1.3 less the two angle brackets (RFC 3696 erratum 1690).
export const LOCAL_PART_OCTETS_MAX = 64;
export const ADDRESS_OCTETS_MAX = 254;
// No valid address is longer in any notation: composing (NFC) and IDNA never shorten by more than this.
const TEXT_LENGTH_MAX = 4 * ADDRESS_OCTETS_MAX;

const CONTROL = /\p{Cc}/u;
// Format characters (bidi, zero width), lone surrogates, private use, unassigned, every space but U+0020,
// fillers and variation selectors. U+FFFD replaces a letter that was decoded with the wrong encoding.
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFFD]|(?! )\p{Zs}/u;
// atext of RFC 5322 §3.2.3, which RFC 6531 §3.3 extends by everything beyond ASCII. Beyond ASCII we accept only
// letters, marks, numbers and word punctuation: an emoji in an address is a typing error.
const BEYOND_ASCII = String.raw`[^\0-\x7F]`;
const WORDS = String.raw`\p{L}\p{M}\p{N}\u00B7\u0375\u05F3\u05F4\u30FB`;
const ATOM = new RegExp(String.raw`^(?!\p{M})[\w!#$%&'*+\-/=?^${'`'}{|}~${WORDS}]+$`, 'u');
// RFC 5321 §4.1.2: qtextSMTP, and quoted-pairSMTP (any printable ASCII, but not a tab as in RFC 5322).
const QUOTED = new RegExp(String.raw`^"(?:[ !#-\[\]-~${WORDS}]|\\[ -~])*"$`, 'u');
const NOT_ASCII = new RegExp(BEYOND_ASCII, 'u');
const HOST_NAME = /^[a-z0-9.-]*$/;
// RFC 1123 §2.1: a top-level label is alphabetic, and ICANN delegates no single letter. IDN ones are A-labels.
const TOP_LEVEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/;
// Never in the public DNS: RFC 6762 §3, RFC 7686 §2. No mail lives in the infrastructure domain (RFC 3172).
const NOT_PUBLIC: ReadonlySet<string> = new Set(['local', 'onion', 'arpa']);

const CHARACTERS: Readonly<Partial<Record<string, string>>> = {
	',': 'a comma',
	';': 'a semicolon',
	':': 'a colon',
	'/': 'a slash',
	_: 'an underscore',
};

/** One sentence for the person who typed this text as an address. */
export function describeFault(reason: AddressFault, text: string): string {
	const [character] = reason === 'domain_character' ? (/[^a-z0-9.-]/i.exec(domainOf(text.trim())) ?? []) : [];
	if (character === undefined) return FAULTS[reason];
	return `There is ${CHARACTERS[character] ?? `“${character}”`} in the domain`;
}

// `Jane Doe <jane@x.test>`, the name perhaps in quotation marks (RFC 5322 §3.4); one address in one pair of brackets.
const NAMED = /^(?:[^<>@]*|"[^"]*"\s*)<([^<>\s]+)>$/;

/** The address in a text that people copy: without a display name and brackets, without `mailto:`. */
export function bareAddress(text: string): string {
	const trimmed = text.trim();
	return (NAMED.exec(trimmed)?.[1] ?? trimmed).replace(/^mailto:/i, '');
}

/** Parses one bare address. White space around it is ignored; anything else must belong to the address. */
export function parseAddress(text: string): ParsedAddress {
	const trimmed = text.trim();
	const fault = findTextFault(trimmed);
	if (fault !== null) return { ok: false, reason: fault };
	// A domain never contains an @, so the last one separates local part and domain.
	const at = trimmed.lastIndexOf('@');
	const localPart = trimmed.slice(0, at).normalize('NFC');
	const typedDomain = normalizeDomain(trimmed.slice(at + 1));
	const reason = findLocalPartFault(localPart) ?? findDomainFault(typedDomain);
	if (reason !== null) return { ok: false, reason };
	const domain = toAscii(typedDomain);
	if (domain === null) return { ok: false, reason: 'domain_idn' };
	const refused = findNameFault(domain);
	if (refused !== null) return { ok: false, reason: refused };
	if (octets(localPart) + 1 + domain.length > ADDRESS_OCTETS_MAX) return { ok: false, reason: 'too_long' };
	const spelled = `${localPart}@${typedDomain}`;
	// The given string itself where nothing changed: second copies of 50,000 long addresses would take 13 MB.
	const email = trimmed === spelled ? trimmed : spelled;
	const needsSmtputf8 = NOT_ASCII.test(localPart);
	const hasPlusTag = localPart.indexOf('+') > (localPart.startsWith('"') ? 1 : 0);
	return { ok: true, address: { email, localPart, domain, needsSmtputf8, hasPlusTag } };
}

/** The part behind the last `@` (RFC 5321 §4.1.2: a quoted local part may hold one). Without any: the whole text. */
export function domainOf(email: string): string {
	return email.slice(email.lastIndexOf('@') + 1);
}

/** The part before the last `@`, as it is written. */
export function localPartOf(email: string): string {
	return email.slice(0, email.lastIndexOf('@'));
}

/** A domain that can take mail, as DNS writes it (A-labels, lower case); null: the text is none. */
export function parseDomain(text: string): string | null {
	const parsed = parseAddress(`a@${text.trim().replace(/\.$/, '')}`);
	return parsed.ok ? parsed.address.domain : null;
}

function findTextFault(text: string): AddressFault | null {
	if (text === '') return 'empty';
	if (text.length > TEXT_LENGTH_MAX) return 'too_long';
	// Checked first: a line break must never reach an SMTP command.
	if (CONTROL.test(text)) return 'control_character';
	if (HIDDEN.test(text)) return 'hidden_character';
	if (!text.includes('@')) return 'no_at_sign';
	return /^[^"]*<|>$/.test(text) ? 'display_name' : null;
}

function findLocalPartFault(localPart: string): AddressFault | null {
	if (localPart === '') return 'local_part_empty';
	if (octets(localPart) > LOCAL_PART_OCTETS_MAX) return 'local_part_too_long';
	if (localPart.includes('"')) return QUOTED.test(localPart) ? null : 'local_part_quotes';
	if (localPart.includes('@')) return 'several_at_signs';
	if (/[()]/.test(localPart)) return 'comment';
	if (localPart.includes(' ')) return 'space';
	const atoms = localPart.split('.');
	if (atoms.includes('')) return 'local_part_dots';
	return atoms.every((atom) => ATOM.test(atom)) ? null : 'local_part_character';
}

function findDomainFault(domain: string): AddressFault | null {
	if (domain === '') return 'domain_empty';
	if (domain.startsWith('[')) return 'domain_literal';
	if (/[()]/.test(domain)) return 'comment';
	if (domain.includes(' ')) return 'space';
	const labels = domain.split('.');
	if (labels.includes('')) return 'domain_dots';
	if (NOT_ASCII.test(domain)) return null;
	if (!HOST_NAME.test(domain)) return 'domain_character';
	if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) return 'domain_hyphen';
	if (labels.some((label) => label.length > LABEL_OCTETS_MAX)) return 'domain_label_too_long';
	return domain.length > DOMAIN_OCTETS_MAX ? 'domain_too_long' : null;
}

function findNameFault(domain: string): AddressFault | null {
	const dot = domain.lastIndexOf('.');
	if (dot === -1) return 'domain_dotless';
	const top = domain.slice(dot + 1);
	if (!TOP_LEVEL.test(top)) return 'domain_tld';
	return NOT_PUBLIC.has(top) ? 'domain_not_public' : null;
}

function octets(text: string): number {
	return new TextEncoder().encode(text).length;
}
