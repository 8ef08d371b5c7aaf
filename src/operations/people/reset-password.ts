import { parseAddress } from '../../core/address/parse-address.ts';
import type { Address } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { passwordChangedMail, resetMail } from '../../core/identity/mails.ts';
import { digestOfToken, linkEndsAt, TOKEN_OCTETS } from '../../core/identity/tokens.ts';
import { toBase64Url } from '../../lib/encodings.ts';
import type { IdentityServices, OneTimeLink } from './port.ts';
import { openLink, pageLink } from './steps/links.ts';
import { attemptOf, recogniseBrowser, rememberBrowser } from './steps/sessions.ts';
import { forgive, throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';
import { browserIdOfResets } from '../../core/identity/browsers.ts';
import { findPasswordFault } from '../../core/identity/passwords.ts';
import type { PasswordFault } from '../../core/identity/passwords.ts';
import { assert } from '../../lib/assert.ts';
import { note } from './steps/note.ts';

interface RequestResetRequest {
	readonly address: Address;
	readonly client: string;
	/** The token of a known browser, if any. */
	readonly browserToken: string | null;
	/** The id of the form. A form that is sent twice sends one mail. */
	readonly formId: string;
	/** Our public URL. */
	readonly base: string;
}

/**
 * Sends a link if the address has an account. The answer is the same for any address, and given before the look-up,
 * except for a browser that is known to have signed in as this person.
 */
export async function requestPasswordReset(
	services: IdentityServices,
	request: RequestResetRequest,
): Promise<{ kind: 'look_in_mail' } | Throttled> {
	const { address, client, formId, base, browserToken } = request;
	services.mailer.requireReady();
	const loginName = loginNameOf(address);
	const known = await recogniseBrowser(services, loginName, browserToken);
	const throttled = await throttle(services, 'request_reset', attemptOf(known, client, loginName));
	if (throttled !== null) return throttled;
	services.later(async () => {
		const user = await services.people.findByLoginName(loginName);
		if (user === null) return;
		const token = toBase64Url(services.secureRandom(TOKEN_OCTETS));
		const purpose = 'reset_password';
		const isNew = await services.people.insertLink({
			tokenHash: digestOfToken(token),
			purpose,
			formId,
			email: user.email,
			loginName,
			userId: user.id,
			accountId: null,
			passwordHash: null,
			visitorHash: null,
			expiresAt: linkEndsAt(purpose, services.clock.now()),
			usedAt: null,
		});
		const link = pageLink(base, 'reset-password', token);
		if (isNew) await services.mailer.send({ to: user.email, ...resetMail(link) });
	});
	return { kind: 'look_in_mail' };
}

/** The address whose password a link resets; null if the link is no longer valid. Changes nothing. */
export async function lookAtReset(
	services: Pick<IdentityServices, 'clock' | 'people'>,
	request: Pick<ResetPasswordRequest, 'token'>,
): Promise<Pick<OneTimeLink, 'email' | 'userId'> | null> {
	return openLink(services, 'reset_password', request.token);
}

interface ResetPasswordRequest {
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
