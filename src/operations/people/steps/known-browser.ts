import {
	BROWSER_ID_OCTETS,
	issueBrowserToken,
	readBrowserToken,
} from '../../../core/identity/known-browser.ts';
import { toBase64Url } from '../../../lib/base64url.ts';
import type { IdentityServices, User } from '../port.ts';
import type { Attempt } from './throttle.ts';

/** A browser in which the person signed in before, with the password of today. */
export interface KnownBrowser {
	readonly id: Uint8Array;
	readonly userId: string;
}

/** Whether the browser signed in as this person before. Somebody is looked up only where it shows that it did. */
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

/** What a browser is known by from now on; null where we have no secret to sign with. */
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
 * By whom an attempt is counted. A known browser has a budget of its own, with the limits of an account: whatever
 * strangers do in the person's name, or beside it at the same address, never stops it, and its own failures stop nobody
 * else.
 */
export function attemptOf(known: KnownBrowser | null, client: string, loginName: string): Attempt {
	// A login name has an @.
	if (known !== null) return { client: null, account: `browser ${toBase64Url(known.id)} of ${known.userId}` };
	return { client, account: loginName };
}
