import { parseAddress } from '../../core/address/parse-address.ts';
import { TRIAL_AGAIN } from '../../core/identity/throttles.ts';
import { trialKeys } from '../../core/identity/trial-mailbox.ts';
import { assert } from '../../lib/assert.ts';
import { newSession } from './steps/begin-session.ts';
import type { BegunSession, Browser } from './steps/begin-session.ts';
import { rememberBrowser } from './steps/known-browser.ts';
import type { IdentityServices, OneTimeLink, User } from './port.ts';
import { isSameBrowser, openLink } from './steps/open-link.ts';
import { throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';

export interface ConfirmRequest extends Browser {
	readonly token: string;
	/** The browser's token; null where it has none. */
	readonly visitor: string | null;
	/** Asked of every browser but the one that signed up. */
	readonly password: string | null;
	readonly client: string;
}

export type ConfirmResult =
	/** `hadTrial`: the mailbox got its trial credits before, and none now. */
	| ({ readonly kind: 'confirmed'; readonly hadTrial: boolean } & BegunSession)
	/** Unknown, used or ended. */
	| { readonly kind: 'link_ended' }
	| { readonly kind: 'password_needed' }
	| { readonly kind: 'wrong_password' }
	| Throttled;

/**
 * Makes the person, the account and the trial grant, and signs in. A browser other than the one that signed up must
 * know the password: else somebody could sign up with an address of yours and wait for you to confirm his password.
 * Every step is keyed by ids that the sign-up chose, so a confirmation that died half-way, or comes twice at once,
 * makes each thing once; only the first to use the link up is signed in.
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
	// Another sign-up with this address was confirmed first; its password counts.
	if (user.id !== link.userId) return { kind: 'link_ended' };
	const hadTrial = await openAccount(services, link, user);
	const isFirst = await services.people.useLink(link.tokenHash, services.clock.now());
	if (!isFirst) return { kind: 'link_ended' };
	const { token, session } = newSession(services, user.id, request);
	await services.sessions.insert(session);
	return { kind: 'confirmed', token, browserToken: rememberBrowser(services, user), hadTrial };
}

/** Asks a browser other than the one that signed up for the password; null when it is right. */
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
	// An operator may have made an account for this address before (docs/decisions/0013-people-and-accounts.md).
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

/** True: the mailbox had its trial credits before. */
async function openAccount(services: IdentityServices, link: OneTimeLink, user: User): Promise<boolean> {
	const { accountId, email } = user;
	const now = services.clock.now();
	await services.directory.insertAccount({ id: accountId, email, createdAt: now });
	const account = services.accounts(accountId);
	// Also an operator's account, whose making may have died after it was listed.
	await account.open({ now, initialCredits: 0, key: null });
	// An account that an operator opened got its credits then.
	if (accountId !== link.accountId || services.trialCredits === 0) return false;
	if (!(await mayHaveTrial(services, link))) return true;
	// With a space, which no operator's id has.
	await account.grant({ id: `trial ${user.id}`, credits: services.trialCredits, now });
	return false;
}

/**
 * The window of a mailbox's trial ends at a moment of the link's own. So a confirmation that is repeated finds its own,
 * and somebody who deleted an account and comes back finds the earlier one.
 */
async function mayHaveTrial(
	{ attempts }: Pick<IdentityServices, 'attempts'>,
	{ loginName, expiresAt, tokenHash }: OneTimeLink,
): Promise<boolean> {
	// Up to 4.7 hours: links that were made in the same millisecond differ.
	const own = Number.parseInt(tokenHash.slice(0, 6), 16);
	const windowMs = TRIAL_AGAIN.windowMs + own;
	const isOwn = ({ endsAt }: { readonly endsAt: number }): boolean => endsAt === expiresAt + windowMs;
	const { key, earlierKey } = trialKeys(loginName);
	const earlier = earlierKey === null ? null : await attempts.look(earlierKey, expiresAt);
	if (earlier !== null && !isOwn(earlier)) return false;
	const trial = await attempts.count(key, { ...TRIAL_AGAIN, windowMs }, expiresAt);
	return trial.admitted || isOwn(trial);
}
