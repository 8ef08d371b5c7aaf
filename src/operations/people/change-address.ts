import { addressChangedMail } from '../../core/identity/mails.ts';
import { digestOfToken } from '../../core/identity/one-time-link.ts';
import { rememberBrowser } from './steps/known-browser.ts';
import { lookAtAddressChange } from './look-at-address-change.ts';
import type { IdentityServices, SignedIn } from './port.ts';
import { note } from './steps/note.ts';

export interface ChangeAddressRequest {
	/** Of the link in the mail to the new address. */
	readonly token: string;
	readonly device: string;
}

/**
 * Replaces the address by the link of a mail, once. The person has to be signed in: otherwise a typing error in the new
 * address would give the account to whoever reads the mail. All other browsers are signed out.
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
