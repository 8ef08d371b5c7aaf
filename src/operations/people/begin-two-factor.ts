import { offerFactor } from '../../core/identity/factor-offer.ts';
import { FACTOR_SALT_OCTETS } from '../../core/identity/second-factor.ts';
import { ServiceError } from '../../errors.ts';
import { toBase64Url } from '../../lib/base-encodings.ts';
import { assert } from '../../lib/assert.ts';
import { lookAtSetup } from './look-at-setup.ts';
import type { FactorSetup } from './look-at-setup.ts';
import { askPassword } from './steps/ask-password.ts';
import type { IdentityServices, SignedIn } from './port.ts';
import type { Throttled } from './steps/throttle.ts';

export interface BeginTwoFactorRequest {
	readonly password: string;
	readonly client: string;
}

/** Makes a secret for an authenticator app. The password is asked, so that nobody can do this at an unlocked desk. */
export async function beginTwoFactor(
	services: IdentityServices,
	person: SignedIn,
	request: BeginTwoFactorRequest,
): Promise<{ kind: 'begun'; setup: FactorSetup } | { kind: 'wrong_password' } | Throttled> {
	const { user } = person;
	const [signing] = services.signingSecrets;
	if (signing === undefined) throw new ServiceError('misconfigured', 'KEY_SIGNING_SECRET is not configured');
	const asked = await askPassword(services, user, request.password, request.client);
	if (asked.kind !== 'right') return asked;
	const salt = toBase64Url(services.secureRandom(FACTOR_SALT_OCTETS));
	const offer = offerFactor(signing, user, salt, services.clock.now());
	const setup = lookAtSetup(services, person, { offer });
	assert(setup !== null, 'what was offered just now can be looked at');
	return { kind: 'begun', setup };
}
