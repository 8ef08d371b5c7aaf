import type { ConfirmRequest } from './confirm-address.ts';
import type { IdentityServices } from './port.ts';
import { isSameBrowser, openLink } from './steps/links.ts';

/** What the page of a confirmation link shows. Opening the page changes nothing, since mail scanners open links. */
export async function lookAtConfirmation(
	services: Pick<IdentityServices, 'clock' | 'people'>,
	request: Pick<ConfirmRequest, 'token' | 'visitor'>,
): Promise<{ email: string; needsPassword: boolean } | null> {
	const { token, visitor } = request;
	const link = await openLink(services, 'confirm_address', token);
	return link === null ? null : { email: link.email, needsPassword: !isSameBrowser(link, visitor) };
}
