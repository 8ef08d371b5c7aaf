import { digestOfToken } from '../../../core/identity/tokens.ts';
import type { LinkPurpose } from '../../../core/identity/tokens.ts';
import { equalInConstantTime } from '../../../lib/digest.ts';
import type { IdentityServices, OneTimeLink } from '../port.ts';

/** The URL of a link in a mail. `base` is our public URL, never a request's Host. */
export function pageLink(base: string, page: DashboardPage, token?: string): string {
	const url = new URL(`/dashboard/${page}`, base);
	if (token !== undefined) url.searchParams.set('token', token);
	return url.href;
}

/** Pages that mails lead to. */
export type DashboardPage =
	| 'confirm'
	| 'settings/address/confirm'
	| 'reset-password'
	| 'forgotten-password'
	| 'sign-in';

/** The link of a mail, or null if it is no longer valid. Changes nothing, since mail scanners open links. */
export async function openLink(
	{ clock, people }: Pick<IdentityServices, 'clock' | 'people'>,
	purpose: LinkPurpose,
	token: string,
): Promise<OneTimeLink | null> {
	const link = await people.findLink(digestOfToken(token), purpose);
	return link === null || link.usedAt !== null || clock.now() >= link.expiresAt ? null : link;
}

/** Whether the browser is the one that signed up. */
export function isSameBrowser({ visitorHash }: OneTimeLink, visitor: string | null): boolean {
	return visitor !== null && visitorHash !== null && equalInConstantTime(digestOfToken(visitor), visitorHash);
}
