import { factorSecret } from '../../core/identity/second-factor.ts';
import { totpSecretText, totpUri } from '../../lib/totp.ts';
import type { IdentityServices, SignedIn } from './port.ts';

/** What the person's app has to know. Nothing of it is stored before a first code was right. */
export interface FactorSetup {
	readonly version: number;
	readonly salt: string;
	/** For the QR code. */
	readonly uri: string;
	/** The secret, to be typed by hand. */
	readonly text: string;
}

/** What the app has to know for this salt; null: the service has no such secret any more. */
export function lookAtSetup(
	services: Pick<IdentityServices, 'signingSecrets'>,
	person: SignedIn,
	request: Pick<FactorSetup, 'version' | 'salt'>,
): FactorSetup | null {
	const { version, salt } = request;
	const { id, email } = person.user;
	const secret = factorSecret(services.signingSecrets, id, { version, salt });
	if (secret === null) return null;
	const uri = totpUri(secret, { issuer: 'Mailsonar', label: email });
	return { version, salt, uri, text: totpSecretText(secret) };
}
