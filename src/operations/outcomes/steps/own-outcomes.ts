import type { AccountPort } from '../../accounts/object-port.ts';
import type { Address } from '../../../core/address/parse-address.ts';
import { ownOutcomeAt } from '../../../core/outcomes/own-outcome.ts';
import type { OwnOutcome } from '../../../core/outcomes/own-outcome.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { AccountRef } from '../../accounts/port.ts';
import type { Digests } from '../port.ts';

/** The keyed hashes of an address in an account. */
export type DigestsOf = (accountId: string, address: Pick<Address, 'localPart' | 'domain'>) => Digests;

export interface OwnOutcomesServices {
	readonly clock: Clock;
	readonly digestsOf: DigestsOf;
	readonly accounts: (accountId: string) => Pick<AccountPort, 'findOutcomes'>;
}

/** Looks up with one call what became of the account's own messages to these addresses. */
export async function findOwnOutcomes(
	services: OwnOutcomesServices,
	{ accountId }: AccountRef,
	addresses: readonly Address[],
): Promise<(address: Address) => OwnOutcome | null> {
	const now = services.clock.now();
	const digests = addresses.map((address) => services.digestsOf(accountId, address));
	const found = await services.accounts(accountId).findOutcomes({ now, addresses: digests });
	const byEmail = new Map<string, OwnOutcome>();
	for (const [at, outcome] of found.entries()) {
		const email = addresses[at]?.email;
		if (outcome !== null && email !== undefined) byEmail.set(email, ownOutcomeAt(outcome, now));
	}
	return ({ email }) => byEmail.get(email) ?? null;
}
