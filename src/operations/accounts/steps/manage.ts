import { accountBytesOf } from '../../../core/keys/api-key.ts';
import type { SigningSecret } from '../../../core/keys/api-key.ts';
import type { Clock } from '../../../engine/ports.ts';
import { ServiceError } from '../../../errors.ts';
import type { NoteServices } from '../../people/steps/note.ts';
import type { AuditEntry, Directory } from '../directory-port.ts';
import type { AccountRef, Accounts } from '../port.ts';

/** What an entry of the audit trail needs. */
export interface AuditTrailServices {
	readonly clock: Clock;
	readonly directory: Directory;
	/** The operator who acts, by name; outside the operators' API, the service itself. */
	readonly actor: string;
}

/** The services of operators' actions on accounts. Each action is written to the audit trail first. */
export interface ManageServices extends NoteServices, AuditTrailServices {
	readonly accounts: Accounts;
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
	{ actor, clock, directory }: AuditTrailServices,
	action: string,
	accountId: string | null,
	detail: AuditEntry['detail'],
): Promise<void> {
	await directory.audit({ at: clock.now(), by: actor, action, accountId, detail });
}
