import { readHalfToken } from '../../core/identity/second-factor.ts';
import type { FinishSignInRequest } from './finish-sign-in.ts';
import type { IdentityServices, User } from './port.ts';

/** A person who has sent the right password, and no code so far. */
export interface HalfSignedInPerson {
	readonly user: User;
	/** When the password was sent, epoch ms. */
	readonly since: number;
}

/** The person who is half signed in with a token; null: it is none of ours, or it has ended. */
export async function findHalfSignedIn(
	services: Pick<IdentityServices, 'clock' | 'people' | 'signingSecrets'>,
	request: Pick<FinishSignInRequest, 'halfToken'>,
): Promise<HalfSignedInPerson | null> {
	const { clock, people, signingSecrets } = services;
	const claimed = readHalfToken(signingSecrets, request.halfToken, clock.now());
	if (claimed === null) return null;
	const user = await people.find(claimed.userId);
	return user !== null && claimed.isOfPassword(user.passwordHash) ? { user, since: claimed.since } : null;
}
