import { testAccountOf } from '../../core/keys/api-key.ts';
import type { SecondFactors } from '../people/port.ts';
import type { FoundSecretVersions } from './port.ts';
import { askAccounts } from './steps/ask-accounts.ts';
import type { ManageServices } from './steps/manage.ts';

export interface FindSecretVersionsRequest {
	/** The account after which to go on; null: from the start. */
	readonly after: string | null;
}

/** Which versions of the signing secret are still needed, by the next accounts and by all second factors. */
export async function findSecretVersions(
	services: ManageServices & { readonly secondFactors: SecondFactors },
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
	const secondFactors = await services.secondFactors.countByVersion();
	return { current: services.signing?.version ?? null, secondFactors, ...versions };
}
