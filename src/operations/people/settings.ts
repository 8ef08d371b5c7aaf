import { parseAddress } from '../../core/address/parse-address.ts';
import { ACCOUNT_DELETED, addressChangeAskedMail, ADDRESS_CHANGED } from '../../core/identity/mails.ts';
import { testAccountOf } from '../../core/keys/api-key.ts';
import type { PeopleServices, Services } from '../../services.ts';
import { askCode, checkCode } from './sign-in.ts';
import type { AskRequest, AskResult, AskServices, CheckedCode, TypedCode } from './sign-in.ts';
import type { SignedIn } from './port.ts';
import { throttle } from './steps/throttle.ts';

/**
 * Sends a code to the new address and tells the present one. Nothing changes before the code is typed, and the answer
 * does not say whether another person has the address.
 */
export async function requestAddressChange(
	services: AskServices,
	{ user }: SignedIn,
	request: AskRequest & { readonly settingsLink: string },
): Promise<AskResult | { readonly kind: 'same' }> {
	const present = parseAddress(user.email);
	if (present.ok && present.address.email === request.address.email) return { kind: 'same' };
	const throttled = await throttle(services, 'change_address', { account: user.id });
	if (throttled !== null) return throttled;
	const result = await askCode(services, request, user);
	if (result.kind === 'sent' && result.isNew) {
		const mail = addressChangeAskedMail(request.settingsLink);
		services.later(() => services.mailer.send({ to: user.email, ...mail }));
	}
	return result;
}

/**
 * Replaces the address by the code in the new mailbox, in the session that asked: otherwise a typing error in the new
 * address would give the account to its reader. All other browsers are signed out.
 */
export async function changeAddress(
	services: PeopleServices,
	{ user: before, session }: SignedIn,
	typed: TypedCode,
): Promise<{ kind: 'changed'; email: string } | Exclude<CheckedCode, { kind: 'right' }>> {
	const checked = await checkCode(services, typed, before);
	if (checked.kind !== 'right') return checked;
	const now = services.clock.now();
	const change = { codeId: checked.code.id, session: session.tokenHash, now };
	const user = await services.people.changeAddress(change);
	if (user === null) return { kind: 'code_ended' };
	services.later(() => services.mailer.send({ to: before.email, ...ADDRESS_CHANGED }));
	return { kind: 'changed', email: user.email };
}

/**
 * Deletes the account: the account first, so that all work in its name ends, then the person. If it dies in between, the
 * person can still sign in and repeat it. The ledger stays, without personal data.
 */
export async function deleteAccount(
	services: PeopleServices & Pick<Services, 'uploadBlobs'>,
	{ user }: SignedIn,
): Promise<void> {
	const now = services.clock.now();
	const { accountId, email } = user;
	await services.directory.audit({ at: now, by: 'owner', action: 'account.delete', accountId, detail: {} });
	await services.accounts(testAccountOf(accountId)).close({ now });
	await services.accounts(accountId).close({ now });
	await services.uploadBlobs.removeAllOf(accountId);
	await services.people.remove(user, now);
	services.later(() => services.mailer.send({ to: email, ...ACCOUNT_DELETED }));
}

/** Deletes expired sessions, codes (with their addresses) and throttles. */
export async function sweepIdentity(
	services: Pick<Services, 'clock' | 'people' | 'sessions' | 'attempts'>,
): Promise<void> {
	const { clock, people, sessions, attempts } = services;
	const now = clock.now();
	await people.sweepCodes(now);
	await sessions.sweep(now);
	await attempts.sweep(now);
}
