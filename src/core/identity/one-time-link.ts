import { sha256Hex } from '../../lib/digest.ts';

/** What a link in a mail is good for. */
export type LinkPurpose = 'confirm_address' | 'reset_password';

const HOUR_MS = 3_600_000;
const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
	confirm_address: 24 * HOUR_MS,
	// OWASP: as short as people can live with.
	reset_password: HOUR_MS,
};

/** Random bytes of every token: guessing one is hopeless, so its digest needs no salt and no slow hash. */
export const TOKEN_OCTETS = 32;

/** When a link made at `now` ends, epoch ms. */
export function linkEndsAt(purpose: LinkPurpose, now: number): number {
	return now + LIFETIME_MS[purpose];
}

/** What is stored of a token of a link or session: who reads the database can't use it. */
export function digestOfToken(token: string): string {
	return sha256Hex(token);
}
