import { totpCode } from '../../src/lib/totp.ts';
import { factorSecret } from '../../src/core/identity/second-factor.ts';
import type { Address } from '../../src/core/address/parse-address.ts';
import { beginTwoFactor, turnOnTwoFactor } from '../../src/operations/people/two-factor.ts';
import { finishSignIn, signIn } from '../../src/operations/people/sign-in.ts';
import type { SignedIn } from '../../src/operations/people/port.ts';
import { fromBase32 } from './base32.ts';
import { BASE, PASSWORD, newFormId, newPerson } from './identity.ts';
import type { Identity } from './identity.ts';

const STEP_MS = 30_000;

/** The code that the person's app shows now. */
export async function codeNow({ services, time }: Identity, { user }: SignedIn): Promise<string> {
	const factor = await services.secondFactors.find(user.id);
	const secret = factor === null ? null : factorSecret(services.signingSecrets, user.id, factor);
	if (secret === null) throw new Error('two-factor sign-in is off');
	return totpCode(secret, time.now);
}

/** The next code of the app, which was not used so far. */
export async function nextCode(identity: Identity, signedIn: SignedIn): Promise<string> {
	identity.time.now += STEP_MS;
	return codeNow(identity, signedIn);
}

/** Turns two-factor sign-in on, as the pages do. */
export async function turnOn(identity: Identity, signedIn: SignedIn, sessionToken: string) {
	const { services, time } = identity;
	const begun = await beginTwoFactor(services, signedIn, { password: PASSWORD, client: 'here' });
	if (begun.kind !== 'begun') throw new Error(begun.kind);
	const { offer, text } = begun.setup;
	const secret = fromBase32(text);
	const request = { formId: newFormId(), sessionToken, client: 'here', base: BASE };
	const send = async (code = totpCode(secret, time.now), said = offer, person = signedIn) =>
		turnOnTwoFactor(services, person, { ...request, offer: said, device: 'Firefox on Linux', code });
	return { send, offer, secret };
}

/** A person with two-factor sign-in, and the recovery codes. */
export async function newTwoFactorPerson(identity: Identity, address?: Address) {
	const person = await newPerson(identity, address);
	const { send } = await turnOn(identity, person.signedIn, person.token);
	const on = await send();
	if (on.kind !== 'on') throw new Error(on.kind);
	return { ...person, recoveryCodes: on.recoveryCodes };
}

/** A browser that signs in, in two steps. Each time it comes from another place. */
export function twoStepBrowser({ services }: Identity, address: Address, kept: string | null = null) {
	let browserToken = kept;
	let halfToken = '';
	const browser = () => ({ client: crypto.randomUUID(), device: 'Firefox on Linux', base: BASE });
	return {
		password: async (password = PASSWORD): Promise<string> => {
			const shown = {
				earlierToken: null,
				browserToken,
				challengeAnswer: null,
				work: null,
				formId: newFormId(),
			};
			const result = await signIn(services, { ...browser(), ...shown, address, password });
			if (result.kind === 'code_needed') ({ halfToken } = result);
			return result.kind;
		},
		code: async (code: string, formId = newFormId()): Promise<string> => {
			const request = { ...browser(), halfToken, code, formId, earlierToken: null, browserToken };
			const result = await finishSignIn(services, request);
			if (result.kind === 'signed_in') ({ browserToken } = result);
			return result.kind;
		},
	};
}
