import { domainToASCII, domainToUnicode } from 'node:url';

// RFC 1035 §2.3.4: 63 octets in a label. 255 octets on the wire are 253 characters of text.
export const LABEL_OCTETS_MAX = 63;
export const DOMAIN_OCTETS_MAX = 253;

// Characters that IDNA2008 allows in a label: RFC 5892 §2.1 (letters, marks, digits) and the few punctuation marks of
// appendix A.3-A.7. Symbols and emoji are out, as SAC095 asks. Compatibility forms fail the round trip.
const ULABEL = /^[-\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u00B7\u0375\u05F3\u05F4\u30FB]+$/u;
// Joiners are invisible. Some Persian and Indic names need them (RFC 5892 A.1, A.2); those can be
// written as A-labels, which can't hide anything.
const JOINERS = /[\u200C\u200D]/gu;
const LDH = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const NOT_ASCII = /[^\0-\x7F]/;
// RFC 3490 §3.1: the dots that East Asian keyboards produce also separate labels.
const WIDE_DOTS = /[\u3002\uFF0E\uFF61]/g;

/**
 * A domain name as DNS and SMTP write it (A-labels, lower case), or null when it is invalid. Accepts
 * host names only (RFC 1123 §2.1): no trailing dot, no underscore, no IP address. Single labels pass.
 */
export function toAscii(domain: string): string | null {
	// The longest name is shorter than this in any notation. This keeps megabytes of text away from the regexes.
	if (domain.length > 2 * DOMAIN_OCTETS_MAX) return null;
	const labels: string[] = [];
	for (const label of normalizeDomain(domain).split('.')) {
		const ascii = labelToAscii(label);
		if (ascii === null) return null;
		labels.push(ascii);
	}
	const ascii = labels.join('.');
	return ascii.length <= DOMAIN_OCTETS_MAX ? ascii : null;
}

/** Lower case, NFC and plain dots: equal for all spellings of one name. */
export function normalizeDomain(domain: string): string {
	if (!NOT_ASCII.test(domain)) return domain.toLowerCase();
	// Letter by letter: toLowerCase() of a whole word turns its last sigma into a final one, which UTS 46 does not.
	const lower = Array.from(domain.replace(WIDE_DOTS, '.'), (letter) => letter.toLowerCase()).join('');
	return lower.normalize('NFC');
}

function labelToAscii(label: string): string | null {
	if (!NOT_ASCII.test(label)) {
		if (label.length > LABEL_OCTETS_MAX || !LDH.test(label)) return null;
		return label.startsWith('xn--') ? checkedALabel(label) : label;
	}
	return ULABEL.test(label) ? roundTrip(label) : null;
}

/** RFC 5891 §5.4: an A-label must be the encoding of a valid U-label. */
function checkedALabel(label: string): string | null {
	const unicode = unicodeLabel(label);
	if (!NOT_ASCII.test(unicode) || !ULABEL.test(unicode.replace(JOINERS, ''))) return null;
	return roundTrip(unicode) === label ? label : null;
}

function roundTrip(unicode: string): string | null {
	// RFC 5891 §4.2.3.1: no hyphen at either end, and not both in the third and fourth place.
	if (unicode.startsWith('-') || unicode.endsWith('-') || unicode.slice(2, 4) === '--') return null;
	// With a suffix, because the WHATWG host parser behind these functions reads a bare number as an IPv4 address.
	const ascii = domainToASCII(`${unicode}.com`).slice(0, -'.com'.length);
	if (!ascii.startsWith('xn--') || ascii.length > LABEL_OCTETS_MAX) return null;
	// UTS 46 also maps full-width and ligature forms. A label that it changed was not a U-label.
	return unicodeLabel(ascii) === unicode ? ascii : null;
}

function unicodeLabel(ascii: string): string {
	return domainToUnicode(`${ascii}.com`).slice(0, -'.com'.length);
}
