import { parseAddress } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { twoFactorMail } from '../../core/identity/mails.ts';
import { ServiceError } from '../../errors.ts';
import { audit } from '../accounts/steps/manage.ts';
import type { AuditTrailServices } from '../accounts/steps/manage.ts';
import type { IdentityServices } from './port.ts';
import { pageLink } from './steps/links.ts';
import { note } from './steps/note.ts';

export interface RemoveTwoFactorRequest {
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
