import type { Address } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { digestOfToken, isAlive, needsTouch } from '../../core/identity/tokens.ts';
import { issueHalfToken, readHalfToken } from '../../core/identity/second-factor.ts';
import type { Work } from '../../core/identity/proof-of-work.ts';
import { CHALLENGE_AFTER, throttleKey } from '../../core/identity/throttles.ts';
import { ServiceError } from '../../errors.ts';
import { newSession, attemptOf, recogniseBrowser, rememberBrowser } from './steps/sessions.ts';
import type { BegunSession, Browser } from './steps/sessions.ts';
import type { IdentityServices, SignedIn, User } from './port.ts';
import { note } from './steps/note.ts';
import { strangerOf } from './steps/stranger.ts';
import { forgive, throttle } from './steps/throttle.ts';
import type { Attempt, Throttled } from './steps/throttle.ts';
import { checkCode } from './steps/prove.ts';

export interface SignInRequest extends Browser {
	readonly address: Address;
	readonly password: string;
	readonly client: string;
	/** The token of an earlier session that the browser still has; that session ends. */
	readonly earlierToken: string | null;
	/** The token of a known browser, if any. */
	readonly browserToken: string | null;
	/** The answer to the challenge, if any. */
	readonly challengeAnswer: string | null;
	readonly work: Work | null;
}

type SignInServices = Pick<
	IdentityServices,
	| 'clock'
	| 'secureRandom'
	| 'signingSecrets'
	| 'people'
	| 'sessions'
	| 'attempts'
	| 'passwords'
	| 'challenge'
	| 'secondFactors'
	| 'activities'
	| 'later'
>;

export type SignInResult =
	| ({ readonly kind: 'signed_in' } & BegunSession)
	/** The password is right, and a code has to follow (`finishSignIn`). */
	| { readonly kind: 'code_needed'; readonly halfToken: string }
	/** `asksForPerson`: the next attempt must pass the challenge. */
	| { readonly kind: 'refused'; readonly asksForPerson: boolean }
	/** The challenge was not passed; the password was not checked. */
	| { readonly kind: 'person_needed' }
	| Throttled;

/**
 * Begins a session with a new token. It does not reveal whether the address or the password is wrong, nor by its
 * duration: where there is no such person the password is checked against a hash that nothing matches.
 */
export async function signIn(services: SignInServices, request: SignInRequest): Promise<SignInResult> {
	const loginName = loginNameOf(request.address);
	const known = await recogniseBrowser(services, loginName, request.browserToken);
	const attempt = attemptOf(known, request.client, loginName);
	if (await lacksPerson(services, attempt, request.challengeAnswer)) return { kind: 'person_needed' };
	const who = known?.userId ?? (await strangerOf(services, request));
	return services.passwords.inLine(who, async (turn) => {
		const throttled = await throttle(services, 'sign_in', attempt);
		if (throttled !== null) return throttled;
		const user = await services.people.findByLoginName(loginName);
		const isRight = await turn.isRight(request.password, user?.passwordHash ?? null);
		if (user === null || !isRight)
			return { kind: 'refused', asksForPerson: await asksForPerson(services, attempt) };
		await forgive(services, 'sign_in', attempt);
		const halfToken = await halfTokenFor(services, user);
		if (halfToken !== null) return { kind: 'code_needed', halfToken };
		note(services, user.accountId, { kind: 'signed_in', device: request.device });
		if (request.earlierToken !== null) await services.sessions.remove(digestOfToken(request.earlierToken));
		const { token, session } = newSession(services, user.id, request);
		await services.sessions.insert(session);
		return { kind: 'signed_in', token, browserToken: rememberBrowser(services, user, known) };
	});
}

/** Makes the token that stands for a right password until the code; null for a person without a second factor. */
async function halfTokenFor(
	{ clock, secondFactors, signingSecrets }: SignInServices,
	user: User,
): Promise<string | null> {
	if ((await secondFactors.find(user.id)) === null) return null;
	const [signing] = signingSecrets;
	if (signing === undefined) throw new ServiceError('misconfigured', 'KEY_SIGNING_SECRET is not configured');
	return issueHalfToken(signing, user, clock.now());
}

/**
 * If a challenge is configured, an unknown browser must pass it after some failures, or when the line is crowded:
 * before it takes a place and before it is counted, so that programs use up neither places nor a person's attempts.
 */
async function lacksPerson(
	services: SignInServices,
	attempt: Attempt,
	answer: string | null,
): Promise<boolean> {
	if (services.challenge === null || !(await asksForPerson(services, attempt))) return false;
	return answer === null || !(await services.challenge.isPassed(answer));
}

