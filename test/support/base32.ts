const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a text in base 32 (RFC 4648 §6), in groups or not, as an authenticator app reads a key. */
export function fromBase32(text: string): Uint8Array {
	const bits = Array.from(text.replaceAll(/\s/g, ''))
		.map((digit) => DIGITS.indexOf(digit).toString(2).padStart(5, '0'))
		.join('');
	return Uint8Array.from(bits.match(/.{8}/g) ?? [], (octet) => Number.parseInt(octet, 2));
}
