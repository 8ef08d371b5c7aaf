import { parseAddress } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { RANDOM_OCTETS, accountBytesOf, accountIdOf, issueApiKey } from '../../core/keys/api-key.ts';
import type { SigningSecret } from '../../core/keys/api-key.ts';
import type { Limits } from '../../core/rate-limit/policy.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountView, Accounts } from './port.ts';
import type { BalanceView } from '../../core/credits/balance-view.ts';
import type { AuditEntry, Directory, ListedAccount } from './directory-port.ts';
import type { Clock } from '../../engine/ports.ts';

/** What operators may do with accounts. Each action is written to the audit trail before it is done. */
export interface ManageServices {
	readonly clock: Clock;
	readonly accounts: Accounts;
	readonly directory: Directory;
	readonly signing: SigningSecret | null;
	readonly trialCredits: number;
	readonly secureRandom: (octets: number) => Uint8Array;
}

/** Opens an account with one key, which is told once. `credits` replaces the trial grant. */
export async function createAccount(
	services: ManageServices,
	request: { readonly email: string; readonly credits: number | null },
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
	// Listed first: an account that nobody can find would be worse than a listed one that was never opened.
	await services.directory.insertAccount({ id: accountId, email: request.email, createdAt: now });
	const newKey = { id: route.keyId, secretHash: route.secretHash, label: 'First key' };
	await services.accounts(accountId).open({ now, initialCredits, key: newKey });
	return { accountId, apiKey };
}

/** The open accounts of an address, oldest first. The audit trail says that somebody looked, not for whom. */
export async function findAccounts(
	services: ManageServices,
	email: string,
): Promise<readonly ListedAccount[]> {
	const parsed = parseAddress(email);
	const names = [email.toLowerCase(), ...(parsed.ok ? [loginNameOf(parsed.address)] : [])];
	const found = await services.directory.findAccountsOf(names);
	const detail = { found: found.length };
	await services.directory.audit({
		at: services.clock.now(),
		action: 'account.find',
		accountId: null,
		detail,
	});
	return found;
}

/** Shuts an account's doors, or opens them again. It takes effect on the next request; running jobs go on. */
export async function setSuspended(
	services: ManageServices,
	accountId: string,
	suspended: boolean,
): Promise<{ suspendedAt: number | null }> {
	await requireAccount(services, accountId);
	await audit(services, suspended ? 'account.suspend' : 'account.unsuspend', accountId, {});
	const account = services.accounts(accountId);
	await account.suspend({ at: suspended ? services.clock.now() : null });
	const { suspendedAt } = await account.show();
	await services.directory.setSuspended(accountId, suspendedAt);
	return { suspendedAt };
}

/** Everything that an operator sees of an account. */
export async function showAccount(
	services: ManageServices,
	accountId: string,
): Promise<AccountView & { email: string; createdAt: number }> {
	const { email, createdAt } = await requireAccount(services, accountId);
	return { email, createdAt, ...(await services.accounts(accountId).show()) };
}

/** Adds credits under an id of the operator's choice; a repeated id changes nothing. Negative credits are taken back. */
export async function grantCredits(
	services: ManageServices,
	accountId: string,
	grant: { readonly id: string; readonly credits: number },
): Promise<{ balance: BalanceView; repeated: boolean }> {
	await requireAccount(services, accountId);
	await audit(services, 'credits.grant', accountId, grant);
	const granted = await services.accounts(accountId).grant({ ...grant, now: services.clock.now() });
	switch (granted.kind) {
		case 'granted':
		case 'repeated':
			return { balance: granted.balance, repeated: granted.kind === 'repeated' };
		case 'mismatch': {
			const text = `The id ${grant.id} was used for ${granted.credits} credits`;
			throw new ServiceError('grant_id_reused', text);
		}
		case 'closed':
			throw new ServiceError('account_closed', 'The account is closed: its owner deleted it');
		case 'insufficient_credits':
			throw new ServiceError('credits_spent', `Only ${granted.available} credits are available to take back`);
	}
}

/** Raises or lowers an account's rate limits. */
export async function setLimits(
	services: ManageServices,
	accountId: string,
	limits: Partial<Limits>,
): Promise<Limits> {
	await requireAccount(services, accountId);
	await audit(services, 'limits.set', accountId, limits);
	return services.accounts(accountId).setLimits(limits);
}

/** Ends a key. It takes effect on the next request. */
export async function revokeKey(services: ManageServices, accountId: string, keyId: string): Promise<void> {
	await requireAccount(services, accountId);
	await audit(services, 'key.revoke', accountId, { keyId });
	const found = await services.accounts(accountId).revokeKey({ keyId, now: services.clock.now() });
	if (!found) throw new ServiceError('key_not_found', 'This account has no such key');
}

async function requireAccount(
	services: ManageServices,
	accountId: string,
): Promise<{ email: string; createdAt: number }> {
	// An id that we never wrote must not wake an object.
	const record = accountBytesOf(accountId) === null ? null : await services.directory.findAccount(accountId);
	if (record === null) throw new ServiceError('account_not_found', 'There is no such account');
	return record;
}

async function audit(
	services: ManageServices,
	action: string,
	accountId: string,
	detail: AuditEntry['detail'],
): Promise<void> {
	await services.directory.audit({ at: services.clock.now(), action, accountId, detail });
}
