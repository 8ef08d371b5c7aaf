import { twoFactorMail } from '../../core/identity/mails.ts';
import { readOffer } from '../../core/identity/factor-offer.ts';
import { digestOfRecoveryCode, makeRecoveryCodes, readCode } from '../../core/identity/recovery-codes.ts';
import { factorSecret } from '../../core/identity/second-factor.ts';
import { totpStepOf } from '../../lib/totp.ts';
import type { IdentityServices, SignedIn } from './port.ts';
import { pageLink } from './steps/links.ts';
import { signedInName } from './steps/check-code.ts';
import { note } from './steps/note.ts';
import { throttle } from './steps/throttle.ts';
import type { Throttled } from './steps/throttle.ts';

export interface TurnOnTwoFactorRequest {
	/** Of the secret that the person's app has, as `FactorSetup` has it. */
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
