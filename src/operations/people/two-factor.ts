import {
	digestOfRecoveryCode,
	FACTOR_SALT_OCTETS,
	factorSecret,
	makeRecoveryCodes,
	offerFactor,
	readCode,
	readOffer,
} from '../../core/identity/second-factor.ts';
import { ServiceError } from '../../errors.ts';
import { toBase64Url } from '../../lib/encodings.ts';
import { assert } from '../../lib/assert.ts';
import { askPassword, signedInName, askAgain } from './steps/prove.ts';
import type { IdentityServices, SignedIn } from './port.ts';
import { throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';
import { totpSecretText, totpStepOf, totpUri } from '../../lib/totp.ts';
import { twoFactorMail } from '../../core/identity/mails.ts';
import { pageLink } from './steps/links.ts';
import { note } from './steps/note.ts';
import type { AskAgainRequest, AskedAgain } from './steps/prove.ts';
import { parseAddress } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { audit } from '../accounts/steps/manage.ts';
import type { AuditTrailServices } from '../accounts/steps/manage.ts';

/**
 * Makes a secret for an authenticator app. It asks for the password, so that a passer-by can't do this at an unlocked
 * desk.
 */
export async function beginTwoFactor(
	services: IdentityServices,
	person: SignedIn,
	request: { readonly password: string; readonly client: string },
): Promise<{ kind: 'begun'; setup: FactorSetup } | { kind: 'wrong_password' } | Throttled> {
	const { user } = person;
	const [signing] = services.signingSecrets;
	if (signing === undefined) throw new ServiceError('misconfigured', 'KEY_SIGNING_SECRET is not configured');
	const proof = await askPassword(services, user, request.password, request.client);
	if (proof.kind !== 'right') return proof;
	const salt = toBase64Url(services.secureRandom(FACTOR_SALT_OCTETS));
	const offer = offerFactor(signing, user, salt, services.clock.now());
	const setup = lookAtSetup(services, person, { offer });
	assert(setup !== null, 'what was offered just now can be looked at');
	return { kind: 'begun', setup };
}

/** The facts that the person's app needs. We store none of them before a first code was right. */
export interface FactorSetup {
	/** Which secret it is, and that its person has sent the password for it (`offerFactor`). */
	readonly offer: string;
	/** For the QR code. */
	readonly uri: string;
	/** The secret, to be typed by hand. */
	readonly text: string;
}

/** The facts that the app needs; null: no secret was offered to this person, or too long ago. */
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

interface TurnOnTwoFactorRequest {
	/** The secret of the person's app, as `FactorSetup` has it. */
	readonly offer: string;
	/** The first code, as typed. */
	readonly code: string;
	/** The id of the form. A form that is sent twice shows the same recovery codes. */
	readonly formId: string;
	/** The token of the session. */
	readonly sessionToken: string;
	readonly client: string;
	readonly device: string;
	/** Our public URL. */
	readonly base: string;
}

/**
 * Turns the second factor on, once a first code shows that the app has the secret. All other browsers are signed out.
 * Gives the recovery codes, which are shown only now.
 */
export async function turnOnTwoFactor(
	services: IdentityServices,
	person: SignedIn,
	request: TurnOnTwoFactorRequest,
): Promise<
	| { kind: 'on'; recoveryCodes: readonly string[] }
	| { kind: 'wrong_code' }
	| { kind: 'on_already' }
	/** Nothing was offered to this person, or too long ago: the password has to be sent again. */
	| { kind: 'password_needed' }
	| Throttled
> {
	const { user, session } = person;
	const { client, device, formId, sessionToken } = request;
	const now = services.clock.now();
	const recoveryCodes = makeRecoveryCodes(sessionToken, formId);
	const digests = recoveryCodes.map(digestOfRecoveryCode);
	if ((await services.secondFactors.find(user.id)) !== null) {
		// The same form sent twice: the first time turned it on, with these very codes.
		const isOwn = await services.secondFactors.hasCode(user.id, digests[0] ?? '');
		return isOwn ? { kind: 'on', recoveryCodes } : { kind: 'on_already' };
	}
	const offered = readOffer(services.signingSecrets, user, request.offer, now);
	if (offered === null) return { kind: 'password_needed' };
	const throttled = await throttle(services, 'second_factor', { client, account: signedInName(user) });
	if (throttled !== null) return throttled;
	const typed = readCode(request.code);
	const secret = factorSecret(services.signingSecrets, user.id, offered);
	const step = typed?.kind !== 'app' || secret === null ? null : totpStepOf(secret, typed.code, now);
	if (step === null) return { kind: 'wrong_code' };
	const { salt } = await services.secondFactors.turnOn({
		userId: user.id,
		factor: { ...offered, since: now, lastStep: step },
		recoveryCodes: digests,
		tokenHash: session.tokenHash,
	});
	if (salt !== offered.salt) return { kind: 'on_already' };
	note(services, user.accountId, { kind: 'two_factor_on', device });
	const mail = twoFactorMail(true, pageLink(request.base, 'forgotten-password'));
	services.later(() => services.mailer.send({ to: user.email, ...mail }));
	return { kind: 'on', recoveryCodes };
}

/** Turns the second factor off, for a person who has both: the password and a code. */
export async function turnOffTwoFactor(
	services: IdentityServices,
	person: SignedIn,
	request: AskAgainRequest,
): Promise<{ kind: 'off' } | Exclude<AskedAgain, { kind: 'right' }>> {
	const { user } = person;
	const proof = await askAgain(services, user, request);
	if (proof.kind !== 'right') return proof;
	await services.secondFactors.turnOff(user.id);
	note(services, user.accountId, { kind: 'two_factor_off', device: request.device });
	const mail = twoFactorMail(false, pageLink(request.base, 'forgotten-password'));
	services.later(() => services.mailer.send({ to: user.email, ...mail }));
	return { kind: 'off' };
}

interface RemoveTwoFactorRequest {
	readonly email: string;
	/** Our public URL, for the link in the mail. */
	readonly base: string;
}

/**
 * Turns the second factor off for a person who has lost the app and the recovery codes. The operator has made sure who
 * asks. The password still holds, and the person gets a mail. `isNew` false: the second factor was off.
 */
export async function removeTwoFactor(
	services: IdentityServices & AuditTrailServices,
	request: RemoveTwoFactorRequest,
): Promise<{ readonly accountId: string; readonly userId: string; readonly isNew: boolean }> {
	const { people, secondFactors, mailer, later } = services;
	const parsed = parseAddress(request.email);
	const user = parsed.ok ? await people.findByLoginName(loginNameOf(parsed.address)) : null;
	if (user === null) throw new ServiceError('account_not_found', 'No person has this address');
	const { id: userId, accountId, email } = user;
	if ((await secondFactors.find(userId)) === null) return { accountId, userId, isNew: false };
	await audit(services, 'two_factor.off', accountId, { userId });
	await secondFactors.turnOff(userId);
	note(services, accountId, { kind: 'two_factor_off', by: 'operator' });
	const mail = twoFactorMail(false, pageLink(request.base, 'forgotten-password'));
	later(() => mailer.send({ to: email, ...mail }));
	return { accountId, userId, isNew: true };
}

interface RemakeCodesRequest extends AskAgainRequest {
	readonly formId: string;
	/** The token of the session. */
	readonly sessionToken: string;
}

/** Replaces all recovery codes of a person. The new ones are shown only now. */
export async function remakeRecoveryCodes(
	services: IdentityServices,
	person: SignedIn,
	request: RemakeCodesRequest,
): Promise<
	| { kind: 'made'; recoveryCodes: readonly string[] }
	| { kind: 'off' }
	| Exclude<AskedAgain, { kind: 'right' }>
> {
	const { user } = person;
	if ((await services.secondFactors.find(user.id)) === null) return { kind: 'off' };
	const recoveryCodes = makeRecoveryCodes(request.sessionToken, request.formId);
	const digests = recoveryCodes.map(digestOfRecoveryCode);
	// The same form sent twice: its code is used up, and its recovery codes are there.
	if (await services.secondFactors.hasCode(user.id, digests[0] ?? '')) return { kind: 'made', recoveryCodes };
	const proof = await askAgain(services, user, request);
	if (proof.kind !== 'right') return proof;
	await services.secondFactors.replaceCodes(user.id, digests);
	note(services, user.accountId, { kind: 'recovery_codes_made', device: request.device });
	return { kind: 'made', recoveryCodes };
}
