import { firstDayOf, usageByDay } from '../../core/credits/usage-by-day.ts';
import type { DayUsage } from '../../core/credits/usage-by-day.ts';
import type { IdentityServices } from '../people/port.ts';

/** What the account did on each of the last `days` days, or one of its keys did. Today is the last one. */
export async function readUsage(
	{ accounts, clock }: Pick<IdentityServices, 'accounts' | 'clock'>,
	accountId: string,
	{ days, keyId = null }: { readonly days: number; readonly keyId?: string | null },
): Promise<readonly DayUsage[]> {
	const now = clock.now();
	const entries = await accounts(accountId).usageSince(firstDayOf(days, now));
	const wanted = keyId === null ? entries : entries.filter((entry) => entry.keyId === keyId);
	return usageByDay(wanted, days, now);
}
