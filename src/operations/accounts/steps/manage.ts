import { accountBytesOf } from '../../../core/keys/api-key.ts';
import { ServiceError } from '../../../errors.ts';
import type { AuditEntry } from '../../../storage/schema.ts';
import type { Services } from '../../../services.ts';

/** The services of operators' actions on accounts. Each action is written to the audit trail first. */
export type ManageServices = Pick<
	Services,
	'clock' | 'directory' | 'actor' | 'accounts' | 'signing' | 'trialCredits' | 'secureRandom'
>;

/** The entry of an account in the listing. Throws `ServiceError` `account_not_found`. */
export async function requireAccount(
	{ directory }: Pick<ManageServices, 'directory'>,
	accountId: string,
): Promise<{ email: string; createdAt: number; closedAt: number | null }> {
	// An id that we never issued must not create an object.
	const listed = accountBytesOf(accountId) === null ? null : await directory.findAccount(accountId);
	if (listed === null) throw new ServiceError('account_not_found', 'There is no such account');
	return listed;
}

/** Records an action in the audit trail, before it is done. */
export async function audit(
	{ actor, clock, directory }: Pick<Services, 'clock' | 'directory' | 'actor'>,
	action: string,
	accountId: string | null,
	detail: AuditEntry['detail'],
): Promise<void> {
	await directory.audit({ at: clock.now(), by: actor, action, accountId, detail });
}
