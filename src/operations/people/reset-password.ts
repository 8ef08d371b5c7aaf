import { parseAddress } from '../../core/address/parse-address.ts';
import { browserIdOfResets } from '../../core/identity/known-browser.ts';
import { passwordChangedMail } from '../../core/identity/mails.ts';
import { digestOfToken } from '../../core/identity/one-time-link.ts';
import { findPasswordFault } from '../../core/identity/password-rules.ts';
import type { PasswordFault } from '../../core/identity/password-rules.ts';
import { assert } from '../../lib/assert.ts';
import { rememberBrowser } from './steps/known-browser.ts';
import type { IdentityServices } from './port.ts';
import { note } from './steps/note.ts';
import { openLink, pageLink } from './steps/links.ts';
import { forgive, throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';

export interface ResetPasswordRequest {
	readonly token: string;
	readonly password: string;
	readonly client: string;
	readonly device: string;
	/** Our public URL. */
	readonly base: string;
}

/**
 * Replaces the password by the link of a mail, once, and signs all browsers out. It does not sign in: a reader of the
 * mail must still know the new password. But the browser is known from now on, so that the person can sign in while
 * others go on guessing the password.
 */
export async function resetPassword(
	services: IdentityServices,
	request: ResetPasswordRequest,
): Promise<
	| { kind: 'changed'; browserToken: string | null }
	| { kind: 'link_ended' }
	| { kind: 'weak_password'; fault: PasswordFault }
	| Throttled
> {
	const throttled = await throttle(services, 'open_link', { client: request.client, account: null });
	if (throttled !== null) return throttled;
	const link = await openLink(services, 'reset_password', request.token);
	if (link === null) return { kind: 'link_ended' };
	const parsed = parseAddress(link.email);
	assert(parsed.ok, 'people sign up with an address');
	const fault = findPasswordFault(request.password, parsed.address);
	if (fault !== null) return { kind: 'weak_password', fault };
	const passwordHash = await services.passwords.inLine(link.userId, (turn) => turn.hash(request.password));
	const tokenHash = digestOfToken(request.token);
	const user = await services.people.resetPassword({ tokenHash, passwordHash, now: services.clock.now() });
	if (user === null) return { kind: 'link_ended' };
	// A person who was throttled because of others' guesses can sign in at once.
	await forgive(services, 'sign_in', { account: user.loginName });
	const forgotten = pageLink(request.base, 'forgotten-password');
	services.later(() => services.mailer.send({ to: user.email, ...passwordChangedMail(forgotten) }));
	note(services, user.accountId, { kind: 'password_reset', device: request.device });
	// Where a code has to follow, each reset would otherwise bring ten more guesses at it.
	const hasFactor = (await services.secondFactors.find(user.id)) !== null;
	const known = hasFactor ? { id: browserIdOfResets(user.id), userId: user.id } : null;
	return { kind: 'changed', browserToken: rememberBrowser(services, user, known) };
}
