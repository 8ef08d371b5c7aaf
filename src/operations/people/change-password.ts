import { parseAddress } from '../../core/address/parse-address.ts';
import { passwordChangedMail } from '../../core/identity/mails.ts';
import { findPasswordFault } from '../../core/identity/password-rules.ts';
import type { PasswordFault } from '../../core/identity/password-rules.ts';
import { assert } from '../../lib/assert.ts';
import { askPassword } from './steps/ask-password.ts';
import { newSession } from './steps/begin-session.ts';
import type { BegunSession, Browser } from './steps/begin-session.ts';
import { rememberBrowser } from './steps/known-browser.ts';
import type { IdentityServices, SignedIn } from './port.ts';
import { pageLink } from './steps/links.ts';
import { note } from './steps/note.ts';
import type { Throttled } from './steps/throttle.ts';

export interface ChangePasswordRequest extends Browser {
	readonly current: string;
	readonly password: string;
	readonly client: string;
	/** Our public URL. */
	readonly base: string;
}

/**
 * Replaces the password of a person who knows the current one. All other browsers are signed out and no longer known;
 * this one continues with new tokens.
 */
export async function changePassword(
	services: IdentityServices,
	person: SignedIn,
	request: ChangePasswordRequest,
): Promise<
	| ({ kind: 'changed' } & BegunSession)
	| { kind: 'wrong_password' }
	| { kind: 'weak_password'; fault: PasswordFault }
	| Throttled
> {
	const { user } = person;
	const parsed = parseAddress(user.email);
	assert(parsed.ok, 'people sign up with an address');
	const fault = findPasswordFault(request.password, parsed.address);
	if (fault !== null) return { kind: 'weak_password', fault };
	const asked = await askPassword(services, user, request.current, request.client);
	if (asked.kind !== 'right') return asked;
	const passwordHash = await services.passwords.inLine(user.id, (turn) => turn.hash(request.password));
	const { token, session } = newSession(services, user.id, request);
	await services.people.replacePassword(user.id, passwordHash, session);
	note(services, user.accountId, { kind: 'password_changed', device: request.device });
	const forgotten = pageLink(request.base, 'forgotten-password');
	services.later(() => services.mailer.send({ to: user.email, ...passwordChangedMail(forgotten) }));
	const browserToken = rememberBrowser(services, { ...user, passwordHash });
	return { kind: 'changed', token, browserToken };
}
