import { accountBytesOf } from '../../../core/keys/api-key.ts';
import type { SigningSecret } from '../../../core/keys/api-key.ts';
import { ServiceError } from '../../../errors.ts';
import type { NoteServices } from '../../people/steps/note.ts';
import type { AuditEntry, Directory } from '../directory-port.ts';
import type { AccountRef, Accounts } from '../port.ts';

/** The services of operators' actions on accounts. Each action is written to the audit trail first. */
export interface ManageServices extends NoteServices {
	readonly accounts: Accounts;
	readonly directory: Directory;
	readonly signing: SigningSecret | null;
	readonly trialCredits: number;
	readonly secureRandom: (octets: number) => Uint8Array;
}

/** The account's entry in the listing. Throws `ServiceError` `account_not_found`. */
export async function requireAccount(
	services: ManageServices,
	{ accountId }: AccountRef,
): Promise<{ email: string; createdAt: number }> {
	// An id that we never issued must not create an object.
	const record = accountBytesOf(accountId) === null ? null : await services.directory.findAccount(accountId);
	if (record === null) throw new ServiceError('account_not_found', 'There is no such account');
	return record;
}

/** Records an action in the audit trail, before it is done. */
export async function audit(
	services: Pick<ManageServices, 'clock' | 'directory'>,
	action: string,
	accountId: string | null,
	detail: AuditEntry['detail'],
): Promise<void> {
	await services.directory.audit({ at: services.clock.now(), action, accountId, detail });
}
