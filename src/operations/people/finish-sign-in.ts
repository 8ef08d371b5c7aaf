import { digestOfToken } from '../../core/identity/one-time-link.ts';
import { findHalfSignedIn } from './find-half-signed-in.ts';
import type { HalfSignedInPerson } from './find-half-signed-in.ts';
import { newSession } from './steps/begin-session.ts';
import type { BegunSession, Browser } from './steps/begin-session.ts';
import { checkCode } from './steps/check-code.ts';
import { attemptOf, recogniseBrowser, rememberBrowser } from './steps/known-browser.ts';
import { note } from './steps/note.ts';
import type { IdentityServices } from './port.ts';
import type { Throttled } from './steps/throttle.ts';

export interface FinishSignInRequest extends Browser {
	/** What the browser holds since its password was right. */
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

export type FinishSignInResult =
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
