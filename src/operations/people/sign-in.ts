import type { Address } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { digestOfToken } from '../../core/identity/one-time-link.ts';
import { newSession } from './begin-session.ts';
import type { BegunSession, Browser } from './begin-session.ts';
import { attemptOf, recogniseBrowser, rememberBrowser } from './known-browser.ts';
import type { IdentityServices } from './port.ts';
import { forgive, throttle } from './throttle.ts';
import type { Throttled } from './throttle.ts';

export interface SignInRequest extends Browser {
	readonly address: Address;
	readonly password: string;
	readonly client: string;
	/** The token of a session that the browser still shows; it ends. */
	readonly earlierToken: string | null;
	/** What the browser shows of having signed in before. */
	readonly browserToken: string | null;
}

export type SignInServices = Pick<
	IdentityServices,
	'clock' | 'secureRandom' | 'signingSecrets' | 'people' | 'sessions' | 'attempts' | 'passwords'
>;

export type SignInResult =
	| ({ readonly kind: 'signed_in' } & BegunSession)
	| { readonly kind: 'refused' }
	| Throttled;

/**
 * Begins a session with a token of its own. Whether the address or the password is wrong is not told, and takes as
 * long: where there is no such person the password is checked against nobody's.
 */
export async function signIn(services: SignInServices, request: SignInRequest): Promise<SignInResult> {
	const loginName = loginNameOf(request.address);
	const known = await recogniseBrowser(services, loginName, request.browserToken);
	return services.passwords.inLine(known?.userId ?? null, async (turn) => {
		const attempt = attemptOf(known, request.client, loginName);
		const throttled = await throttle(services, 'sign_in', attempt);
		if (throttled !== null) return throttled;
		const user = await services.people.findByLoginName(loginName);
		const isRight = await turn.isRight(request.password, user?.passwordHash ?? null);
		if (user === null || !isRight) return { kind: 'refused' };
		await forgive(services, 'sign_in', attempt);
		if (request.earlierToken !== null) await services.sessions.remove(digestOfToken(request.earlierToken));
		const { token, session } = newSession(services, user.id, request);
		await services.sessions.insert(session);
		return { kind: 'signed_in', token, browserToken: rememberBrowser(services, user, known) };
	});
}
