import { describeError, log } from '../../lib/log.ts';
import type { AskedAccounts, FoundSecretVersions } from './port.ts';
import type { ManageServices } from './steps/manage.ts';
import { testAccountOf } from '../../core/keys/api-key.ts';

// Each account costs a call or two, and a Worker may make a thousand.
const ACCOUNTS_A_PAGE = 100;

/** Asks a page of the listed accounts, one after the other. Null as an answer: the account has nothing to say. */
export async function askAccounts<T extends object>(
	{ directory }: Pick<ManageServices, 'directory'>,
	after: string | null,
	ask: (accountId: string) => Promise<T | null>,
): Promise<AskedAccounts<T>> {
	const ids = await directory.listAccountIds(after, ACCOUNTS_A_PAGE);
	const accounts: (T & { accountId: string })[] = [];
	const missing: string[] = [];
	for (const accountId of ids) {
		try {
			const answer = await ask(accountId);
			if (answer !== null) accounts.push({ accountId, ...answer });
		} catch (error) {
			log('account_not_surveyed', { accountId, ...describeError(error) }, 'warn');
			missing.push(accountId);
		}
	}
	return { accounts, missing, next: ids.length < ACCOUNTS_A_PAGE ? null : (ids.at(-1) ?? null) };
}

export interface FindSecretVersionsRequest {
	/** The account after which to go on; null: from the start. */
	readonly after: string | null;
}

/** Which versions of the signing secret are still needed, by the next accounts. */
export async function findSecretVersions(
	services: ManageServices,
	{ after }: FindSecretVersionsRequest,
): Promise<FoundSecretVersions> {
	const now = services.clock.now();
	const versions = await askAccounts(services, after, async (accountId) => {
		const [live, test] = [accountId, testAccountOf(accountId)].map((id) => services.accounts(id));
		const found = [await live?.secretVersions({ now }), await test?.secretVersions({ now })];
		return {
			keys: found.flatMap((each) => each?.keys ?? []),
			webhooks: found.flatMap((each) => each?.webhooks ?? []),
		};
	});
	return { current: services.signing?.version ?? null, ...versions };
}
