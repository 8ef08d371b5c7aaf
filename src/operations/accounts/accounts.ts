import { accountIdOf, issueApiKey, RANDOM_OCTETS, testAccountOf } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import { SCOPES } from '../../core/keys/scopes.ts';
import type { AccountLocation, AccountRef, AccountView } from './port.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';
import { parseAddress } from '../../core/address/parse-address.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import type { ListedAccount } from '../../storage/schema.ts';
import { firstDayOf, usageByDay } from '../../core/credits/usage.ts';
import type { DayUsage } from '../../core/credits/usage.ts';
import type { Limits } from '../../core/rate-limit/window.ts';
import { openTestAccount } from './keys.ts';
import type { Services } from '../../services.ts';

interface CreateAccountRequest {
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
	// Listed first: an opened account that stands nowhere would be worse than a listed one that was never opened.
	await services.directory.insertAccount({ id: accountId, email: request.email, createdAt: now });
	const { keyId: id, secretHash, version, ending } = route;
	const newKey = { id, secretHash, version, ending, label: 'First key', scopes: SCOPES, expiresAt: null };
	await services.accounts(accountId, request.location).open({ now, initialCredits, key: newKey });
	return { accountId, apiKey };
}

interface FindAccountsRequest {
	/** As typed by the operator; perhaps not an address. */
	readonly email: string;
}

/** The open accounts of an address, oldest first. The audit trail records the search, but not the address. */
export async function findAccounts(
	services: ManageServices,
	request: FindAccountsRequest,
): Promise<readonly ListedAccount[]> {
	const { email } = request;
	const parsed = parseAddress(email);
	const names = [email.toLowerCase(), ...(parsed.ok ? [loginNameOf(parsed.address)] : [])];
	const found = await services.directory.findAccountsOf(names);
	await audit(services, 'account.find', null, { found: found.length });
	return found;
}

/** Everything that an operator sees of an account. `check`: what contradicts itself in its books. */
export async function showAccount(
	services: ManageServices,
	account: AccountRef,
): Promise<AccountView & { email: string; createdAt: number; check: readonly string[] }> {
	const { email, createdAt } = await requireAccount(services, account);
	const store = services.accounts(account.accountId);
	return { email, createdAt, ...(await store.show()), check: (await store.check()) ?? [] };
}

interface SetLimitsRequest {
	/** The limits to change. */
	readonly limits: Partial<Limits>;
}

/** Changes an account's rate limits, and those of its test keys. */
export async function setLimits(
	services: ManageServices,
	account: AccountRef,
	request: SetLimitsRequest,
): Promise<Limits> {
	const { accountId } = account;
	const { limits } = request;
	await requireAccount(services, account);
	await audit(services, 'limits.set', accountId, limits);
	const changed = await services.accounts(accountId).setLimits(limits);
	await openTestAccount(services, account);
	return changed;
}

/** Suspends an account or resumes it, with its test keys, from the next request on. Its jobs end early. */
export async function setSuspended(
	services: ManageServices,
	account: AccountRef,
	request: { readonly suspended: boolean },
): Promise<{ suspendedAt: number | null }> {
	const { accountId } = account;
	const { suspended } = request;
	await requireAccount(services, account);
	await audit(services, suspended ? 'account.suspend' : 'account.unsuspend', accountId, {});
	const store = services.accounts(accountId);
	const at = suspended ? services.clock.now() : null;
	await services.accounts(testAccountOf(accountId)).suspend({ at });
	await store.suspend({ at });
	const { suspendedAt } = await store.show();
	await services.directory.setSuspended(accountId, suspendedAt);
	return { suspendedAt };
}

interface ReadUsageRequest {
	readonly days: number;
	/** Null: all keys, and the dashboard. */
	readonly keyId: string | null;
}

/** The usage of the account, or of one of its keys, on each of the last `days` days; today is the last. */
export async function readUsage(
	services: Pick<Services, 'accounts' | 'clock'>,
	account: AccountRef,
	request: ReadUsageRequest,
): Promise<readonly DayUsage[]> {
	const { days, keyId } = request;
	const now = services.clock.now();
	const entries = await services.accounts(account.accountId).usageSince(firstDayOf(days, now));
	const wanted = keyId === null ? entries : entries.filter((entry) => entry.keyId === keyId);
	return usageByDay(wanted, days, now);
}
