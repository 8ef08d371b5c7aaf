import type { Address } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { digestOfToken } from '../../core/identity/one-time-link.ts';
import { CHALLENGE_AFTER, throttleKey } from '../../core/identity/throttles.ts';
import { newSession } from './steps/begin-session.ts';
import type { BegunSession, Browser } from './steps/begin-session.ts';
import { attemptOf, recogniseBrowser, rememberBrowser } from './steps/known-browser.ts';
import type { IdentityServices } from './port.ts';
import { forgive, throttle } from './steps/throttle.ts';
import type { Attempt, Throttled } from './steps/throttle.ts';

export interface SignInRequest extends Browser {
	readonly address: Address;
	readonly password: string;
	readonly client: string;
	/** The token of a session that the browser still shows; it ends. */
	readonly earlierToken: string | null;
	/** What the browser shows of having signed in before. */
	readonly browserToken: string | null;
	/** What it shows of a person at it; null for nothing. */
	readonly challengeAnswer: string | null;
}

export type SignInServices = Pick<
	IdentityServices,
	'clock' | 'secureRandom' | 'signingSecrets' | 'people' | 'sessions' | 'attempts' | 'passwords' | 'challenge'
>;

export type SignInResult =
	| ({ readonly kind: 'signed_in' } & BegunSession)
	/** `asksForPerson`: the next attempt has to show that there is a person. */
	| { readonly kind: 'refused'; readonly asksForPerson: boolean }
	/** It has not been shown that there is a person; the password was not looked at. */
	| { readonly kind: 'person_needed' }
	| Throttled;

/**
 * Begins a session with a token of its own. Whether the address or the password is wrong is not told, and takes as
 * long: where there is no such person the password is checked against nobody's.
 */
export async function signIn(services: SignInServices, request: SignInRequest): Promise<SignInResult> {
	const loginName = loginNameOf(request.address);
	const known = await recogniseBrowser(services, loginName, request.browserToken);
	const attempt = attemptOf(known, request.client, loginName);
	if (await lacksPerson(services, attempt, request.challengeAnswer)) return { kind: 'person_needed' };
	return services.passwords.inLine(known?.userId ?? null, async (turn) => {
		const throttled = await throttle(services, 'sign_in', attempt);
		if (throttled !== null) return throttled;
		const user = await services.people.findByLoginName(loginName);
		const isRight = await turn.isRight(request.password, user?.passwordHash ?? null);
		if (user === null || !isRight)
			return { kind: 'refused', asksForPerson: await asksForPerson(services, attempt) };
		await forgive(services, 'sign_in', attempt);
		if (request.earlierToken !== null) await services.sessions.remove(digestOfToken(request.earlierToken));
		const { token, session } = newSession(services, user.id, request);
		await services.sessions.insert(session);
		return { kind: 'signed_in', token, browserToken: rememberBrowser(services, user, known) };
	});
}

/**
 * Where it is configured, a stranger shows that there is a person once there were failures, or when passwords come in
 * crowds: before the line, and before anything is counted, so that a program uses up neither places nor anybody's budget.
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
	// Without a client it is a known browser, which has a small budget of its own.
	if (challenge === null || client === null) return false;
	if (passwords.isCrowded()) return true;
	const keys = [throttleKey('sign_in', 'client', client), throttleKey('sign_in', 'account', account ?? '')];
	const windows = await Promise.all(keys.map((key) => attempts.look(key, clock.now())));
	return windows.some((window) => window !== null && window.count >= CHALLENGE_AFTER);
}
