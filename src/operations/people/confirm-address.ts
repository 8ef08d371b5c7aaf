import { parseAddress } from '../../core/address/parse-address.ts';
import { TRIAL_AGAIN } from '../../core/identity/throttles.ts';
import { trialKey } from '../../core/identity/login-name.ts';
import { assert } from '../../lib/assert.ts';
import { newSession } from './steps/begin-session.ts';
import type { BegunSession, Browser } from './steps/begin-session.ts';
import { rememberBrowser } from './steps/known-browser.ts';
import type { IdentityServices, OneTimeLink, User } from './port.ts';
import { isSameBrowser, openLink } from './steps/links.ts';
import { throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';

export interface ConfirmRequest extends Browser {
	readonly token: string;
	/** The browser's visitor token, if any. */
	readonly visitor: string | null;
	/** Required of every browser but the one that signed up. */
	readonly password: string | null;
	readonly client: string;
}

export type ConfirmResult =
	/** `hadTrial`: the mailbox had its trial credits before, so there are none now. */
	| ({ readonly kind: 'confirmed'; readonly hadTrial: boolean } & BegunSession)
	/** Unknown, used or expired. */
	| { readonly kind: 'link_ended' }
	| { readonly kind: 'password_needed' }
	| { readonly kind: 'wrong_password' }
	| Throttled;

/**
 * Creates the person, the account and the trial grant, and signs in. A browser other than the one that signed up must
 * send the password: otherwise an attacker could sign up with a victim's address and have the victim confirm the
 * attacker's password. Every step uses ids from the sign-up, so a confirmation that died half-way, or is sent twice at
 * once, creates everything once; only the first one to use the link is signed in.
 */
export async function confirmAddress(
	services: IdentityServices,
	request: ConfirmRequest,
): Promise<ConfirmResult> {
	const link = await openLink(services, 'confirm_address', request.token);
	if (link === null) return { kind: 'link_ended' };
	const refusal = isSameBrowser(link, request.visitor) ? null : await checkPassword(services, link, request);
	if (refusal !== null) return refusal;
	const user = await makePerson(services, link);
	// Another sign-up with this address was confirmed first, and its password counts.
	if (user.id !== link.userId) return { kind: 'link_ended' };
	const hadTrial = await openAccount(services, link, user);
	const isFirst = await services.people.useLink(link.tokenHash, services.clock.now());
	if (!isFirst) return { kind: 'link_ended' };
	const { token, session } = newSession(services, user.id, request);
	await services.sessions.insert(session);
	return { kind: 'confirmed', token, browserToken: rememberBrowser(services, user), hadTrial };
}

/** Requires the password of a browser other than the one that signed up; null when it is right. */
async function checkPassword(
	services: IdentityServices,
	{ tokenHash, userId, passwordHash }: OneTimeLink,
	{ password, client }: ConfirmRequest,
): Promise<ConfirmResult | null> {
	if (password === null) return { kind: 'password_needed' };
	return services.passwords.inLine(userId, async (turn) => {
		const throttled = await throttle(services, 'open_link', { client, account: tokenHash });
		if (throttled !== null) return throttled;
		return (await turn.isRight(password, passwordHash)) ? null : { kind: 'wrong_password' };
	});
}

async function makePerson({ clock, people }: IdentityServices, link: OneTimeLink): Promise<User> {
	const { userId: id, email, loginName, passwordHash } = link;
	assert(passwordHash !== null && link.accountId !== null, 'a sign-up has a password and an account');
	// An operator may have made an account for this address before (docs/decisions/0010-people-and-accounts.md).
	const typed = parseAddress(email);
	const names = typed.ok ? [loginName, typed.address.email.toLowerCase()] : [loginName];
	const accountId = (await people.freeAccountOf(names)) ?? link.accountId;
	return people.insert({
		id,
		email,
		loginName,
		accountId,
		passwordHash,
		name: '',
		createdAt: clock.now(),
	});
}

/** Opens the account. True: the mailbox had its trial credits before. */
async function openAccount(services: IdentityServices, link: OneTimeLink, user: User): Promise<boolean> {
	const { accountId, email } = user;
	const now = services.clock.now();
	await services.accountRegister.enter(accountId);
	await services.directory.insertAccount({ id: accountId, email, createdAt: now });
	const account = services.accounts(accountId);
	// Also for an account made by an operator, since that may have died after listing it.
	await account.open({ now, initialCredits: 0, key: null });
	// An account that an operator opened got its credits then.
	if (accountId !== link.accountId || services.trialCredits === 0) return false;
	if (!(await mayHaveTrial(services, link))) return true;
	// With a space, which ids from operators can't have.
	await account.grant({ id: `trial ${user.id}`, credits: services.trialCredits, now });
	return false;
}

/**
 * The end of a mailbox's trial window identifies the link. So a repeated confirmation recognises its own window, and a
 * person who deleted an account and comes back finds the earlier one.
 */
async function mayHaveTrial(
	{ attempts }: Pick<IdentityServices, 'attempts'>,
	{ loginName, expiresAt, tokenHash }: OneTimeLink,
): Promise<boolean> {
	// Up to 4.7 hours, so that links made in the same millisecond differ.
	const own = Number.parseInt(tokenHash.slice(0, 6), 16);
	const windowMs = TRIAL_AGAIN.windowMs + own;
	const isOwn = ({ endsAt }: { readonly endsAt: number }): boolean => endsAt === expiresAt + windowMs;
	const trial = await attempts.count(trialKey(loginName), { ...TRIAL_AGAIN, windowMs }, expiresAt);
	return trial.admitted || isOwn(trial);
}
