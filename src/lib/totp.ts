import { createHmac } from 'node:crypto';
import { Secret, TOTP } from 'otpauth/bare';

/** Bytes of a secret (RFC 4226 §4: 160 bits are recommended). */
export const TOTP_SECRET_OCTETS = 20;
// The settings that every authenticator app assumes (RFC 6238).
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30, hmac: hmacOf };
// RFC 6238 §5.2: one step back and ahead, for clocks that differ.
const WINDOW = 1;

/** The secret as people type it into an app: base 32 (RFC 4648 §6). */
export function totpSecretText(secret: Uint8Array): string {
	return secretOf(secret).base32;
}

/** The `otpauth:` URI that a QR code holds. */
export function totpUri(secret: Uint8Array, { issuer, label }: { issuer: string; label: string }): string {
	return new TOTP({ ...SETTINGS, issuer, label, secret: secretOf(secret) }).toString();
}

/** The code at a time (epoch ms). */
export function totpCode(secret: Uint8Array, now: number): string {
	return TOTP.generate({ ...SETTINGS, secret: secretOf(secret), timestamp: now });
}

/** The time step (of 30 s since 1970) that a code belongs to; null: it belongs to none around `now` (epoch ms). */
export function totpStepOf(secret: Uint8Array, code: string, now: number): number | null {
	const given = { token: code, secret: secretOf(secret), timestamp: now, window: WINDOW };
	const delta = TOTP.validate({ ...SETTINGS, ...given });
	return delta === null ? null : TOTP.counter({ period: SETTINGS.period, timestamp: now }) + delta;
}

function secretOf(bytes: Uint8Array): Secret {
	return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}

/** Uses the platform's HMAC, so that the library brings no hash functions of its own. */
function hmacOf(algorithm: string, key: Uint8Array, message: Uint8Array): Uint8Array {
	return createHmac(algorithm, key).update(message).digest();
}
