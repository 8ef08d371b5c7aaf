import { testAccountOf } from '../../core/keys/api-key.ts';
import { accountDeletedMail } from '../../core/identity/mails.ts';
import { askAgain } from './steps/ask-again.ts';
import type { AskAgainRequest, AskedAgain } from './steps/ask-again.ts';
import type { UploadBlobs } from '../uploads/port.ts';
import type { IdentityServices, SignedIn } from './port.ts';

/**
 * Deletes the account of a person who proves to be its owner: the account first, so that all work in its name ends, then
 * the person. If it dies in between, the person can still sign in and repeat it. The ledger stays, without personal
 * data.
 */
export async function deleteAccount(
	services: IdentityServices & { readonly uploadBlobs: Pick<UploadBlobs, 'removeAllOf'> },
	person: SignedIn,
	request: AskAgainRequest,
): Promise<{ kind: 'deleted' } | Exclude<AskedAgain, { kind: 'right' }>> {
	const { user } = person;
	const asked = await askAgain(services, user, request);
	if (asked.kind !== 'right') return asked;
	const now = services.clock.now();
	const { accountId, email } = user;
	await services.directory.audit({ at: now, by: 'owner', action: 'account.delete', accountId, detail: {} });
	await services.accounts(testAccountOf(accountId)).close({ now });
	await services.accounts(accountId).close({ now });
	await services.uploadBlobs.removeAllOf(accountId);
	await services.people.remove(user, now);
	services.later(() => services.mailer.send({ to: email, ...accountDeletedMail() }));
	return { kind: 'deleted' };
}
