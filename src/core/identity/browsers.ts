import { fromBase64Url, toBase64Url } from '../../lib/encodings.ts';
import { equalInConstantTime, hmacSha256 } from '../../lib/digest.ts';
import type { SigningSecret } from '../keys/api-key.ts';

/** Lifetime of the cookie that identifies a browser. Each sign-in renews it. */
export const BROWSER_KNOWN_MS = 180 * 24 * 3_600_000;
/** Random bytes of a browser's id. */
export const BROWSER_ID_OCTETS = 16;
const MAC_OCTETS = 16;
const TOKEN_OCTETS = 1 + BROWSER_ID_OCTETS + 2 * MAC_OCTETS;
const encoder = new TextEncoder();

/** The person who signed in with the browser. */
interface KnownPerson {
	readonly loginName: string;
	/** As stored, with its salt, so it differs after each change of the password. */
	readonly passwordHash: string;
}

/** A browser with a token that we issued for this login name. */
interface ClaimedBrowser {
	readonly id: Uint8Array;
	/** Whether the token was issued while the person had this password hash. */
	isOfPassword(passwordHash: string): boolean;
}

/**
 * Issues a device cookie (OWASP's term) to a browser that signed in: an id, bound to the person and to the current
 * password. It grants nothing; failed sign-ins of a known browser are only counted apart from those of others. The
 * token has two proofs: that of the name is checked without a look-up, so that forged tokens can't reveal who has an
 * account.
 */
export function issueBrowserToken(secret: SigningSecret, person: KnownPerson, id: Uint8Array): string {
	const proofs = [...proofOfName(secret, person.loginName, id), ...proofOfPassword(secret, person, id)];
	return toBase64Url(new Uint8Array([secret.version, ...id, ...proofs]));
}

/** The id shared by all browsers of a person that are known only by a password reset: they have one budget together. */
export function browserIdOfResets(userId: string): Uint8Array {
	return hmacSha256(encoder.encode('browser of a reset'), encoder.encode(userId)).subarray(
		0,
		BROWSER_ID_OCTETS,
	);
}

/** Reads the token that is presented with a login name; null where we did not issue it for that name. */
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

/** Uses a key derived for this purpose, so that no other signature with the same secret is valid here. */
function macOf({ secret }: SigningSecret, text: string, id: Uint8Array): Uint8Array {
	const key = hmacSha256(secret, encoder.encode('known browser'));
	return hmacSha256(key, new Uint8Array([...encoder.encode(text), ...id])).subarray(0, MAC_OCTETS);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
	return equalInConstantTime(toBase64Url(a), toBase64Url(b));
}

// The first match counts: a browser's user agent also names the browsers it descends from.
const BROWSERS = [
	[/\bEdg(?:e|A|iOS)?\//, 'Edge'],
	[/\bOPR\//, 'Opera'],
	[/\b(?:Firefox|FxiOS)\//, 'Firefox'],
	[/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
	[/\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
	[/\b(?:iPhone|iPad)\b/, 'iOS'],
	[/\bAndroid\b/, 'Android'],
	[/\bWindows\b/, 'Windows'],
	[/\bMac OS X\b/, 'macOS'],
	[/\bCrOS\b/, 'ChromeOS'],
	[/\bLinux\b/, 'Linux'],
] as const;

/** A short name by which a person recognises a browser: `Firefox on Linux`. The user agent itself is not stored. */
export function describeDevice(userAgent: string): string {
	const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'A browser';
	const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
	return system === undefined ? browser : `${browser} on ${system}`;
}
