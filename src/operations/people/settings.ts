import type { IdentityServices, Session, SignedIn } from './port.ts';
import { parseAddress } from '../../core/address/parse-address.ts';
import { accountDeletedMail, passwordChangedMail } from '../../core/identity/mails.ts';
import { findPasswordFault } from '../../core/identity/passwords.ts';
import type { PasswordFault } from '../../core/identity/passwords.ts';
import { assert } from '../../lib/assert.ts';
import { askPassword, askAgain } from './steps/prove.ts';
import { newSession, rememberBrowser } from './steps/sessions.ts';
import type { BegunSession, Browser } from './steps/sessions.ts';
import { pageLink } from './steps/links.ts';
import { note } from './steps/note.ts';
import type { NoteServices } from './steps/note.ts';
import type { Throttled } from './steps/throttle.ts';
import { isAlive } from '../../core/identity/tokens.ts';
import { testAccountOf } from '../../core/keys/api-key.ts';
import type { AskAgainRequest, AskedAgain } from './steps/prove.ts';
import type { UploadBlobs } from '../uploads/port.ts';

interface ChangeNameRequest {
	/** Empty: no name. */
	readonly name: string;
}

/** Changes the person's name. */
export async function changeName(
	services: Pick<IdentityServices, 'people'>,
	person: SignedIn,
	request: ChangeNameRequest,
): Promise<void> {
	await services.people.rename(person.user.id, request.name);
}

interface ChangePasswordRequest extends Browser {
	readonly current: string;
	readonly password: string;
	readonly client: string;
	/** Our public URL. */
	readonly base: string;
}

/**
 * Replaces the password of a person who knows the current one. All other browsers are signed out and no longer known;
 * this one continues with new tokens.
 */
export async function changePassword(
	services: IdentityServices,
	person: SignedIn,
	request: ChangePasswordRequest,
): Promise<
	| ({ kind: 'changed' } & BegunSession)
	| { kind: 'wrong_password' }
	| { kind: 'weak_password'; fault: PasswordFault }
	| Throttled
> {
	const { user } = person;
	const parsed = parseAddress(user.email);
	assert(parsed.ok, 'people sign up with an address');
	const fault = findPasswordFault(request.password, parsed.address);
	if (fault !== null) return { kind: 'weak_password', fault };
	const proof = await askPassword(services, user, request.current, request.client);
	if (proof.kind !== 'right') return proof;
	const passwordHash = await services.passwords.inLine(user.id, (turn) => turn.hash(request.password));
	const { token, session } = newSession(services, user.id, request);
	await services.people.replacePassword(user.id, passwordHash, session);
	note(services, user.accountId, { kind: 'password_changed', device: request.device });
	const forgotten = pageLink(request.base, 'forgotten-password');
	services.later(() => services.mailer.send({ to: user.email, ...passwordChangedMail(forgotten) }));
	const browserToken = rememberBrowser(services, { ...user, passwordHash });
	return { kind: 'changed', token, browserToken };
}

/** The person's active sessions, this one first, then by last use. */
export async function listSessions(
	services: Pick<IdentityServices, 'clock' | 'sessions'>,
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

/** Ends sessions of the person. The person gets no mail if none was left to end. */
export async function revokeSession(
	services: Pick<IdentityServices, 'sessions'> & NoteServices,
	person: SignedIn,
	request: RevokeSessionRequest,
): Promise<void> {
	const { user, session } = person;
	const { which } = request;
	const hasEnded =
		which === 'others'
			? await services.sessions.revokeOthers(user.id, session.tokenHash)
			: await services.sessions.revoke(user.id, which.sessionId);
	if (hasEnded) note(services, user.accountId, { kind: 'sessions_ended', device: session.device });
}

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
	const proof = await askAgain(services, user, request);
	if (proof.kind !== 'right') return proof;
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

/** Deletes expired sessions, links (with their addresses), throttles, and activity that is no longer shown. */
export async function sweepIdentity(
	services: Pick<IdentityServices, 'clock' | 'people' | 'sessions' | 'attempts' | 'activities'>,
): Promise<void> {
	const { clock, people, sessions, attempts, activities } = services;
	const now = clock.now();
	await people.sweepLinks(now);
	await sessions.sweep(now);
	await attempts.sweep(now);
	await activities.sweep(now);
}
