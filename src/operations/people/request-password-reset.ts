import type { Address } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { resetMail } from '../../core/identity/mails.ts';
import { TOKEN_OCTETS, digestOfToken, linkEndsAt } from '../../core/identity/one-time-link.ts';
import { toBase64Url } from '../../lib/base-encodings.ts';
import type { IdentityServices } from './port.ts';
import { pageLink } from './steps/links.ts';
import { attemptOf, recogniseBrowser } from './steps/known-browser.ts';
import { throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';

export interface RequestResetRequest {
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
