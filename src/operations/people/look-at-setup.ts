import { readOffer } from '../../core/identity/factor-offer.ts';
import { factorSecret } from '../../core/identity/second-factor.ts';
import { totpSecretText, totpUri } from '../../lib/totp.ts';
import type { IdentityServices, SignedIn } from './port.ts';

/** What the person's app has to know. Nothing of it is stored before a first code was right. */
export interface FactorSetup {
	/** Which secret it is, and that its person has sent the password for it (`offerFactor`). */
	readonly offer: string;
	/** For the QR code. */
	readonly uri: string;
	/** The secret, to be typed by hand. */
	readonly text: string;
}

/** What the app has to know; null: nothing was offered to this person, or too long ago. */
export function lookAtSetup(
	services: Pick<IdentityServices, 'signingSecrets' | 'clock'>,
	person: SignedIn,
	request: Pick<FactorSetup, 'offer'>,
): FactorSetup | null {
	const { offer } = request;
	const { signingSecrets, clock } = services;
	const { user } = person;
	const ref = readOffer(signingSecrets, user, offer, clock.now());
	const secret = ref === null ? null : factorSecret(signingSecrets, user.id, ref);
	if (secret === null) return null;
	const uri = totpUri(secret, { issuer: 'Mailsonar', label: user.email });
	return { offer, uri, text: totpSecretText(secret) };
}
