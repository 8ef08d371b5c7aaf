import type { IdentityServices, OneTimeLink } from './port.ts';
import type { ResetPasswordRequest } from './reset-password.ts';
import { openLink } from './steps/open-link.ts';

/** Whose password a link resets while it holds; null after. Looking changes nothing. */
export async function lookAtReset(
	services: Pick<IdentityServices, 'clock' | 'people'>,
	request: Pick<ResetPasswordRequest, 'token'>,
): Promise<Pick<OneTimeLink, 'email' | 'userId'> | null> {
	return openLink(services, 'reset_password', request.token);
}
