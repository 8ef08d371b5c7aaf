import type { IdentityServices, SignedIn } from './port.ts';
import { note } from './steps/note.ts';
import type { NoteServices } from './steps/note.ts';

export interface RevokeSessionRequest {
	/** `others`: all except the current one. */
	readonly which: 'others' | { readonly sessionId: string };
}

/** Ends sessions of the person. Repeating it changes nothing. */
export async function revokeSession(
	services: Pick<IdentityServices, 'sessions'> & NoteServices,
	person: SignedIn,
	request: RevokeSessionRequest,
): Promise<void> {
	const { user, session } = person;
	const { which } = request;
	if (which === 'others') await services.sessions.revokeOthers(user.id, session.tokenHash);
	else await services.sessions.revoke(user.id, which.sessionId);
	note(services, user.accountId, { kind: 'sessions_ended', device: session.device });
}
