import type { ConfirmRequest } from './confirm-address.ts';
import type { IdentityServices } from './port.ts';
import { isSameBrowser, openLink } from './steps/open-link.ts';

/** What the page of a link must show before anything is done. Opening it changes nothing: mail scanners open links. */
export async function lookAtConfirmation(
	services: Pick<IdentityServices, 'clock' | 'people'>,
	request: Pick<ConfirmRequest, 'token' | 'visitor'>,
): Promise<{ email: string; needsPassword: boolean } | null> {
	const { token, visitor } = request;
	const link = await openLink(services, 'confirm_address', token);
	return link === null ? null : { email: link.email, needsPassword: !isSameBrowser(link, visitor) };
}
