import { parseAddress } from '../../core/address/parse-address.ts';
import type { BalanceView } from '../../core/credits/balance.ts';
import type { LedgerPlace } from '../../core/credits/ledger.ts';
import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import { loginNameOf } from '../../core/identity/login-name.ts';
import { accountIdOf, RANDOM_OCTETS, testAccountOf } from '../../core/keys/api-key.ts';
import { SCOPES } from '../../core/keys/scopes.ts';
import type { Limits } from '../../core/rate-limit/window.ts';
import { ServiceError } from '../../errors.ts';
import { streamOf } from '../../lib/streams.ts';
import type { ListedAccount } from '../../storage/schema.ts';
import { issueKey, openTestAccount } from './keys.ts';
import type { AccountPort } from './port.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

// Operators' actions on accounts.

/** Opens an account with one key, which is returned only now. `credits`: null for the trial grant. */
export async function createAccount(
	services: ManageServices,
	request: {
		readonly email: string;
		readonly credits: number | null;
		/** Where its requests will come from; left out: from where this one comes. */
		readonly location?: DurableObjectLocationHint | undefined;
	},
): Promise<{ accountId: string; apiKey: string }> {
	const { secureRandom, clock, directory } = services;
	const accountId = accountIdOf(secureRandom(RANDOM_OCTETS.account));
	const more = { label: 'First key', scopes: SCOPES, expiresAt: null };
	const { apiKey, key } = issueKey(services, accountId, 'live', more);
	const now = clock.now();
	const initialCredits = request.credits ?? services.trialCredits;
	await audit(services, 'account.create', accountId, { credits: initialCredits });
	// Listed first: an opened account that stands nowhere would be worse than a listed one that was never opened.
	await directory.insertAccount({ id: accountId, email: request.email, createdAt: now });
	await services.accounts(accountId, request.location).open({ now, initialCredits, key });
	return { accountId, apiKey };
}

/**
 * The open accounts of an address, oldest first. It is as the operator typed it, perhaps no address. The audit trail
 * records the search, but not the address.
 */
export async function findAccounts(
	services: ManageServices,
	email: string,
): Promise<readonly ListedAccount[]> {
	const parsed = parseAddress(email);
	const names = [email.toLowerCase(), ...(parsed.ok ? [loginNameOf(parsed.address)] : [])];
	const found = await services.directory.findAccountsOf(names);
	await audit(services, 'account.find', null, { found: found.length });
	return found;
}

/** Everything that an operator sees of an account. `check`: what contradicts itself in its books. */
export async function showAccount(services: ManageServices, accountId: string) {
	const { email, createdAt } = await requireAccount(services, accountId);
	const account = services.accounts(accountId);
	return { email, createdAt, ...(await account.show()), check: (await account.check()) ?? [] };
}

/** Changes an account's rate limits, and those of its test keys. */
export async function setLimits(
	services: ManageServices,
	accountId: string,
	limits: Partial<Limits>,
): Promise<Limits> {
	await requireAccount(services, accountId);
	await audit(services, 'limits.set', accountId, limits);
	const changed = await services.accounts(accountId).setLimits(limits);
	await openTestAccount(services, accountId);
	return changed;
}

/**
 * Suspends an account or resumes it, with its test keys, from the next request on. Its jobs end early. Returns since when
 * it is suspended.
 */
export async function setSuspended(
	services: ManageServices,
	accountId: string,
	suspended: boolean,
): Promise<number | null> {
	await requireAccount(services, accountId);
	await audit(services, suspended ? 'account.suspend' : 'account.unsuspend', accountId, {});
	const at = suspended ? services.clock.now() : null;
	await services.accounts(testAccountOf(accountId)).suspend({ at });
	const suspendedAt = await services.accounts(accountId).suspend({ at });
	// It was listed and never opened: its owner's next sign-in opens it.
	if (suspended && suspendedAt === null)
		throw new ServiceError('account_not_found', 'This account was never opened, so nothing can be suspended');
	await services.directory.setSuspended(accountId, suspendedAt);
	return suspendedAt;
}

/** Adds credits to an account, or takes them back where they are negative; a repeated id changes nothing. */
export async function grantCredits(
	services: ManageServices,
	accountId: string,
	{ id, credits }: { readonly id: string; readonly credits: number },
): Promise<{ balance: BalanceView; repeated: boolean }> {
	await requireAccount(services, accountId);
	await audit(services, 'credits.grant', accountId, { id, credits });
	const granted = await services.accounts(accountId).grant({ id, credits, now: services.clock.now() });
	switch (granted.kind) {
		case 'granted':
		case 'repeated':
			return { balance: granted.balance, repeated: granted.kind === 'repeated' };
		case 'mismatch':
			throw new ServiceError('grant_id_reused', `The id ${id} was used for ${granted.credits} credits`);
		case 'closed':
			throw closed();
		case 'insufficient_credits':
			throw new ServiceError('credits_spent', `Only ${granted.available} credits are available to take back`);
	}
}

export function closed(): ServiceError {
	return new ServiceError('account_closed', 'The account is closed: its owner deleted it');
}

/** The columns after the time and the kind of a line, as the fields are named. */
const FIGURES = ['credits', 'charged', 'refunded', 'released', 'reserved', 'change', 'name'] as const;

// Each page is one call of the account: its other callers wait meanwhile, and a request may make 1,000 such calls.
const PAGE_SIZE = 2_000;

/** The lines of the account's ledger as CSV, newest first, streamed. */
export function downloadLedger(account: Pick<AccountPort, 'listLedger'>): ReadableStream<Uint8Array> {
	return streamOf(writeCsv(rowsOf(account)));
}

async function* rowsOf({
	listLedger,
}: Pick<AccountPort, 'listLedger'>): AsyncGenerator<CsvRow, void, undefined> {
	yield ['when', 'what', 'id', 'key', ...FIGURES];
	let before: LedgerPlace | null = null;
	do {
		const page: Awaited<ReturnType<typeof listLedger>> = await listLedger({ before, pageSize: PAGE_SIZE });
		for (const line of page.entries)
			yield [
				new Date(line.at).toISOString(),
				line.kind,
				line.id,
				line.keyLabel,
				...FIGURES.map((name) => line[name]),
			];
		before = page.older;
	} while (before !== null);
}
