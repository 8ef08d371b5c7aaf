import { RANDOM_OCTETS, accountIdOf, issueApiKey } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountLocation } from './port.ts';
import { audit } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

export interface CreateAccountRequest {
	readonly email: string;
	/** Initial credits; null: the trial grant. */
	readonly credits: number | null;
	/** Where its requests will come from; left out: from where this one comes. */
	readonly location?: AccountLocation | undefined;
}

/** Opens an account with one key, which is returned only now. */
export async function createAccount(
	services: ManageServices,
	request: CreateAccountRequest,
): Promise<{ accountId: string; apiKey: string }> {
	const { signing, secureRandom } = services;
	if (signing === null) throw new ServiceError('misconfigured', 'KEY_SIGNING_SECRET is not configured');
	const account = secureRandom(RANDOM_OCTETS.account);
	const [key, secret] = [secureRandom(RANDOM_OCTETS.key), secureRandom(RANDOM_OCTETS.secret)];
	const accountId = accountIdOf(account);
	const { apiKey, route } = issueApiKey(signing, { account, key, secret });
	const now = services.clock.now();
	const initialCredits = request.credits ?? services.trialCredits;
	await audit(services, 'account.create', accountId, { credits: initialCredits });
	// Entered and listed first: an opened account that stands nowhere would be worse than a listed one that was never opened.
	await services.accountRegister.enter(accountId);
	await services.directory.insertAccount({ id: accountId, email: request.email, createdAt: now });
	const { keyId: id, secretHash, version, ending } = route;
	const newKey = { id, secretHash, version, ending, label: 'First key' };
	await services.accounts(accountId, request.location).open({ now, initialCredits, key: newKey });
	return { accountId, apiKey };
}
