import type { ChangeAddressRequest } from './change-address.ts';
import type { IdentityServices, OneTimeLink, SignedIn } from './port.ts';
import { openLink } from './steps/links.ts';

/** The address that a link confirms for the person who is signed in; null: it is no longer valid, or of another one. */
export async function lookAtAddressChange(
	services: Pick<IdentityServices, 'clock' | 'people'>,
	person: SignedIn,
	request: Pick<ChangeAddressRequest, 'token'>,
): Promise<OneTimeLink | null> {
	const link = await openLink(services, 'change_address', request.token);
	return link?.userId === person.user.id ? link : null;
}