async function asksForPerson(
	{ challenge, passwords, attempts, clock }: SignInServices,
	{ client, account }: Attempt,
): Promise<boolean> {
	// Without a client it is a known browser, which has its own small budget.
	if (challenge === null || client === null) return false;
	if (passwords.isCrowded()) return true;
	const keys = [throttleKey('sign_in', 'client', client), throttleKey('sign_in', 'account', account ?? '')];
	const windows = await Promise.all(keys.map((key) => attempts.look(key, clock.now())));
	return windows.some((window) => window !== null && window.count >= CHALLENGE_AFTER);
}

interface FinishSignInRequest extends Browser {
	/** The browser's token after the right password. */
	readonly halfToken: string;
	/** As typed: of the app, or a recovery code. */
	readonly code: string;
	readonly client: string;
	/** The token of an earlier session that the browser still has; that session ends. */
	readonly earlierToken: string | null;
	/** The token of a known browser, if any. */
	readonly browserToken: string | null;
	/** Our public URL. */
	readonly base: string;
}

type FinishSignInResult =
	| ({ readonly kind: 'signed_in' } & BegunSession)
	| { readonly kind: 'wrong_code' }
	/** Too long ago, or the password was changed since: sign in from the beginning. */
	| { readonly kind: 'password_needed' }
	| Throttled;

/** Begins the session of a person who has sent the right password before, and sends a code now. */
export async function finishSignIn(
	services: IdentityServices,
	request: FinishSignInRequest,
): Promise<FinishSignInResult> {
	const { code, client, device, base } = request;
	const half = await findHalfSignedIn(services, request);
	const factor = half === null ? null : await services.secondFactors.find(half.user.id);
	if (half === null || factor === null) return { kind: 'password_needed' };
	const { user } = half;
	const known = await recogniseBrowser(services, user.loginName, request.browserToken);
	if (!(await isRepeated(services, half, request))) {
		const attempt = attemptOf(known, client, user.loginName);
		const checked = await checkCode(services, user, factor, { code, attempt, device, base });
		if (checked.kind !== 'right') return checked;
		note(services, user.accountId, { kind: 'signed_in', device });
	}
	if (request.earlierToken !== null) await services.sessions.remove(digestOfToken(request.earlierToken));
	const { token, session } = newSession(services, user.id, request);
	await services.sessions.insert(session);
	return { kind: 'signed_in', token, browserToken: rememberBrowser(services, user, known) };
}

/**
 * Whether this very form has begun a session before, by a second click: its code is used up. Only since the password was
 * sent: else an old form would renew its session for ever, without a code.
 */
async function isRepeated(
	{ sessions }: Pick<IdentityServices, 'sessions'>,
	{ user, since }: HalfSignedInPerson,
	{ formId }: Browser,
): Promise<boolean> {
	const begun = (await sessions.list(user.id)).find(({ id }) => id === `ses_${formId}`);
	return begun !== undefined && begun.createdAt >= since;
}

/** A person who has sent the right password, and no code so far. */
interface HalfSignedInPerson {
	readonly user: User;
	/** When the password was sent, epoch ms. */
	readonly since: number;
}

/** The person who is half signed in with a token; null: it is none of ours, or it has ended. */
export async function findHalfSignedIn(
	services: Pick<IdentityServices, 'clock' | 'people' | 'signingSecrets'>,
	request: Pick<FinishSignInRequest, 'halfToken'>,
): Promise<HalfSignedInPerson | null> {
	const { clock, people, signingSecrets } = services;
	const claimed = readHalfToken(signingSecrets, request.halfToken, clock.now());
	if (claimed === null) return null;
	const user = await people.find(claimed.userId);
	return user !== null && claimed.isOfPassword(user.passwordHash) ? { user, since: claimed.since } : null;
}

interface SessionRequest {
	/** The token from the browser's cookie. */
	readonly token: string;
}

/** The person who is signed in with a token; null for an unknown token or a session that has ended. */
export async function findSession(
	services: Pick<IdentityServices, 'clock' | 'sessions'>,
	request: SessionRequest,
): Promise<SignedIn | null> {
	const found = await services.sessions.find(digestOfToken(request.token));
	const now = services.clock.now();
	if (found === null || !isAlive(found.session, now)) return null;
	if (needsTouch(found.session, now)) await services.sessions.touch(found.session.tokenHash, now);
	return found;
}

/** Ends the session of a token. Repeating it changes nothing. */
export async function signOut(
	services: Pick<IdentityServices, 'sessions'>,
	request: SessionRequest,
): Promise<void> {
	await services.sessions.remove(digestOfToken(request.token));
}
