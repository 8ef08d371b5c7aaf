import type { Address } from '../../core/address/parse-address.ts';
import type { OutcomeKind } from '../../core/outcomes/outcome.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Services } from '../../services.ts';

/**
 * Records what became of the account's own messages. The addresses become keyed hashes before they are stored.
 *
 * @param told `at`: epoch milliseconds, not in the future; null: now
 */
export async function recordOutcomes(
	services: Pick<Services, 'clock' | 'digestsOf' | 'accounts'>,
	{ accountId }: AccountRef,
	told: readonly { readonly address: Address; readonly kind: OutcomeKind; readonly at: number | null }[],
) {
	const now = services.clock.now();
	const outcomes = told.map(({ address, kind, at }) => ({
		digests: services.digestsOf(accountId, address),
		kind,
		at: Math.min(at ?? now, now),
		isDated: at !== null,
	}));
	return services.accounts(accountId).recordOutcomes({ now, outcomes });
}

/** Looks up with one call what became of the account's own messages to these addresses. */
export async function findOwnOutcomes(
	services: Pick<Services, 'clock' | 'digestsOf' | 'accounts'>,
	{ accountId }: AccountRef,
	addresses: readonly Address[],
): Promise<(address: Address) => OutcomeKind | null> {
	const now = services.clock.now();
	const digests = addresses.map((address) => services.digestsOf(accountId, address));
	const found = await services.accounts(accountId).findOutcomes({ now, addresses: digests });
	const byEmail = new Map(addresses.map(({ email }, at) => [email, found[at]?.kind]));
	return ({ email }) => byEmail.get(email) ?? null;
}
