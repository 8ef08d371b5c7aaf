import type { Address } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { alreadyRegisteredMail, confirmationMail } from '../../core/identity/mails.ts';
import { TOKEN_OCTETS, digestOfToken, linkEndsAt } from '../../core/identity/one-time-link.ts';
import { findPasswordFault } from '../../core/identity/password-rules.ts';
import type { PasswordFault } from '../../core/identity/password-rules.ts';
import { RANDOM_OCTETS, accountIdOf } from '../../core/keys/api-key.ts';
import { toBase64Url } from '../../lib/base-encodings.ts';
import { checkDomain, takesMail } from './steps/check-domain.ts';
import type { CheckDomainServices, DomainFault } from './steps/check-domain.ts';
import type { IdentityServices } from './port.ts';
import { pageLink } from './steps/links.ts';
import { throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';

export interface SignUpRequest {
	readonly address: Address;
	readonly password: string;
	/** The person saw our suggestion and keeps the address. */
	readonly keepsAddress: boolean;
	readonly client: string;
	/** The id of the form. A form that is sent twice sends one mail. */
	readonly formId: string;
	/** The browser's visitor token, if any: this browser may confirm without the password. */
	readonly visitor: string | null;
	/** Our public URL. */
	readonly base: string;
}

export type SignUpResult =
	| { readonly kind: 'look_in_mail' }
	| { readonly kind: 'weak_password'; readonly fault: PasswordFault }
	| DomainFault
	| Throttled;

export type SignUpServices = IdentityServices & CheckDomainServices;

/**
 * Accepts a sign-up. No person and no account exist before the address is confirmed. Only the mail says whether the
 * address already has an account: the answer is the same, and all that differs is done after it.
 */
export async function signUp(services: SignUpServices, request: SignUpRequest): Promise<SignUpResult> {
	const { address, password, client } = request;
	const fault = findPasswordFault(password, address);
	if (fault !== null) return { kind: 'weak_password', fault };
	const domainFault = await checkDomain(services, request);
	if (domainFault !== null) return domainFault;
	services.mailer.requireReady();
	const hashed = await services.passwords.inLine(null, async (turn) => {
		const throttled = await throttle(services, 'sign_up', { client, account: loginNameOf(address) });
		return throttled ?? turn.hash(password);
	});
	if (typeof hashed !== 'string') return hashed;
	if (!(await takesMail(services, request))) return { kind: 'no_mail' };
	services.later(() => sendLink(services, request, hashed));
	return { kind: 'look_in_mail' };
}

/** Stores and sends the link. If it dies in between, the person signs up again; an unsent link is harmless. */
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
