import type { Address } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { alreadyRegisteredMail, confirmationMail } from '../../core/identity/mails.ts';
import { TOKEN_OCTETS, digestOfToken, linkEndsAt } from '../../core/identity/one-time-link.ts';
import { findPasswordFault } from '../../core/identity/password-rules.ts';
import type { PasswordFault } from '../../core/identity/password-rules.ts';
import { RANDOM_OCTETS, accountIdOf } from '../../core/keys/api-key.ts';
import { suggestDomain } from '../../core/lists/typos.ts';
import { toBase64Url } from '../../lib/base64url.ts';
import type { IdentityServices } from './port.ts';
import { pageLink } from './steps/links.ts';
import { throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';

export interface SignUpRequest {
	readonly address: Address;
	readonly password: string;
	/** The person saw our suggestion and keeps the address as it is. */
	readonly keepsAddress: boolean;
	readonly client: string;
	/** The form that was sent: sent twice, it sends one mail. */
	readonly formId: string;
	/** The token of the browser, which may confirm without the password; null where it has none. */
	readonly visitor: string | null;
	/** Our own public address. */
	readonly base: string;
}

export type SignUpResult =
	| { readonly kind: 'look_in_mail' }
	| { readonly kind: 'weak_password'; readonly fault: PasswordFault }
	| { readonly kind: 'disposable' }
	| { readonly kind: 'typo'; readonly suggestion: string }
	| Throttled;

/**
 * Takes a sign-up; nothing exists before its address is confirmed. Whether the address has an account is told by mail
 * alone: the answer is the same, and what differs is done after it.
 */
export async function signUp(services: IdentityServices, request: SignUpRequest): Promise<SignUpResult> {
	const { address, password, client } = request;
	const fault = findPasswordFault(password, address);
	if (fault !== null) return { kind: 'weak_password', fault };
	const suggested = suggestDomain(address.domain);
	if (suggested !== null && !request.keepsAddress)
		return { kind: 'typo', suggestion: `${address.localPart}@${suggested}` };
	if (await services.isDisposable(address.domain)) return { kind: 'disposable' };
	services.mailer.requireReady();
	return services.passwords.inLine(null, async (turn) => {
		const throttled = await throttle(services, 'sign_up', { client, account: loginNameOf(address) });
		if (throttled !== null) return throttled;
		const passwordHash = await turn.hash(password);
		services.later(() => sendLink(services, request, passwordHash));
		return { kind: 'look_in_mail' };
	});
}

/** If it dies between the row and the mail, the person asks again: a link that nobody has does no harm. */
async function sendLink(
	services: IdentityServices,
	{ address, formId, visitor, base }: SignUpRequest,
	passwordHash: string,
): Promise<void> {
	const { people, mailer, secureRandom, clock, newId } = services;
	const loginName = loginNameOf(address);
	const existing = await people.findByLoginName(loginName);
	const token = toBase64Url(secureRandom(TOKEN_OCTETS));
	const now = clock.now();
	const common = { tokenHash: digestOfToken(token), formId, loginName, usedAt: null };
	if (existing !== null) {
		const purpose = 'reset_password';
		const { id: userId, email } = existing;
		const made = { accountId: null, passwordHash: null, visitorHash: null };
		const isNew = await people.insertLink({
			...common,
			...made,
			purpose,
			email,
			userId,
			expiresAt: linkEndsAt(purpose, now),
		});
		if (!isNew) return;
		const links = [pageLink(base, 'sign-in'), pageLink(base, 'reset-password', token)] as const;
		await mailer.send({ to: email, ...alreadyRegisteredMail(...links) });
		return;
	}
	const purpose = 'confirm_address';
	const isNew = await people.insertLink({
		...common,
		purpose,
		email: address.email,
		userId: newId('usr'),
		accountId: accountIdOf(secureRandom(RANDOM_OCTETS.account)),
		passwordHash,
		visitorHash: visitor === null ? null : digestOfToken(visitor),
		expiresAt: linkEndsAt(purpose, now),
	});
	if (isNew) await mailer.send({ to: address.email, ...confirmationMail(pageLink(base, 'confirm', token)) });
}
