import { digestOfToken, TOKEN_OCTETS } from '../../../core/identity/tokens.ts';
import { toBase64Url } from '../../../lib/encodings.ts';
import type { IdentityServices, Session } from '../port.ts';

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
