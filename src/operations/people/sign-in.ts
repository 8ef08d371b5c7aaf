import type { Address } from '../../core/address/parse-address.ts';
import { parseAddress } from '../../core/address/parse-address.ts';
import * as names from '../../core/identity/login-name.ts';
import { ADDRESS_TAKEN, codeMail } from '../../core/identity/mails.ts';
import { throttleKey, TRIAL_AGAIN } from '../../core/identity/throttles.ts';
import * as tokens from '../../core/identity/tokens.ts';
import { accountIdOf, RANDOM_OCTETS } from '../../core/keys/api-key.ts';
import { isDisposable } from '../../core/lists/domain-kinds.ts';
import { suggestDomain } from '../../core/lists/typos.ts';
import { ServiceError } from '../../errors.ts';
import { assert } from '../../lib/assert.ts';
import { equalInConstantTime, sha256Hex } from '../../lib/digest.ts';
import { toBase64Url } from '../../lib/encodings.ts';
import { networkOf } from '../../lib/ip-address.ts';
import type { Code, User } from './port.ts';
import { throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';
import type { PeopleServices, Services } from '../../services.ts';

export type AskServices = PeopleServices & Pick<Services, 'lookUpMail' | 'refusesDisposable'>;

export interface AskRequest {
	readonly address: Address;
	/** The person saw our suggestion and keeps the address. */
	readonly keepsAddress: boolean;
	readonly client: string;
	/** A secret that only this browser has: of its visit or its session. */
	readonly binding: string;
	/** The id of the form. A form that is sent twice sends one mail. */
	readonly formId: string;
	/** The page with the field for the code, with our public URL. */
	readonly page: URL;
}

export type AskResult =
	/** The mail is sent; `isNew`: not by an earlier sending of the form. The challenge belongs into a cookie. */
	| { readonly kind: 'sent'; readonly challenge: string; readonly isNew: boolean }
	| { readonly kind: 'disposable' }
	| { readonly kind: 'typo'; readonly suggestion: string }
	/** The domain takes no mail: it does not exist, has no mail hosts, or says so (RFC 7505). */
	| { readonly kind: 'no_mail' }
	| Throttled;

/**
 * Sends a code to an address. To sign in, nothing here asks whether the address has an account: the answer, the work and
 * the mail are the same. `mover`: the person who moves to the address; null: it is to sign in.
 */
export async function askCode(
	services: AskServices,
	request: AskRequest,
	mover: User | null,
): Promise<AskResult> {
	const { people, clock } = services;
	// With the address: a person who goes back to correct it sends the same form with another one.
	const challenge = tokens.challengeOf(request.binding, `${request.formId} ${request.address.email}`);
	if ((await people.findCode(tokens.digestOfToken(challenge), clock.now())) !== null)
		return { kind: 'sent', challenge, isNew: false };
	const refusal = await refuse(services, request);
	if (refusal !== null) return refusal;
	return { kind: 'sent', challenge, isNew: await sendCode(services, request, challenge, mover) };
}

/** Why an address gets no code; null: it may. The cheaper questions come first, and limits before the DNS. */
async function refuse(
	services: AskServices,
	{ address, keepsAddress, client }: AskRequest,
): Promise<Exclude<AskResult, { kind: 'sent' }> | null> {
	const { domain, localPart } = address;
	const suggested = suggestDomain(domain);
	if (suggested !== null && !keepsAddress) return { kind: 'typo', suggestion: `${localPart}@${suggested}` };
	const loginName = names.loginNameOf(address);
	// A domain may become known as disposable after a customer came. Only for such domains does the answer show it.
	if (services.refusesDisposable && isDisposable(domain))
		if ((await services.people.findByLoginName(loginName)) === null) return { kind: 'disposable' };
	services.mailer.requireReady();
	const mailbox = names.trialMailbox(loginName);
	const network = networkOf(client);
	const throttled = await throttle(services, 'ask_code', { client: network, account: mailbox });
	if (throttled !== null) return throttled;
	if (!(await takesMail(services, address, client))) return { kind: 'no_mail' };
	const owner = names.ownerOf(mailbox, services.isProvider);
	return (
		(await throttle(services, 'ask_code_domain', { account: owner })) ??
		throttle(services, 'ask_code_all', { account: 'everybody' })
	);
}

/** Whether the domain takes mail, as the DNS says; while that fails it may. */
async function takesMail(services: AskServices, address: Address, client: string): Promise<boolean> {
	// All visitors share a limit, too: strangers must not make us ask without end. Beyond it we don't look.
	const throttled = await throttle(services, 'look_up_domain', { client, account: 'everyone' });
	if (throttled !== null) return true;
	try {
		const { route } = await services.lookUpMail(address, { quick: true });
		return route.kind === 'hosts' || route.kind === 'undetermined';
	} catch (error) {
		// No resolver can be reached. A domain that we can't look up gets its mail.
		if (error instanceof ServiceError) return true;
		throw error;
	}
}

/**
 * Stores the code, then sends it. A code whose mail fails is taken back, so that the form may be sent again; if we die in
 * between, the person asks for another one. False: the form was sent twice at once.
 */
async function sendCode(
	services: AskServices,
	{ address, page }: AskRequest,
	challenge: string,
	mover: User | null,
): Promise<boolean> {
	const { people, mailer, secureRandom, clock, newId } = services;
	const loginName = names.loginNameOf(address);
	const code = tokens.makeCode(secureRandom(tokens.CODE_OCTETS));
	const id = tokens.digestOfToken(challenge);
	const purpose = purposeOf(mover);
	const isNew = await people.insertCode({
		id,
		purpose,
		codeHash: tokens.digestOfCode(challenge, code),
		salt: toBase64Url(secureRandom(tokens.TOKEN_OCTETS)),
		email: address.email,
		loginName,
		userId: mover?.id ?? newId('usr'),
		accountId: mover === null ? accountIdOf(secureRandom(RANDOM_OCTETS.account)) : null,
		tries: 0,
		expiresAt: clock.now() + tokens.CODE_MS,
		usedAt: null,
	});
	if (!isNew) return false;
	// Only the mailbox learns that it has an account of its own. That code is in no mail.
	const owner = mover === null ? null : await people.findByLoginName(loginName);
	const isTaken = owner !== null && owner.id !== mover?.id;
	const link = new URL(page);
	link.searchParams.set('code', code);
	const mail = isTaken ? ADDRESS_TAKEN : codeMail(code, purpose, link.href);
	try {
		await mailer.send({ to: address.email, ...mail });
	} catch (cause) {
		await people.removeCode(id);
		throw new ServiceError('upstream_unavailable', 'The mail with the code was not sent', { cause });
	}
	return true;
}

/**
 * The part of a code that the browser which asked for it may see: the address, and in which time another may be asked
 * for. Null: it waits for none, or that has ended.
 */
export async function lookAtCode(
	services: Pick<Services, 'clock' | 'people'>,
	{ challenge, mover }: { readonly challenge: string | null; readonly mover: User | null },
): Promise<{ email: string; againInMs: number } | null> {
	const code = challenge === null ? null : await findCode(services, challenge, mover);
	if (code === null) return null;
	const sentAt = code.expiresAt - tokens.CODE_MS;
	return { email: code.email, againInMs: Math.max(0, sentAt + tokens.CODE_AGAIN_MS - services.clock.now()) };
}

async function findCode(
	{ clock, people }: Pick<Services, 'clock' | 'people'>,
	challenge: string,
	mover: User | null,
): Promise<Code | null> {
	const code = await people.findCode(tokens.digestOfToken(challenge), clock.now());
	if (code === null || code.purpose !== purposeOf(mover)) return null;
	return mover === null || code.userId === mover.id ? code : null;
}

function purposeOf(mover: User | null): Code['purpose'] {
	return mover === null ? 'sign_in' : 'change_address';
}

export interface TypedCode {
	/** The browser's cookie; null: this browser asked for none. */
	readonly challenge: string | null;
	/** As typed. */
	readonly typed: string;
	readonly client: string;
}

export type CheckedCode =
	| { readonly kind: 'right'; readonly code: Code; readonly challenge: string }
	| { readonly kind: 'wrong_code' }
	/** Another browser's, too old, or tried too often. */
	| { readonly kind: 'code_ended' }
	| Throttled;

/**
 * Checks a code in the browser that asked for it. Each try is counted first: by network, by mailbox, for everybody, and
 * by the code, so that neither many codes nor many guesses at once are more guesses. A code that was used is right
 * again; what uses it does so once.
 */
export async function checkCode(
	services: PeopleServices,
	{ challenge, typed, client }: TypedCode,
	mover: User | null,
): Promise<CheckedCode> {
	const code = challenge === null ? null : await findCode(services, challenge, mover);
	if (challenge === null || code === null) return { kind: 'code_ended' };
	const digits = tokens.readCode(typed);
	// A slip, which no guess begins with.
	if (digits === null) return { kind: 'wrong_code' };
	const mailbox = names.trialMailbox(code.loginName);
	const throttled =
		(await throttle(services, 'type_code', { client: networkOf(client), account: mailbox })) ??
		(await throttle(services, 'type_code_all', { account: 'everybody' }));
	if (throttled !== null) return throttled;
	if (!(await services.people.tryCode(code.id, services.clock.now()))) return { kind: 'code_ended' };
	if (!equalInConstantTime(tokens.digestOfCode(challenge, digits), code.codeHash))
		return { kind: 'wrong_code' };
	for (const action of ['type_code', 'ask_code'] as const)
		await services.attempts.forget(throttleKey(action, 'account', mailbox));
	return { kind: 'right', code, challenge };
}

/**
 * Signs in by a code. The first right code of an address makes the person, then the account. Each step may be repeated:
 * one that died is finished by the next right code, of whichever browser. The session comes last, with the use of the
 * code, and its token, which goes into a cookie, is a new one. `trial`: null where the person had an account before.
 */
export async function signIn(
	services: PeopleServices,
	request: TypedCode & {
		/** Browser and system in a few words. */
		readonly device: string;
		/** The token of an earlier session that the browser still has; that session ends. */
		readonly earlierToken: string | null;
	},
) {
	const checked = await checkCode(services, request, null);
	if (checked.kind !== 'right') return checked;
	const { code, challenge } = checked;
	const user = (await services.people.findByLoginName(code.loginName)) ?? (await makePerson(services, code));
	const isNew = user.id === code.userId;
	const trial = await openAccount(services, user, isNew);
	const token = tokens.sessionTokenOf(challenge, code.salt);
	const { device, earlierToken } = request;
	const now = services.clock.now();
	const tokenHash = tokens.digestOfToken(token);
	const id = `ses_${code.id.slice(0, 24)}`;
	const session = { id, userId: user.id, device, createdAt: now, lastSeenAt: now, tokenHash };
	await services.people.useCode(code.id, session, now);
	// A code that was used before signs in once more only where its own session lives: the form was sent twice.
	if ((await services.sessions.find(tokenHash)) === null) return { kind: 'code_ended' } as const;
	if (earlierToken !== null && earlierToken !== token)
		await services.sessions.remove(tokens.digestOfToken(earlierToken));
	return { kind: 'signed_in', token, trial: isNew ? trial : null } as const;
}

async function makePerson({ clock, people }: PeopleServices, code: Code): Promise<User> {
	const { userId: id, email, loginName } = code;
	assert(code.accountId !== null, 'a code to sign in has an account to create');
	// An operator may have made an account for this address before (docs/decisions.md).
	const typed = parseAddress(email);
	const written = typed.ok ? [loginName, typed.address.email.toLowerCase()] : [loginName];
	const accountId = (await people.freeAccountOf(written)) ?? code.accountId;
	return people.insert({ id, email, loginName, accountId, name: '', createdAt: clock.now() });
}

/**
 * Opens the account of a person, with its trial credits, and lists it last: an account that is listed needs nothing
 * more, unless an operator died while making it. `none`: an operator opened it, or the service gives no trial.
 */
async function openAccount(services: PeopleServices, user: User, isNew: boolean) {
	const { accountId, email } = user;
	const isListed = (await services.directory.findAccount(accountId)) !== null;
	if (isListed && !isNew) return 'none';
	const now = services.clock.now();
	const account = services.accounts(accountId);
	const owner = names.ownerDigest(user.loginName, services.isProvider);
	await account.open({ now, initialCredits: 0, key: null, owner });
	// An account that an operator opened got its credits then.
	if (isListed) return 'none';
	const trial = services.trialCredits === 0 ? 'none' : await claimTrial(services, user);
	// With a space, which ids from operators can't have.
	if (trial === 'granted')
		await account.grant({ id: `trial ${user.id}`, credits: services.trialCredits, now });
	await services.directory.insertAccount({ id: accountId, email, createdAt: now });
	return trial;
}

/**
 * The end of a mailbox's trial window identifies the person. So a repeated step recognises its own window, and a person
 * who deletes an account and signs up again finds the earlier one. `on_request`: other accounts of the domain had it.
 */
async function claimTrial(
	{ attempts, isProvider }: Pick<Services, 'attempts' | 'isProvider'>,
	{ id, loginName, createdAt }: User,
): Promise<'granted' | 'had' | 'on_request'> {
	// Up to 4.7 hours, so that people made in the same millisecond differ.
	const extraMs = Number.parseInt(sha256Hex(id).slice(0, 6), 16);
	const windowMs = TRIAL_AGAIN.windowMs + extraMs;
	const mailboxKey = names.trialKey(loginName);
	const trial = await attempts.count(mailboxKey, { ...TRIAL_AGAIN, windowMs }, createdAt);
	if (!trial.admitted && trial.endsAt !== createdAt + windowMs) return 'had';
	const counted = names.trialsAt(loginName, isProvider);
	if (counted === null) return 'granted';
	const { key, throttle: ofDomain } = counted;
	if (!trial.admitted) {
		// This step is repeated: the first one has counted the domain, and may still be granting.
		const others = await attempts.look(key, createdAt);
		return (others?.count ?? 0) < ofDomain.limit ? 'granted' : 'on_request';
	}
	const { admitted } = await attempts.count(key, ofDomain, createdAt);
	if (admitted) return 'granted';
	// The mailbox has had nothing, so it may ask again when the domain's window is over.
	await attempts.forget(mailboxKey);
	return 'on_request';
}

/** The person who is signed in with a token; null for an unknown token or a session that has ended. */
export async function findSession(services: Pick<Services, 'clock' | 'sessions'>, token: string) {
	const found = await services.sessions.find(tokens.digestOfToken(token));
	const now = services.clock.now();
	if (found === null || !tokens.isAlive(found.session, now)) return null;
	if (tokens.needsTouch(found.session, now)) await services.sessions.touch(found.session.tokenHash, now);
	return found;
}
