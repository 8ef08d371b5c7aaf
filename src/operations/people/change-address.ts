import { parseAddress } from '../../core/address/parse-address.ts';
import type { Address } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import {
	addressChangeAskedMail,
	addressChangedMail,
	addressTakenMail,
	newAddressMail,
} from '../../core/identity/mails.ts';
import { digestOfToken, linkEndsAt, TOKEN_OCTETS } from '../../core/identity/tokens.ts';
import { toBase64Url } from '../../lib/encodings.ts';
import { openLink, pageLink } from './steps/links.ts';
import { askAgain } from './steps/prove.ts';
import type { AskAgainRequest, AskedAgain } from './steps/prove.ts';
import { checkDomain, takesMail } from './sign-up.ts';
import type { CheckDomainServices, DomainFault } from './sign-up.ts';
import type { IdentityServices, OneTimeLink, SignedIn, User } from './port.ts';
import { note } from './steps/note.ts';
import { throttle } from './steps/throttle.ts';
import { rememberBrowser } from './steps/sessions.ts';

interface RequestAddressChangeRequest extends AskAgainRequest {
	readonly address: Address;
	/** The person saw our suggestion and keeps the address. */
	readonly keepsAddress: boolean;
	/** The id of the form. A form that is sent twice sends its mails once. */
	readonly formId: string;
}

/**
 * Sends a link to the new address and tells the present one. Nothing changes before the link is used. The answer does
 * not say whether another person has the new address, and all that differs is done after it.
 */
export async function requestAddressChange(
	services: IdentityServices & CheckDomainServices,
	person: SignedIn,
	request: RequestAddressChangeRequest,
): Promise<
	{ kind: 'look_in_mail' } | { kind: 'same' } | DomainFault | Exclude<AskedAgain, { kind: 'right' }>
> {
	const { user } = person;
	const { address, client } = request;
	const present = parseAddress(user.email);
	if (present.ok && present.address.email === address.email) return { kind: 'same' };
	// Before the proof: a typing error must not cost a code, which works once.
	const fault = checkDomain(services, request);
	if (fault !== null) return fault;
	services.mailer.requireReady();
	const proof = await askAgain(services, user, request);
	if (proof.kind !== 'right') return proof;
	const throttled = await throttle(services, 'change_address', { client, account: user.id });
	if (throttled !== null) return throttled;
	if (!(await takesMail(services, request))) return { kind: 'no_mail' };
	services.later(() => sendLink(services, user, request));
	return { kind: 'look_in_mail' };
}

/** Stores and sends the link. If it dies in between, the person asks again; an unsent link is harmless. */
async function sendLink(
	services: IdentityServices,
	user: User,
	{ address, formId, base, device }: RequestAddressChangeRequest,
): Promise<void> {
	const { people, mailer, secureRandom, clock } = services;
	const purpose = 'change_address';
	const token = toBase64Url(secureRandom(TOKEN_OCTETS));
	const loginName = loginNameOf(address);
	const isNew = await people.insertLink({
		tokenHash: digestOfToken(token),
		purpose,
		formId,
		email: address.email,
		loginName,
		userId: user.id,
		accountId: null,
		passwordHash: null,
		visitorHash: null,
		expiresAt: linkEndsAt(purpose, clock.now()),
		usedAt: null,
	});
	if (!isNew) return;
	note(services, user.accountId, { kind: 'address_change_asked', device, about: address.email });
	const owner = await people.findByLoginName(loginName);
	const isTaken = owner !== null && owner.id !== user.id;
	const link = pageLink(base, 'settings/address/confirm', token);
	await mailer.send({ to: address.email, ...(isTaken ? addressTakenMail() : newAddressMail(link)) });
	await mailer.send({ to: user.email, ...addressChangeAskedMail(pageLink(base, 'forgotten-password')) });
}

/** The address that a link confirms for the person who is signed in; null: it is no longer valid, or of another one. */
export async function lookAtAddressChange(
	services: Pick<IdentityServices, 'clock' | 'people'>,
	person: SignedIn,
	request: Pick<ChangeAddressRequest, 'token'>,
): Promise<OneTimeLink | null> {
	const link = await openLink(services, 'change_address', request.token);
	return link?.userId === person.user.id ? link : null;
}

interface ChangeAddressRequest {
	/** The token of the link in the mail to the new address. */
	readonly token: string;
	readonly device: string;
}

/**
 * Replaces the address by the link of a mail, once. The person has to be signed in: otherwise a typing error in the
 * new address would give the account to its reader. All other browsers are signed out.
 */
export async function changeAddress(
	services: IdentityServices,
	person: SignedIn,
	request: ChangeAddressRequest,
): Promise<{ kind: 'changed'; email: string; browserToken: string | null } | { kind: 'link_ended' }> {
	if ((await lookAtAddressChange(services, person, request)) === null) return { kind: 'link_ended' };
	const { user: before, session } = person;
	const tokenHash = digestOfToken(request.token);
	const now = services.clock.now();
	const user = await services.people.changeAddress({ tokenHash, session: session.tokenHash, now });
	if (user === null) return { kind: 'link_ended' };
	const about = `${before.email} → ${user.email}`;
	note(services, user.accountId, { kind: 'address_changed', device: request.device, about });
	services.later(() => services.mailer.send({ to: before.email, ...addressChangedMail() }));
	// A browser is known by the name that it signs in with.
	return { kind: 'changed', email: user.email, browserToken: rememberBrowser(services, user) };
}
