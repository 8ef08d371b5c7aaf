import type { Accounts } from '../accounts/object-port.ts';
import type { SignedIn } from '../people/port.ts';
import { note } from '../people/steps/note.ts';
import type { NoteServices } from '../people/steps/note.ts';

export interface KeepHistoryRequest {
	readonly keep: boolean;
	/** The browser and system in a few words. */
	readonly device: string;
}

/** Keeps the verifications of an account's owner from now on, or deletes them and keeps none. A repetition is not told. */
export async function keepHistory(
	services: NoteServices & { readonly accounts: Accounts },
	person: SignedIn,
	request: KeepHistoryRequest,
): Promise<void> {
	const { accountId } = person.user;
	const { keep, device } = request;
	const isNew = await services.accounts(accountId).keepHistory({ keep, now: services.clock.now() });
	if (isNew) note(services, accountId, { kind: keep ? 'history_on' : 'history_off', device });
}
