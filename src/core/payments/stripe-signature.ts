import { equalInConstantTime, hmacSha256 } from '../../lib/digest.ts';

/** The largest difference between a signature's time and ours, in seconds: that of Stripe's own libraries. */
export const SIGNATURE_TOLERANCE_S = 300;

const HEADER_LENGTH_MAX = 2_048;

/** The input of `isSignedByStripe`. */
export interface SignedBody {
	/** The received body, octet by octet. */
	readonly body: Uint8Array;
	/** `Stripe-Signature`: `t=1700000000,v1=hex,v1=hex`; null: there was none. */
	readonly header: string | null;
	/** The endpoint's secrets: two while one replaces the other. */
	readonly secrets: readonly string[];
	/** Epoch milliseconds. */
	readonly now: number;
}

/**
 * Whether Stripe signed the body, by any of the secrets, at about this time. One good `v1` is enough: Stripe sends one
 * for each secret while they are rolled.
 */
export function isSignedByStripe({ body, header, secrets, now }: SignedBody): boolean {
	if (header === null || header.length > HEADER_LENGTH_MAX) return false;
	const parts = header.split(',').map((part) => part.trim());
	const [time, ...otherTimes] = valuesOf(parts, 't');
	if (time === undefined || otherTimes.length > 0 || !/^\d{1,12}$/.test(time)) return false;
	if (Math.abs(Math.floor(now / 1000) - Number(time)) > SIGNATURE_TOLERANCE_S) return false;
	const given = valuesOf(parts, 'v1');
	return secrets.some((secret) => {
		const expected = signatureOf(body, secret, time);
		return given.some((signature) => equalInConstantTime(signature, expected));
	});
}

/** The `v1` of a body, in hex. `time`: seconds, as in `t`. */
export function signatureOf(body: Uint8Array, secret: string, time: string): string {
	return hmacSha256(secret, `${time}.`, body).toString('hex');
}

function valuesOf(parts: readonly string[], name: string): readonly string[] {
	return parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
}
