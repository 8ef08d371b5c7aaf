import { base62Length, fromBase62, toBase62 } from '../../lib/encodings.ts';
import { assert } from '../../lib/assert.ts';
import { equalInConstantTime, hmacSha256, sha256Hex } from '../../lib/digest.ts';

/** One of the secrets that sign API keys. A key contains the version of its secret. */
export interface SigningSecret {
	/** 1-255. */
	readonly version: number;
	readonly secret: Uint8Array;
}

/** `test`: the key's answers are made up, and cost nothing. */
export type KeyMode = 'live' | 'test';

/** The contents of an API key with a valid signature: enough to find the account without a look-up. */
export interface KeyRoute {
	/** For a test key: the test account beside the live one. */
	readonly accountId: string;
	readonly keyId: string;
	/** SHA-256 of the key's random part. The account stores only this. */
	readonly secretHash: string;
	/** The version of the signing secret. */
	readonly version: number;
	/** The last characters of the key, by which people tell keys apart: all keys of an account begin alike. */
	readonly ending: string;
}

const PREFIXES: Readonly<Record<KeyMode, string>> = {
	live: 'ms_live_',
	test: 'ms_test_',
};
const LIVE_ACCOUNT = 'acc_';
const TEST_ACCOUNT = 'test_';
const ACCOUNT_OCTETS = 10;
const KEY_OCTETS = 6;
const SECRET_OCTETS = 20;
/** Random bytes that `issueApiKey` needs. */
export const RANDOM_OCTETS = { account: ACCOUNT_OCTETS, key: KEY_OCTETS, secret: SECRET_OCTETS } as const;
const PAYLOAD_OCTETS = 1 + ACCOUNT_OCTETS + KEY_OCTETS + SECRET_OCTETS;
// HMAC-SHA-256 cut to 128 bits (RFC 2104 §5 allows down to 80).
const MAC_OCTETS = 16;
// They come from the signature and reveal nothing of the secret: 24 bits of the signature's 128.
const ENDING_LENGTH = 4;
const BODY_LENGTH = base62Length(PAYLOAD_OCTETS + MAC_OCTETS);

/** `acc_…` from 10 random bytes. */
export function accountIdOf(bytes: Uint8Array): string {
	return `${LIVE_ACCOUNT}${toBase62(bytes)}`;
}

/** The bytes of a live account's id, or null when the text is none. */
export function accountBytesOf(accountId: string): Uint8Array | null {
	return accountId.startsWith(LIVE_ACCOUNT)
		? fromBase62(accountId.slice(LIVE_ACCOUNT.length), ACCOUNT_OCTETS)
		: null;
}

/**
 * The account for the test keys of a live account. It has jobs, rate limits and credits of its own, so no test can
 * touch live data.
 */
export function testAccountOf(accountId: string): string {
	assert(isLiveAccount(accountId), 'only a live account has one for tests');
	return `${TEST_ACCOUNT}${accountId.slice(LIVE_ACCOUNT.length)}`;
}

/** The live account that a test account belongs to; for a live account, itself. */
export function liveAccountOf(accountId: string): string {
	return isTestAccount(accountId) ? `${LIVE_ACCOUNT}${accountId.slice(TEST_ACCOUNT.length)}` : accountId;
}

export function isLiveAccount(accountId: string): boolean {
	return accountId.startsWith(LIVE_ACCOUNT);
}

export function isTestAccount(accountId: string): boolean {
	return accountId.startsWith(TEST_ACCOUNT);
}

/** Makes a key. The account stores only `route.secretHash`; the key itself is shown once. */
export function issueApiKey(
	signing: SigningSecret,
	parts: { readonly account: Uint8Array; readonly key: Uint8Array; readonly secret: Uint8Array },
	mode: KeyMode = 'live',
): { apiKey: string; route: KeyRoute } {
	const payload = new Uint8Array([signing.version, ...parts.account, ...parts.key, ...parts.secret]);
	const mac = macOf(signing, payload, mode);
	const apiKey = PREFIXES[mode] + toBase62(new Uint8Array([...payload, ...mac]));
	return { apiKey, route: routeOf(payload, mode, apiKey) };
}

/** Reads a secret key and checks its signature, without any storage; null for a text that we did not sign. */
export function readApiKey(secrets: readonly SigningSecret[], text: string): KeyRoute | null {
	const found = read(text);
	const signing = secrets.find(({ version }) => version === found?.payload[0]);
	if (found === null || signing === undefined) return null;
	const { mode, payload, mac } = found;
	const genuine = equalInConstantTime(toBase62(mac), toBase62(macOf(signing, payload, mode)));
	return genuine ? routeOf(payload, mode, text) : null;
}

/**
 * The live account and the id that a key of any kind names, without a check of its signature: for operators, who find a
 * leaked key and have no secret at hand. Null for a text that is no key.
 */
export function keyNamedBy(text: string): Pick<KeyRoute, 'accountId' | 'keyId'> | null {
	const found = read(text);
	if (found === null) return null;
	const { accountId, keyId } = routeOf(found.payload, found.mode, text);
	return { accountId: liveAccountOf(accountId), keyId };
}

/** The mode, the payload and the signature of a text that looks like a key. */
function read(text: string): { mode: KeyMode; payload: Uint8Array; mac: Uint8Array } | null {
	const mode = text.startsWith(PREFIXES.test) ? 'test' : 'live';
	const { length } = PREFIXES[mode];
	if (text.length !== length + BODY_LENGTH || !text.startsWith(PREFIXES[mode])) return null;
	const bytes = fromBase62(text.slice(length), PAYLOAD_OCTETS + MAC_OCTETS);
	return bytes && { mode, payload: bytes.subarray(0, PAYLOAD_OCTETS), mac: bytes.subarray(PAYLOAD_OCTETS) };
}

/** Signs a key. Except for a live key, the signature covers the prefix, so no kind of key can be turned into another. */
function macOf({ secret }: SigningSecret, payload: Uint8Array, mode: KeyMode): Uint8Array {
	return hmacSha256(secret, mode === 'live' ? '' : PREFIXES[mode], payload).subarray(0, MAC_OCTETS);
}

function routeOf(payload: Uint8Array, mode: KeyMode, apiKey: string): KeyRoute {
	const account = payload.subarray(1, 1 + ACCOUNT_OCTETS);
	const key = payload.subarray(1 + ACCOUNT_OCTETS, 1 + ACCOUNT_OCTETS + KEY_OCTETS);
	const secret = payload.subarray(1 + ACCOUNT_OCTETS + KEY_OCTETS);
	const live = accountIdOf(account);
	const accountId = mode === 'test' ? testAccountOf(live) : live;
	const ending = apiKey.slice(-ENDING_LENGTH);
	const [version = 0] = payload;
	return { accountId, keyId: `key_${toBase62(key)}`, secretHash: sha256Hex(secret), version, ending };
}

/** A key as it can be recognised in a customer's configuration: `ms_live_…x7Kq`. */
export function abbreviateKey(mode: KeyMode, ending: string): string {
	return `${PREFIXES[mode]}…${ending}`;
}
