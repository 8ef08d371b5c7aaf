import { toBase64 } from '../../lib/encodings.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import type { SigningSecret } from '../keys/api-key.ts';

/** Random bytes of a salt. */
export const SALT_OCTETS = 16;
/** How long events are also signed with the former secret after a rotation. */
export const FORMER_SECRET_MS = 24 * 3_600_000;

/** The stored data about an endpoint's secret. */
export interface SecretRef {
	/** The version of the service's secret that it is derived from. */
	readonly version: number;
	readonly salt: string;
	/** The end of a former secret, epoch ms; null: it is the current one. */
	readonly until: number | null;
}

/** The owner of a secret. */
export interface SecretOwner {
	readonly accountId: string;
	readonly webhookId: string;
}

const encoder = new TextEncoder();

/**
 * The secret by which an endpoint recognises our events: `whsec_` and 32 bytes in base 64 (Standard Webhooks). We
 * derive it from the service's secret and a salt, and store it nowhere, so a leaked database signs nothing.
 */
export function webhookSecret(
	{ secret }: SigningSecret,
	{ accountId, webhookId }: SecretOwner,
	salt: string,
): string {
	const key = hmacSha256(secret, encoder.encode('webhook secret'));
	return `whsec_${toBase64(hmacSha256(key, encoder.encode(`${accountId} ${webhookId} ${salt}`)))}`;
}

/** The secrets that sign at `now`, the current one first. It leaves out secrets of a removed version. */
export function signingSecretsOf(
	secrets: readonly SigningSecret[],
	owner: SecretOwner,
	refs: readonly SecretRef[],
	now: number,
): readonly string[] {
	return refs
		.filter(({ until }) => until === null || until > now)
		.flatMap(({ version, salt }) => {
			const signing = secrets.find((each) => each.version === version);
			return signing === undefined ? [] : [webhookSecret(signing, owner, salt)];
		});
}

/** The references after a rotation. The former secret stays for a day; older ones end. */
export function rotated(
	[current]: readonly SecretRef[],
	next: Omit<SecretRef, 'until'>,
	now: number,
): readonly SecretRef[] {
	const former = current === undefined ? [] : [{ ...current, until: now + FORMER_SECRET_MS }];
	return [{ ...next, until: null }, ...former];
}
