import { testAccountOf } from '../../core/keys/api-key.ts';
import type { AccountRef } from './port.ts';
import { note } from '../people/steps/note.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

export interface SetSuspendedRequest {
	readonly suspended: boolean;
}

/** Suspends an account or resumes it, with its test keys, from the next request on. Its jobs end early. A repetition is not told. */
export async function setSuspended(
	services: ManageServices,
	account: AccountRef,
	request: SetSuspendedRequest,
): Promise<{ suspendedAt: number | null }> {
	const { accountId } = account;
	const { suspended } = request;
	await requireAccount(services, account);
	await audit(services, suspended ? 'account.suspend' : 'account.unsuspend', accountId, {});
	const store = services.accounts(accountId);
	const at = suspended ? services.clock.now() : null;
	await services.accounts(testAccountOf(accountId)).suspend({ at });
	const isNew = await store.suspend({ at });
	const { suspendedAt } = await store.show();
	await services.directory.setSuspended(accountId, suspendedAt);
	const kind = suspended ? 'account_suspended' : 'account_resumed';
	if (isNew) note(services, accountId, { kind, by: 'operator' });
	return { suspendedAt };
}
