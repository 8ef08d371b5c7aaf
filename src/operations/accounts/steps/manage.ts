import type { Accounts } from '../object-port.ts';
import { accountBytesOf } from '../../../core/keys/api-key.ts';
import type { SigningSecret } from '../../../core/keys/api-key.ts';
import type { Clock } from '../../../engine/ports.ts';
import { ServiceError } from '../../../errors.ts';
import type { NoteServices } from '../../people/steps/note.ts';
import type { AuditEntry, Directory, AccountRegister } from '../directory-port.ts';
import type { AccountRef } from '../port.ts';

/** The services that write an entry of the audit trail. */
export interface AuditTrailServices {
	readonly clock: Clock;
	readonly directory: Directory;
	/** The operator who acts, by name; outside the operators' API, the service itself. */
	readonly actor: string;
}

/** The services of operators' actions on accounts. Each action is written to the audit trail first. */
export interface ManageServices extends NoteServices, AuditTrailServices {
	readonly accountRegister: AccountRegister;
	readonly accounts: Accounts;
	readonly signing: SigningSecret | null;
	readonly trialCredits: number;
	readonly secureRandom: (octets: number) => Uint8Array;
}

/**
 * The facts about an account outside its object: its entry in the listing or, where that was lost, in the register,
 * which has no address. Throws `ServiceError` `account_not_found`.
 */
export async function requireAccount(
	services: ManageServices,
	{ accountId }: AccountRef,
): Promise<{ email: string | null; createdAt: number }> {
	// An id that we never issued must not create an object.
	const isOurs = accountBytesOf(accountId) !== null;
	const listed = isOurs ? await services.directory.findAccount(accountId) : null;
	if (listed !== null) return listed;
	const createdAt = isOurs ? await services.accountRegister.enteredAt(accountId) : null;
	if (createdAt === null) throw new ServiceError('account_not_found', 'There is no such account');
	return { email: null, createdAt };
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
