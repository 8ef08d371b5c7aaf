import { toBase64Url } from '../../lib/base-encodings.ts';
import { equalInConstantTime } from '../../lib/constant-time.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import type { SigningSecret } from '../keys/api-key.ts';
import type { FactorRef, HalfSignedIn } from './second-factor.ts';

/** How long a secret waits for its first code. */
const CODE_WITHIN_MS = 60 * 60_000;
const encoder = new TextEncoder();

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
	const claim = `${version}.${now + CODE_WITHIN_MS}.${salt}`;
	return `${claim}.${proofOf(secret, claim, person)}`;
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
	if (!equalInConstantTime(proof, proofOf(signing.secret, claim, person))) return null;
	return { version: signing.version, salt };
}

function proofOf(secret: Uint8Array, claim: string, { id, passwordHash }: HalfSignedIn): string {
	const key = hmacSha256(secret, encoder.encode('offered factor'));
	return toBase64Url(hmacSha256(key, encoder.encode(`${claim} ${id} ${passwordHash}`)));
}
