import { firstDayOf, usageByDay } from '../../core/credits/usage-by-day.ts';
import type { DayUsage } from '../../core/credits/usage-by-day.ts';
import type { AccountRef } from './port.ts';
import type { IdentityServices } from '../people/port.ts';

export interface ReadUsageRequest {
	readonly days: number;
	/** Null: all keys, and the dashboard. */
	readonly keyId: string | null;
}

/** The usage of the account, or of one of its keys, on each of the last `days` days; today is the last. */
export async function readUsage(
	services: Pick<IdentityServices, 'accounts' | 'clock'>,
	account: AccountRef,
	request: ReadUsageRequest,
): Promise<readonly DayUsage[]> {
	const { days, keyId } = request;
	const now = services.clock.now();
	const entries = await services.accounts(account.accountId).usageSince(firstDayOf(days, now));
	const wanted = keyId === null ? entries : entries.filter((entry) => entry.keyId === keyId);
	return usageByDay(wanted, days, now);
}
