import { accountDeletedMail } from '../../core/identity/mails.ts';
import { testAccountOf } from '../../core/keys/api-key.ts';
import type { SignedIn } from './port.ts';
import type { PeopleServices, Services } from '../../services.ts';

/**
 * Deletes the account: the account first, so that all work in its name ends, then the person. If it dies in between, the
 * person can still sign in and repeat it. The ledger stays, without personal data.
 */
export async function deleteAccount(
	services: PeopleServices & Pick<Services, 'uploadBlobs'>,
	{ user }: SignedIn,
): Promise<void> {
	const now = services.clock.now();
	const { accountId, email } = user;
	await services.directory.audit({ at: now, by: 'owner', action: 'account.delete', accountId, detail: {} });
	await services.accounts(testAccountOf(accountId)).close({ now });
	await services.accounts(accountId).close({ now });
	await services.uploadBlobs.removeAllOf(accountId);
	await services.people.remove(user, now);
	services.later(() => services.mailer.send({ to: email, ...accountDeletedMail() }));
}

/** Deletes expired sessions, codes (with their addresses) and throttles. */
export async function sweepIdentity(
	services: Pick<Services, 'clock' | 'people' | 'sessions' | 'attempts'>,
): Promise<void> {
	const { clock, people, sessions, attempts } = services;
	const now = clock.now();
	await people.sweepCodes(now);
	await sessions.sweep(now);
	await attempts.sweep(now);
}
