import { digestOfToken } from '../../core/identity/one-time-link.ts';
import { isAlive, needsTouch } from '../../core/identity/session-lifetime.ts';
import type { IdentityServices, SignedIn } from './port.ts';

export interface SessionRequest {
	/** The token from the browser's cookie. */
	readonly token: string;
}

/** The person who is signed in with a token; null for an unknown token or a session that has ended. */
export async function findSession(
	services: Pick<IdentityServices, 'clock' | 'sessions'>,
	request: SessionRequest,
): Promise<SignedIn | null> {
	const found = await services.sessions.find(digestOfToken(request.token));
	const now = services.clock.now();
	if (found === null || !isAlive(found.session, now)) return null;
	if (needsTouch(found.session, now)) await services.sessions.touch(found.session.tokenHash, now);
	return found;
}
