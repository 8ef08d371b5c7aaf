import { toBase64Url } from '../../lib/encodings.ts';
import { equalInConstantTime, hmacSha256, sha256Hex } from '../../lib/digest.ts';
import { TOTP_SECRET_OCTETS } from '../../lib/totp.ts';
import type { SigningSecret } from '../keys/api-key.ts';

/** Random bytes of a salt. */
export const FACTOR_SALT_OCTETS = 16;
/** How long a right password waits for its code. */
const CODE_WITHIN_MS = 10 * 60_000;
const encoder = new TextEncoder();

/** The stored data about a person's secret. */
export interface FactorRef {
	/** The version of the service's secret that it is derived from. */
	readonly version: number;
	readonly salt: string;
}

/**
 * The secret that an authenticator app shares with us. We derive it from the service's secret and a salt, and store
 * it nowhere, so a leaked database makes no codes. Null: the service's secret of that version was removed, so only
 * recovery codes work.
 */
export function factorSecret(
	secrets: readonly SigningSecret[],
	userId: string,
	{ version, salt }: FactorRef,
): Uint8Array | null {
	const signing = secrets.find((each) => each.version === version);
	if (signing === undefined) return null;
	const key = hmacSha256(signing.secret, encoder.encode('second factor'));
	return hmacSha256(key, encoder.encode(`${userId} ${salt}`)).subarray(0, TOTP_SECRET_OCTETS);
}

/** A person who sent the right password, but no code so far. */
interface HalfSignedIn {
	readonly id: string;
	readonly passwordHash: string;
}

/**
 * Issues the token that a browser holds between the password and the code: the person, the end, and our proof of
 * both, which a new password ends. It opens nothing by itself.
 */
export function issueHalfToken(
	{ version, secret }: SigningSecret,
	person: HalfSignedIn,
	now: number,
): string {
	const claim = `${version}.${now + CODE_WITHIN_MS}.${person.id}`;
	return `${claim}.${proofOf(secret, claim, person.passwordHash)}`;
}

/** A token that may be right. The person's record decides. */
interface ClaimedHalf {
	readonly userId: string;
	/** When the password was sent, epoch ms. */
	readonly since: number;
	/** Whether we issued it while the person had this password. */
	isOfPassword(passwordHash: string): boolean;
}

/** Reads the token of a browser; null: it is none of ours, or too old. */
export function readHalfToken(
	secrets: readonly SigningSecret[],
	token: string,
	now: number,
): ClaimedHalf | null {
	const [, claim = '', version, endsAt, userId = '', proof = ''] =
		/^((\d+)\.(\d+)\.(\w+))\.([\w-]+)$/.exec(token) ?? [];
	const signing = secrets.find((each) => String(each.version) === version);
	if (signing === undefined || now >= Number(endsAt)) return null;
	const isOfPassword = (passwordHash: string): boolean =>
		equalInConstantTime(proof, proofOf(signing.secret, claim, passwordHash));
	return { userId, since: Number(endsAt) - CODE_WITHIN_MS, isOfPassword };
}

function proofOf(secret: Uint8Array, claim: string, passwordHash: string): string {
	const key = hmacSha256(secret, encoder.encode('half signed in'));
	return toBase64Url(hmacSha256(key, encoder.encode(`${claim} ${passwordHash}`)));
}

export const RECOVERY_CODES = 10;
// 80 bits: too many to guess, so that a digest needs no salt and no slow hash.
const CODE_LENGTH = 16;
// Crockford's base 32: without the letters that are read as figures.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Makes ten codes, each good for one sign-in without the app: `7k2m-9qxd-w4hn-0rtz`. They are shown once. They follow
 * from the session's token and the form's id, neither of which is stored, so a form sent twice shows the same codes.
 */
export function makeRecoveryCodes(sessionToken: string, formId: string): readonly string[] {
	const key = encoder.encode(`recovery codes ${sessionToken}`);
	return Array.from({ length: RECOVERY_CODES }, (_, index) => {
		const random = hmacSha256(key, encoder.encode(`${formId} ${index}`));
		const code = Array.from(random.subarray(0, CODE_LENGTH), (octet) => DIGITS[octet % 32]).join('');
		return code.replaceAll(/(.{4})(?!$)/g, '$1-');
	});
}

/** The stored form of a code. */
export function digestOfRecoveryCode(code: string): string {
	return sha256Hex(`recovery code ${plain(code)}`);
}

/** The person's input where we ask for a code. */
type TypedCode =
	| { readonly kind: 'app'; readonly code: string }
	| { readonly kind: 'recovery'; readonly digest: string };

/** Reads six figures, or a recovery code in any spelling; null for anything else. */
export function readCode(text: string): TypedCode | null {
	const figures = text.replaceAll(/[\s-]/g, '');
	if (/^\d{6}$/.test(figures)) return { kind: 'app', code: figures };
	const code = plain(text);
	const isCode = code.length === CODE_LENGTH && Array.from(code).every((digit) => DIGITS.includes(digit));
	return isCode ? { kind: 'recovery', digest: digestOfRecoveryCode(code) } : null;
}

function plain(code: string): string {
	return code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
}

/** How long a secret waits for its first code. */
const OFFER_WITHIN_MS = 60 * 60_000;

/**
 * Issues the value that the form holds between the password and the first code: which secret, until when, and our
 * proof that this person sent the password for it. The secret is shown again with this alone, so an unlocked desk is
 * not enough to make one up.
 */
export function offerFactor(
	{ version, secret }: SigningSecret,
	person: HalfSignedIn,
	salt: string,
	now: number,
): string {
	const claim = `${version}.${now + OFFER_WITHIN_MS}.${salt}`;
	return `${claim}.${proofOfOffer(secret, claim, person)}`;
}

/**
 * Reads the field of a form; null: we made this person no such offer, or it is too old, or the password has changed
 * since.
 */
export function readOffer(
	secrets: readonly SigningSecret[],
	person: HalfSignedIn,
	offer: string,
	now: number,
): FactorRef | null {
	const [, claim = '', version, endsAt, salt = '', proof = ''] =
		/^((\d+)\.(\d+)\.([\w-]+))\.([\w-]+)$/.exec(offer) ?? [];
	const signing = secrets.find((each) => String(each.version) === version);
	if (signing === undefined || now >= Number(endsAt)) return null;
	if (!equalInConstantTime(proof, proofOfOffer(signing.secret, claim, person))) return null;
	return { version: signing.version, salt };
}

function proofOfOffer(secret: Uint8Array, claim: string, { id, passwordHash }: HalfSignedIn): string {
	const key = hmacSha256(secret, encoder.encode('offered factor'));
	return toBase64Url(hmacSha256(key, encoder.encode(`${claim} ${id} ${passwordHash}`)));
}
