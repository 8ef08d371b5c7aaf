import type { IdentityServices, OneTimeLink } from './port.ts';
import type { ResetPasswordRequest } from './reset-password.ts';
import { openLink } from './steps/links.ts';

/** The address whose password a link resets; null if the link is no longer valid. Changes nothing. */
export async function lookAtReset(
	services: Pick<IdentityServices, 'clock' | 'people'>,
	request: Pick<ResetPasswordRequest, 'token'>,
): Promise<Pick<OneTimeLink, 'email' | 'userId'> | null> {
	return openLink(services, 'reset_password', request.token);
}
