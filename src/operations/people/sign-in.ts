import { parseAddress } from '../../core/address/parse-address.ts';
import { sessionTokenOf } from '../../core/identity/codes.ts';
import { ownerDigest, trialKey, trialsAt } from '../../core/identity/login-name.ts';
import { TRIAL_AGAIN } from '../../core/identity/throttles.ts';
import { digestOfToken, isAlive, needsTouch } from '../../core/identity/tokens.ts';
import { assert } from '../../lib/assert.ts';
import { sha256Hex } from '../../lib/digest.ts';
import { checkCode } from './codes.ts';
import type { TypedCode } from './codes.ts';
import type { Code, SignedIn, User } from './port.ts';
import type { PeopleServices, Services } from '../../services.ts';

/** The trial credits of a new account. */
export type TrialResult =
	| 'granted'
	/** The mailbox had them before. */
	| 'had'
	/** Other accounts of the domain had them. */
	| 'on_request'
	/** An operator opened the account, or the service gives none. */
	| 'none';

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
	const token = sessionTokenOf(challenge, code.salt);
	const { device, earlierToken } = request;
	const now = services.clock.now();
	const tokenHash = digestOfToken(token);
	const id = `ses_${code.id.slice(0, 24)}`;
	const session = { id, userId: user.id, device, createdAt: now, lastSeenAt: now, tokenHash };
	await services.people.useCode(code.id, session, now);
	// A code that was used before signs in once more only where its own session lives: the form was sent twice.
	if ((await services.sessions.find(tokenHash)) === null) return { kind: 'code_ended' } as const;
	if (earlierToken !== null && earlierToken !== token)
		await services.sessions.remove(digestOfToken(earlierToken));
	return { kind: 'signed_in', token, trial: isNew ? trial : null } as const;
}

async function makePerson({ clock, people }: PeopleServices, code: Code): Promise<User> {
	const { userId: id, email, loginName } = code;
	assert(code.accountId !== null, 'a code to sign in has an account to create');
	// An operator may have made an account for this address before (docs/decisions.md).
	const typed = parseAddress(email);
	const names = typed.ok ? [loginName, typed.address.email.toLowerCase()] : [loginName];
	const accountId = (await people.freeAccountOf(names)) ?? code.accountId;
	return people.insert({ id, email, loginName, accountId, name: '', createdAt: clock.now() });
}

/**
 * Opens the account of a person, with its trial credits, and lists it last: an account that is listed needs nothing
 * more, unless an operator died while making it.
 */
async function openAccount(services: PeopleServices, user: User, isNew: boolean): Promise<TrialResult> {
	const { accountId, email } = user;
	const isListed = (await services.directory.findAccount(accountId)) !== null;
	if (isListed && !isNew) return 'none';
	const now = services.clock.now();
	const account = services.accounts(accountId);
	const owner = ownerDigest(user.loginName, services.isProvider);
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
 * who deletes an account and signs up again finds the earlier one.
 */
async function claimTrial(
	{ attempts, isProvider }: Pick<Services, 'attempts' | 'isProvider'>,
	{ id, loginName, createdAt }: User,
): Promise<'granted' | 'had' | 'on_request'> {
	// Up to 4.7 hours, so that people made in the same millisecond differ.
	const extraMs = Number.parseInt(sha256Hex(id).slice(0, 6), 16);
	const windowMs = TRIAL_AGAIN.windowMs + extraMs;
	const mailboxKey = trialKey(loginName);
	const trial = await attempts.count(mailboxKey, { ...TRIAL_AGAIN, windowMs }, createdAt);
	if (!trial.admitted && trial.endsAt !== createdAt + windowMs) return 'had';
	const counted = trialsAt(loginName, isProvider);
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
export async function findSession(
	services: Pick<Services, 'clock' | 'sessions'>,
	token: string,
): Promise<SignedIn | null> {
	const found = await services.sessions.find(digestOfToken(token));
	const now = services.clock.now();
	if (found === null || !isAlive(found.session, now)) return null;
	if (needsTouch(found.session, now)) await services.sessions.touch(found.session.tokenHash, now);
	return found;
}
