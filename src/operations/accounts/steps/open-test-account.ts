import type { AccountPort, Accounts } from '../object-port.ts';
import { testAccountOf } from '../../../core/keys/api-key.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { AccountRef } from '../port.ts';

/** Credits that buy nothing: more than all windows let a key spend in a century. */
const TEST_CREDITS = 1_000_000_000_000;

/**
 * The account beside a live one for its test keys, opened if it is not, with the limits of the live one. Null: that one is
 * suspended, so no key may be made.
 */
export async function openTestAccount(
	services: { readonly accounts: Accounts; readonly clock: Clock },
	{ accountId }: AccountRef,
): Promise<AccountPort | null> {
	const store = services.accounts(testAccountOf(accountId));
	await store.open({ now: services.clock.now(), initialCredits: TEST_CREDITS, key: null });
	const { limits, suspendedAt } = await services.accounts(accountId).show();
	await store.setLimits(limits);
	return suspendedAt === null ? store : null;
}
