import type { IdentityServices, SignedIn } from './port.ts';
import { note } from './steps/note.ts';
import type { NoteServices } from './steps/note.ts';

export interface RevokeSessionRequest {
	/** `others`: all except the current one. */
	readonly which: 'others' | { readonly sessionId: string };
}

/** Ends sessions of the person. Where none is left to end, nothing is told. */
export async function revokeSession(
	services: Pick<IdentityServices, 'sessions'> & NoteServices,
	person: SignedIn,
	request: RevokeSessionRequest,
): Promise<void> {
	const { user, session } = person;
	const { which } = request;
	const hasEnded =
		which === 'others'
			? await services.sessions.revokeOthers(user.id, session.tokenHash)
			: await services.sessions.revoke(user.id, which.sessionId);
	if (hasEnded) note(services, user.accountId, { kind: 'sessions_ended', device: session.device });
}
