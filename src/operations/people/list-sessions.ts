import { isAlive } from '../../core/identity/session-lifetime.ts';
import type { IdentityServices, Session, SignedIn } from './port.ts';

/** The person's active sessions, this one first, then by last use. */
export async function listSessions(
	services: Pick<IdentityServices, 'clock' | 'sessions'>,
	person: SignedIn,
): Promise<readonly (Session & { isThis: boolean })[]> {
	const { user, session: own } = person;
	const now = services.clock.now();
	const alive = (await services.sessions.list(user.id)).filter((session) => isAlive(session, now));
	const marked = alive.map((session) => ({ ...session, isThis: session.tokenHash === own.tokenHash }));
	return [...marked.filter(({ isThis }) => isThis), ...marked.filter(({ isThis }) => !isThis)];
}
