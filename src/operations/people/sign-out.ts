import { digestOfToken } from '../../core/identity/one-time-link.ts';
import type { SessionRequest } from './find-session.ts';
import type { IdentityServices } from './port.ts';

/** Ends the session of a token. Repeating it changes nothing. */
export async function signOut(
	services: Pick<IdentityServices, 'sessions'>,
	request: SessionRequest,
): Promise<void> {
	await services.sessions.remove(digestOfToken(request.token));
}
