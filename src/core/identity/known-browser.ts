import { fromBase64Url, toBase64Url } from '../../lib/base64url.ts';
import { equalInConstantTime } from '../../lib/constant-time.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import type { SigningSecret } from '../keys/api-key.ts';

/** How long a browser is asked to keep what it is known by. Each sign-in begins it anew. */
export const BROWSER_KNOWN_MS = 180 * 24 * 3_600_000;
/** Random bytes of a browser's id. */
export const BROWSER_ID_OCTETS = 16;
const MAC_OCTETS = 16;
const TOKEN_OCTETS = 1 + BROWSER_ID_OCTETS + 2 * MAC_OCTETS;
const encoder = new TextEncoder();

/** Of whom the browser is known. */
export interface KnownPerson {
	readonly loginName: string;
	/** As it is stored: with its own salt, so it is another one after each change. */
	readonly passwordHash: string;
}

/** A browser whose token we made for somebody with this login name. */
export interface ClaimedBrowser {
	readonly id: Uint8Array;
	/** Whether it was made while this was what is stored of the person's password. */
	isOfPassword(passwordHash: string): boolean;
}

/**
 * What a browser shows of having signed in before (OWASP calls it a device cookie): an id, bound to a person and to the
 * password of that time. It opens nothing; it only keeps its failures apart from those of strangers. Two proofs: the one
 * of the name is checked without looking anybody up, so that a made-up token can't be used to ask who has an account.
 */
export function issueBrowserToken(secret: SigningSecret, person: KnownPerson, id: Uint8Array): string {
	const proofs = [...proofOfName(secret, person.loginName, id), ...proofOfPassword(secret, person, id)];
	return toBase64Url(new Uint8Array([secret.version, ...id, ...proofs]));
}

/** Reads a token that is shown for a login name; null for whatever we did not make for it. */
export function readBrowserToken(
	secrets: readonly SigningSecret[],
	loginName: string,
	token: string,
): ClaimedBrowser | null {
	const bytes = fromBase64Url(token);
	if (bytes === null || bytes.length !== TOKEN_OCTETS) return null;
	const secret = secrets.find(({ version }) => version === bytes[0]);
	if (secret === undefined) return null;
	const id = bytes.subarray(1, 1 + BROWSER_ID_OCTETS);
	const [name, password] = [bytes.subarray(-2 * MAC_OCTETS, -MAC_OCTETS), bytes.subarray(-MAC_OCTETS)];
	if (!isSame(name, proofOfName(secret, loginName, id))) return null;
	const isOfPassword = (passwordHash: string): boolean =>
		isSame(password, proofOfPassword(secret, { passwordHash }, id));
	return { id, isOfPassword };
}

function proofOfName(secret: SigningSecret, loginName: string, id: Uint8Array): Uint8Array {
	return macOf(secret, `name ${loginName}`, id);
}

function proofOfPassword(
	secret: SigningSecret,
	{ passwordHash }: Pick<KnownPerson, 'passwordHash'>,
	id: Uint8Array,
): Uint8Array {
	return macOf(secret, `password ${passwordHash}`, id);
}

/** With a key of its own purpose: nothing that is signed elsewhere with the same secret is good here. */
function macOf({ secret }: SigningSecret, text: string, id: Uint8Array): Uint8Array {
	const key = hmacSha256(secret, encoder.encode('known browser'));
	return hmacSha256(key, new Uint8Array([...encoder.encode(text), ...id])).subarray(0, MAC_OCTETS);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
	return equalInConstantTime(toBase64Url(a), toBase64Url(b));
}
