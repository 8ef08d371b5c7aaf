import { twoFactorMail } from '../../core/identity/mails.ts';
import { askAgain } from './steps/ask-again.ts';
import type { AskAgainRequest, AskedAgain } from './steps/ask-again.ts';
import type { IdentityServices, SignedIn } from './port.ts';
import { pageLink } from './steps/links.ts';
import { note } from './steps/note.ts';

/** Turns the second factor off, for a person who has both: the password and a code. */
export async function turnOffTwoFactor(
	services: IdentityServices,
	person: SignedIn,
	request: AskAgainRequest,
): Promise<{ kind: 'off' } | Exclude<AskedAgain, { kind: 'right' }>> {
	const { user } = person;
	const asked = await askAgain(services, user, request);
	if (asked.kind !== 'right') return asked;
	await services.secondFactors.turnOff(user.id);
	note(services, user.accountId, { kind: 'two_factor_off', device: request.device });
	const mail = twoFactorMail(false, pageLink(request.base, 'forgotten-password'));
	services.later(() => services.mailer.send({ to: user.email, ...mail }));
	return { kind: 'off' };
}
