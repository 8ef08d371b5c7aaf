import { digestOfToken, TOKEN_OCTETS } from '../../../core/identity/tokens.ts';
import { toBase64Url } from '../../../lib/encodings.ts';
import type { IdentityServices, Session, User } from '../port.ts';
import { BROWSER_ID_OCTETS, issueBrowserToken, readBrowserToken } from '../../../core/identity/browsers.ts';
import type { Attempt } from './throttle.ts';

/** The browser for which a session begins. */
export interface Browser {
	/** Browser and system in a few words. */
	readonly device: string;
	/** The id of the form. A form that is sent twice begins one session. */
	readonly formId: string;
}

/** The tokens for the browser's cookies. */
export interface BegunSession {
	/** The token of the session. */
	readonly token: string;
	/** The token by which the browser is known after the session, too; null without a signing secret. */
	readonly browserToken: string | null;
}

/** A new session and its token, which only the browser has. Independent of any earlier session. */
export function newSession(
	{ clock, secureRandom }: Pick<IdentityServices, 'clock' | 'secureRandom'>,
	userId: string,
	{ device, formId }: Browser,
): { token: string; session: Session } {
	const token = toBase64Url(secureRandom(TOKEN_OCTETS));
	const now = clock.now();
	const session = { id: `ses_${formId}`, userId, device, createdAt: now, lastSeenAt: now };
	return { token, session: { ...session, tokenHash: digestOfToken(token) } };
}

/** A browser in which the person signed in before, with the current password. */
export interface KnownBrowser {
	readonly id: Uint8Array;
	readonly userId: string;
}

/** The known browser if it signed in as this person before. The person is looked up only if the token claims so. */
export async function recogniseBrowser(
	{ people, signingSecrets }: Pick<IdentityServices, 'people' | 'signingSecrets'>,
	loginName: string,
	token: string | null,
): Promise<KnownBrowser | null> {
	const claimed = token === null ? null : readBrowserToken(signingSecrets, loginName, token);
	if (claimed === null) return null;
	const user = await people.findByLoginName(loginName);
	if (user === null || !claimed.isOfPassword(user.passwordHash)) return null;
	return { id: claimed.id, userId: user.id };
}

/** A new token by which a browser is known; null without a signing secret. */
export function rememberBrowser(
	{ signingSecrets, secureRandom }: Pick<IdentityServices, 'signingSecrets' | 'secureRandom'>,
	user: Pick<User, 'loginName' | 'passwordHash'>,
	known: KnownBrowser | null = null,
): string | null {
	const [signing] = signingSecrets;
	if (signing === undefined) return null;
	return issueBrowserToken(signing, user, known?.id ?? secureRandom(BROWSER_ID_OCTETS));
}

/**
 * The keys by which an attempt is counted. A known browser has its own budget, with the limits of an account: attempts
 * of others with the person's name or from the same IP address never block it, and its own failures block no others.
 */
export function attemptOf(known: KnownBrowser | null, client: string, loginName: string): Attempt {
	// A login name has an @.
	if (known !== null) return { client: null, account: `browser ${toBase64Url(known.id)} of ${known.userId}` };
	return { client, account: loginName };
}
