import { accountBytesOf } from '../../../core/keys/api-key.ts';
import { ServiceError } from '../../../errors.ts';
import type { AuditEntry } from '../directory-port.ts';
import type { AccountRef } from '../port.ts';
import type { Services } from '../../../services.ts';

/** The services that write an entry of the audit trail. */
export type AuditTrailServices = Pick<Services, 'clock' | 'directory' | 'actor'>;

/** The services of operators' actions on accounts. Each action is written to the audit trail first. */
export type ManageServices = Pick<
	Services,
	| 'activities'
	| 'clock'
	| 'later'
	| 'directory'
	| 'actor'
	| 'accountRegister'
	| 'accounts'
	| 'signing'
	| 'trialCredits'
	| 'secureRandom'
>;

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
