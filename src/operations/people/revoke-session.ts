import type { IdentityServices, SignedIn } from './port.ts';

/** Ends one of the person's sessions, or with `others` all but this one. Repeating it changes nothing. */
export async function revokeSession(
	services: Pick<IdentityServices, 'sessions'>,
	{ user, session }: SignedIn,
	which: 'others' | { readonly sessionId: string },
): Promise<void> {
	if (which === 'others') await services.sessions.revokeOthers(user.id, session.tokenHash);
	else await services.sessions.revoke(user.id, which.sessionId);
}
