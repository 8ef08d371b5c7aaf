import { sha256Hex } from '../../lib/digest.ts';

/** The purpose of a link in a mail. */
export type LinkPurpose = 'confirm_address' | 'reset_password' | 'change_address';

const HOUR_MS = 3_600_000;
const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
	confirm_address: 24 * HOUR_MS,
	change_address: 24 * HOUR_MS,
	// OWASP: as short as is practical.
	reset_password: HOUR_MS,
};

/** Random bytes of every token: too many to guess, so its digest needs no salt and no slow hash. */
export const TOKEN_OCTETS = 32;

/** When a link issued at `now` expires, epoch ms. */
export function linkEndsAt(purpose: LinkPurpose, now: number): number {
	return now + LIFETIME_MS[purpose];
}

/** The stored digest of a link's or session's token: a leaked database opens nothing. */
export function digestOfToken(token: string): string {
	return sha256Hex(token);
}
