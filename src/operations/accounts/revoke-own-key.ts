import type { IdentityServices, SignedIn } from '../people/port.ts';
import { note } from '../people/steps/note.ts';
import type { NoteServices } from '../people/steps/note.ts';
import { revokeAnyKey } from './steps/revoke-any-key.ts';

export interface RevokeOwnKeyRequest {
	readonly keyId: string;
	readonly label: string;
	readonly device: string;
}

/** Revokes a key for the person who is signed in; its next call is a 401. False: the account has no such key. */
export async function revokeOwnKey(
	services: Pick<IdentityServices, 'accounts'> & NoteServices,
	person: SignedIn,
	request: RevokeOwnKeyRequest,
): Promise<boolean> {
	const { keyId, label, device } = request;
	const outcome = await revokeAnyKey(services, person.user, keyId);
	if (outcome === 'revoked')
		note(services, person.user.accountId, { kind: 'key_revoked', device, about: label });
	return outcome !== 'no_such_key';
}
