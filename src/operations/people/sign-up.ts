import { parseAddress } from '../../core/address/parse-address.ts';
import type { Address } from '../../core/address/parse-address.ts';
import { isDisposable } from '../../core/lists/domain-kinds.ts';
import { suggestDomain } from '../../core/lists/typos.ts';
import { ServiceError } from '../../errors.ts';
import type { IdentityServices, OneTimeLink, User } from './port.ts';
import { throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';
import {
	loginNameOf,
	ownerDigest,
	ownerOf,
	trialKey,
	trialMailbox,
	trialsAt,
} from '../../core/identity/login-name.ts';
import { alreadyRegisteredMail, confirmationMail } from '../../core/identity/mails.ts';
import { digestOfToken, linkEndsAt, TOKEN_OCTETS } from '../../core/identity/tokens.ts';
import type { Work } from '../../core/identity/proof-of-work.ts';
import { findPasswordFault } from '../../core/identity/passwords.ts';
import type { PasswordFault } from '../../core/identity/passwords.ts';
import { accountIdOf, RANDOM_OCTETS } from '../../core/keys/api-key.ts';
import { toBase64Url } from '../../lib/encodings.ts';
import { isSameBrowser, openLink, pageLink } from './steps/links.ts';
import { TRIAL_AGAIN } from '../../core/identity/throttles.ts';
import { assert } from '../../lib/assert.ts';
import { newSession, rememberBrowser } from './steps/sessions.ts';
import type { BegunSession, Browser } from './steps/sessions.ts';
import { strangerOf } from './steps/stranger.ts';
import type { Services } from '../../services.ts';

export type CheckDomainServices = Pick<Services, 'attempts' | 'clock' | 'lookUpMail' | 'refusesDisposable'>;

interface CheckDomainRequest {
	readonly address: Address;
	/** The person saw our suggestion and keeps the address. */
	readonly keepsAddress: boolean;
	readonly client: string;
}

/** Why a person can't have an account under an address. */
export type DomainFault =
	| { readonly kind: 'disposable' }
	| { readonly kind: 'typo'; readonly suggestion: string }
	/** The domain takes no mail: it does not exist, has no mail hosts, or says so (RFC 7505). */
	| { readonly kind: 'no_mail' };

/** The problem of the domain by our own lists; null: none. */
export function checkDomain(
	services: CheckDomainServices,
	{ address, keepsAddress }: Omit<CheckDomainRequest, 'client'>,
): Exclude<DomainFault, { kind: 'no_mail' }> | null {
	const { domain, localPart } = address;
	const suggested = suggestDomain(domain);
	if (suggested !== null && !keepsAddress) return { kind: 'typo', suggestion: `${localPart}@${suggested}` };
	const isRefused = services.refusesDisposable && isDisposable(domain);
	return isRefused ? { kind: 'disposable' } : null;
}

/**
 * Whether the domain takes mail, as the DNS says; while that fails it may. To be asked after the limits of the action,
 * and not with a place in the line for passwords: the DNS of a stranger may be slow.
 */
export async function takesMail(
	services: CheckDomainServices,
	{ address, client }: Omit<CheckDomainRequest, 'keepsAddress'>,
): Promise<boolean> {
	// All visitors share a limit, too: strangers must not make us ask without end. Beyond it we don't look.
	const throttled = await throttle(services, 'look_up_sign_up', { client, account: 'everyone' });
	if (throttled !== null) return true;
	try {
		const { route } = await services.lookUpMail(address, { quick: true });
		return route.kind === 'hosts' || route.kind === 'undetermined';
	} catch (error) {
		// No resolver can be reached. A domain that we can't look up may sign up.
		if (error instanceof ServiceError) return true;
		throw error;
	}
}

interface SignUpRequest {
	readonly address: Address;
	readonly password: string;
	/** The person saw our suggestion and keeps the address. */
	readonly keepsAddress: boolean;
	readonly client: string;
	/** The id of the form. A form that is sent twice sends one mail. */
	readonly formId: string;
	readonly work: Work | null;
	/** The browser's visitor token, if any: this browser may confirm without the password. */
	readonly visitor: string | null;
	/** Our public URL. */
	readonly base: string;
}

export type SignUpResult =
	| { readonly kind: 'look_in_mail' }
	| { readonly kind: 'weak_password'; readonly fault: PasswordFault }
	| DomainFault
	| Throttled;

type SignUpServices = IdentityServices & CheckDomainServices;

/**
 * Accepts a sign-up. No person and no account exist before the address is confirmed. Only the mail says whether the
 * address already has an account: the answer is the same, and all that differs is done after it.
 */
export async function signUp(services: SignUpServices, request: SignUpRequest): Promise<SignUpResult> {
	const { address, password, client } = request;
	const fault = findPasswordFault(password, address);
	if (fault !== null) return { kind: 'weak_password', fault };
	const domainFault = checkDomain(services, request);
	if (domainFault !== null) return domainFault;
	services.mailer.requireReady();
	const mailbox = trialMailbox(loginNameOf(address));
	const hashed = await services.passwords.inLine(await strangerOf(services, request), async (turn) => {
		const throttled = await throttle(services, 'sign_up', { client, account: mailbox });
		return throttled ?? turn.hash(password);
	});
	if (typeof hashed !== 'string') return hashed;
	if (!(await takesMail(services, request))) return { kind: 'no_mail' };
	const throttled = await throttleMail(services, mailbox);
	if (throttled !== null) return throttled;
	services.later(() => sendLink(services, request, hashed));
	return { kind: 'look_in_mail' };
}

/** Counts a mail that a stranger has us send: to one owner's domain, and to everybody. */
async function throttleMail(
	services: Pick<IdentityServices, 'attempts' | 'clock' | 'isProvider'>,
	mailbox: string,
): Promise<Throttled | null> {
	const owner = ownerOf(mailbox, services.isProvider);
	const ofDomain = await throttle(services, 'sign_up_domain', { client: null, account: owner });
	return ofDomain ?? throttle(services, 'sign_up_all', { client: null, account: 'everybody' });
}

/** Stores and sends the link. If it dies in between, the person signs up again; an unsent link is harmless. */
async function sendLink(
	services: IdentityServices,
	{ address, formId, visitor, base }: SignUpRequest,
	passwordHash: string,
): Promise<void> {
	const { people, mailer, secureRandom, clock, newId } = services;
	const loginName = loginNameOf(address);
	const existing = await people.findByLoginName(loginName);
	const token = toBase64Url(secureRandom(TOKEN_OCTETS));
	const now = clock.now();
	const common = { tokenHash: digestOfToken(token), formId, loginName, usedAt: null };
	if (existing !== null) {
		const purpose = 'reset_password';
		const { id: userId, email } = existing;
		const made = { accountId: null, passwordHash: null, visitorHash: null };
		const isNew = await people.insertLink({
			...common,
			...made,
			purpose,
			email,
			userId,
			expiresAt: linkEndsAt(purpose, now),
		});
		if (!isNew) return;
		const links = [pageLink(base, 'sign-in'), pageLink(base, 'reset-password', token)] as const;
		await mailer.send({ to: email, ...alreadyRegisteredMail(...links) });
		return;
	}
	const purpose = 'confirm_address';
	const isNew = await people.insertLink({
		...common,
		purpose,
		email: address.email,
		userId: newId('usr'),
		accountId: accountIdOf(secureRandom(RANDOM_OCTETS.account)),
		passwordHash,
		visitorHash: visitor === null ? null : digestOfToken(visitor),
		expiresAt: linkEndsAt(purpose, now),
	});
	if (isNew) await mailer.send({ to: address.email, ...confirmationMail(pageLink(base, 'confirm', token)) });
}

interface ConfirmRequest extends Browser {
	readonly token: string;
	/** The browser's visitor token, if any. */
	readonly visitor: string | null;
	/** Required of every browser but the one that signed up. */
	readonly password: string | null;
	readonly client: string;
}

/**
 * The trial credits of a new account. `had`: the mailbox had them before. `on_request`: other accounts of the domain had
 * them. `none`: an operator opened the account, or the service gives none.
 */
type TrialResult = 'granted' | 'had' | 'on_request' | 'none';

export type ConfirmResult =
	| ({ readonly kind: 'confirmed'; readonly trial: TrialResult } & BegunSession)
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
	const trial = await openAccount(services, link, user);
	const isFirst = await services.people.useLink(link.tokenHash, services.clock.now());
	if (!isFirst) return { kind: 'link_ended' };
	const { token, session } = newSession(services, user.id, request);
	await services.sessions.insert(session);
	return { kind: 'confirmed', token, browserToken: rememberBrowser(services, user), trial };
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

/** Opens the account, with its trial credits. */
async function openAccount(services: IdentityServices, link: OneTimeLink, user: User): Promise<TrialResult> {
	const { accountId, email } = user;
	const now = services.clock.now();
	await services.directory.insertAccount({ id: accountId, email, createdAt: now });
	const account = services.accounts(accountId);
	// Also for an account made by an operator, since that may have died after listing it.
	await account.open({
		now,
		initialCredits: 0,
		key: null,
		owner: ownerDigest(user.loginName, services.isProvider),
	});
	// An account that an operator opened got its credits then.
	if (accountId !== link.accountId || services.trialCredits === 0) return 'none';
	const trial = await claimTrial(services, link);
	if (trial !== 'granted') return trial;
	// With a space, which ids from operators can't have.
	await account.grant({ id: `trial ${user.id}`, credits: services.trialCredits, now });
	return 'granted';
}

/**
 * The end of a mailbox's trial window identifies the link. So a repeated confirmation recognises its own window, and
 * a person who deletes an account and signs up again finds the earlier one.
 */
async function claimTrial(
	{ attempts, isProvider }: Pick<IdentityServices, 'attempts' | 'isProvider'>,
	{ loginName, expiresAt, tokenHash }: OneTimeLink,
): Promise<'granted' | 'had' | 'on_request'> {
	// Up to 4.7 hours, so that links made in the same millisecond differ.
	const extraMs = Number.parseInt(tokenHash.slice(0, 6), 16);
	const windowMs = TRIAL_AGAIN.windowMs + extraMs;
	const mailboxKey = trialKey(loginName);
	const trial = await attempts.count(mailboxKey, { ...TRIAL_AGAIN, windowMs }, expiresAt);
	if (!trial.admitted && trial.endsAt !== expiresAt + windowMs) return 'had';
	const counted = trialsAt(loginName, isProvider);
	if (counted === null) return 'granted';
	const { key, throttle: ofDomain } = counted;
	if (!trial.admitted) {
		// This confirmation is repeated: the first one has counted the domain, and may still be granting.
		const others = await attempts.look(key, expiresAt);
		return (others?.count ?? 0) < ofDomain.limit ? 'granted' : 'on_request';
	}
	const { admitted } = await attempts.count(key, ofDomain, expiresAt);
	if (admitted) return 'granted';
	// The mailbox has had nothing, so it may ask again when the domain's window is over.
	await attempts.forget(mailboxKey);
	return 'on_request';
}

/**
 * The content of the page of a confirmation link. Opening the page changes nothing, since mail scanners open links.
 */
export async function lookAtConfirmation(
	services: Pick<IdentityServices, 'clock' | 'people'>,
	request: Pick<ConfirmRequest, 'token' | 'visitor'>,
): Promise<{ email: string; needsPassword: boolean } | null> {
	const { token, visitor } = request;
	const link = await openLink(services, 'confirm_address', token);
	return link === null ? null : { email: link.email, needsPassword: !isSameBrowser(link, visitor) };
}
