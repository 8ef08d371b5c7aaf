import { TOKEN_OCTETS, digestOfToken } from '../../../core/identity/one-time-link.ts';
import { toBase64Url } from '../../../lib/base64url.ts';
import type { IdentityServices, Session } from '../port.ts';

/** A browser that will be signed in. */
export interface Browser {
	/** Browser and system in a few words. */
	readonly device: string;
	/** The form that was sent: sent twice, it begins one session. */
	readonly formId: string;
}

/** What a browser keeps from now on. */
export interface BegunSession {
	/** Of the session. */
	readonly token: string;
	/** What the browser is known by, also after the session; null where we have no secret to sign with. */
	readonly browserToken: string | null;
}

/** A new session with its token, which only the browser keeps. Nothing of an earlier one goes into it. */
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
