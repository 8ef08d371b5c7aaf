import { accountDeletedMail } from '../../core/identity/mails.ts';
import { isAlive } from '../../core/identity/tokens.ts';
import { testAccountOf } from '../../core/keys/api-key.ts';
import type { Session, SignedIn } from './port.ts';
import type { PeopleServices, Services } from '../../services.ts';

interface ChangeNameRequest {
	/** Empty: no name. */
	readonly name: string;
}

/** Changes the person's name. */
export async function changeName(
	services: Pick<Services, 'people'>,
	person: SignedIn,
	request: ChangeNameRequest,
): Promise<void> {
	await services.people.rename(person.user.id, request.name);
}

/** The person's active sessions, this one first, then by last use. */
export async function listSessions(
	services: Pick<Services, 'clock' | 'sessions'>,
	person: SignedIn,
): Promise<readonly (Session & { isThis: boolean })[]> {
	const { user, session: current } = person;
	const now = services.clock.now();
	const alive = (await services.sessions.list(user.id)).filter((session) => isAlive(session, now));
	const marked = alive.map((session) => ({ ...session, isThis: session.tokenHash === current.tokenHash }));
	return [...marked.filter(({ isThis }) => isThis), ...marked.filter(({ isThis }) => !isThis)];
}

interface RevokeSessionRequest {
	/** `others`: all except the current one. */
	readonly which: 'others' | { readonly sessionId: string };
}

/** Ends sessions of the person. */
export async function revokeSession(
	services: Pick<Services, 'sessions'>,
	person: SignedIn,
	request: RevokeSessionRequest,
): Promise<void> {
	const { user, session } = person;
	const { which } = request;
	if (which === 'others') await services.sessions.revokeOthers(user.id, session.tokenHash);
	else await services.sessions.revoke(user.id, which.sessionId);
}

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
