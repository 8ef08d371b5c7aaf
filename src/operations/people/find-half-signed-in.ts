import { readHalfToken } from '../../core/identity/second-factor.ts';
import type { FinishSignInRequest } from './finish-sign-in.ts';
import type { IdentityServices, User } from './port.ts';

/** The person who is half signed in with a token; null: it is none of ours, or it has ended. */
export async function findHalfSignedIn(
	services: Pick<IdentityServices, 'clock' | 'people' | 'signingSecrets'>,
	request: Pick<FinishSignInRequest, 'halfToken'>,
): Promise<User | null> {
	const { clock, people, signingSecrets } = services;
	const claimed = readHalfToken(signingSecrets, request.halfToken, clock.now());
	const user = claimed === null ? null : await people.find(claimed.userId);
	return user !== null && claimed?.isOfPassword(user.passwordHash) === true ? user : null;
}
