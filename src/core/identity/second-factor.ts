import { toBase64Url } from '../../lib/base-encodings.ts';
import { equalInConstantTime } from '../../lib/constant-time.ts';
import { hmacSha256 } from '../../lib/digest.ts';
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
export interface HalfSignedIn {
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
export interface ClaimedHalf {
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
