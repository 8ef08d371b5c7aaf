import { digestOfToken } from '../../core/identity/one-time-link.ts';
import type { IdentityServices } from './port.ts';

/** Ends the session of a token. Repeating it changes nothing. */
export async function signOut(services: Pick<IdentityServices, 'sessions'>, token: string): Promise<void> {
	await services.sessions.remove(digestOfToken(token));
}
