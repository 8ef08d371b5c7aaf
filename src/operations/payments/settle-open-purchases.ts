import { ASKED_UNTIL_MS } from '../../core/payments/retry-times.ts';
import { describeError, log } from '../../lib/log.ts';
import type { PaymentServices } from './port.ts';
import { settlePurchase } from './steps/settle-purchase.ts';

const HOUR_MS = 3_600_000;
const YOUNGEST_MS = HOUR_MS;
const MOST = 200;
// The rest of the night's work waits for it, and a provider that keeps silent takes ten seconds each time.
const TIME_MS = 100_000;

/** Asks about purchases that nobody has told us about, in case the provider's events do not reach us. */
export async function settleOpenPurchases(
	services: PaymentServices,
): Promise<{ asked: number; settled: number }> {
	if (services.checkout === null) return { asked: 0, settled: 0 };
	const now = services.clock.now();
	const open = await services.purchases.openBetween(now - ASKED_UNTIL_MS, now - YOUNGEST_MS, MOST);
	let asked = 0;
	let settled = 0;
	for (const purchase of open) {
		if (services.clock.now() - now >= TIME_MS) break;
		asked += 1;
		try {
			if ((await settlePurchase(services, purchase)).state !== 'open') settled += 1;
		} catch (error) {
			log('purchase_not_settled', { purchase: purchase.id, ...describeError(error) });
		}
	}
	return { asked, settled };
}
