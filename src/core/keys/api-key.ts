import { base62Length, fromBase62, toBase62 } from '../../lib/base-encodings.ts';
import { equalInConstantTime } from '../../lib/constant-time.ts';
import { hmacSha256, sha256Hex } from '../../lib/digest.ts';

/** One of the secrets that sign API keys. A key contains the version of its secret. */
export interface SigningSecret {
	/** 1-255. */
	readonly version: number;
	readonly secret: Uint8Array;
}

/** The contents of an API key with a valid signature: enough to find the account without a look-up. */
export interface KeyRoute {
	readonly accountId: string;
	readonly keyId: string;
	/** SHA-256 of the key's random part. The account stores only this. */
	readonly secretHash: string;
}

const PREFIX = 'ms_live_';
const ACCOUNT_OCTETS = 10;
const KEY_OCTETS = 6;
const SECRET_OCTETS = 20;
/** Random bytes that `issueApiKey` needs. */
export const RANDOM_OCTETS = { account: ACCOUNT_OCTETS, key: KEY_OCTETS, secret: SECRET_OCTETS } as const;
const PAYLOAD_OCTETS = 1 + ACCOUNT_OCTETS + KEY_OCTETS + SECRET_OCTETS;
// HMAC-SHA-256 cut to 128 bits (RFC 2104 §5 allows down to 80).
const MAC_OCTETS = 16;
const KEY_LENGTH = PREFIX.length + base62Length(PAYLOAD_OCTETS + MAC_OCTETS);

/** `acc_…` from 10 random bytes. */
export function accountIdOf(bytes: Uint8Array): string {
	return `acc_${toBase62(bytes)}`;
}

/** The bytes of an account id, or null when the text is not an account id. */
export function accountBytesOf(accountId: string): Uint8Array | null {
	return accountId.startsWith('acc_') ? fromBase62(accountId.slice(4), ACCOUNT_OCTETS) : null;
}

/** Makes a key. The account stores only `route.secretHash`; the key itself is shown once. */
export function issueApiKey(
	signing: SigningSecret,
	parts: { readonly account: Uint8Array; readonly key: Uint8Array; readonly secret: Uint8Array },
): { apiKey: string; route: KeyRoute } {
	const payload = new Uint8Array([signing.version, ...parts.account, ...parts.key, ...parts.secret]);
	const apiKey = PREFIX + toBase62(new Uint8Array([...payload, ...macOf(signing, payload)]));
	return { apiKey, route: routeOf(payload) };
}

/** Reads a key and checks its signature, without any storage; null for a text that we did not sign. */
export function readApiKey(secrets: readonly SigningSecret[], text: string): KeyRoute | null {
	if (text.length !== KEY_LENGTH || !text.startsWith(PREFIX)) return null;
	const bytes = fromBase62(text.slice(PREFIX.length), PAYLOAD_OCTETS + MAC_OCTETS);
	if (bytes === null) return null;
	const payload = bytes.subarray(0, PAYLOAD_OCTETS);
	const signing = secrets.find(({ version }) => version === payload[0]);
	if (signing === undefined) return null;
	const genuine = equalInConstantTime(
		toBase62(bytes.subarray(PAYLOAD_OCTETS)),
		toBase62(macOf(signing, payload)),
	);
	return genuine ? routeOf(payload) : null;
}

function macOf({ secret }: SigningSecret, payload: Uint8Array): Uint8Array {
	return hmacSha256(secret, payload).subarray(0, MAC_OCTETS);
}

function routeOf(payload: Uint8Array): KeyRoute {
	const account = payload.subarray(1, 1 + ACCOUNT_OCTETS);
	const key = payload.subarray(1 + ACCOUNT_OCTETS, 1 + ACCOUNT_OCTETS + KEY_OCTETS);
	const secret = payload.subarray(1 + ACCOUNT_OCTETS + KEY_OCTETS);
	return { accountId: accountIdOf(account), keyId: `key_${toBase62(key)}`, secretHash: sha256Hex(secret) };
}
