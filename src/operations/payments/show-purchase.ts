import { describeError, log } from '../../lib/log.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { IdentityServices } from '../people/port.ts';
import { throttle } from '../people/steps/throttle.ts';
import type { PaymentServices, Purchase } from './port.ts';
import { settlePurchase } from './steps/settle-purchase.ts';

/**
 * A purchase of the account; null: it has none of this id. An open one is asked about first: the payer may be back before
 * the provider has told us. Not without end: whoever loads the page all the time would use up what the provider answers us.
 */
export async function showPurchase(
	services: PaymentServices & Pick<IdentityServices, 'attempts'>,
	account: AccountRef,
	request: { readonly purchaseId: string },
): Promise<Purchase | null> {
	const purchase = await services.purchases.find(request.purchaseId);
	if (purchase === null || purchase.accountId !== account.accountId) return null;
	if (purchase.state !== 'open') return purchase;
	try {
		// The provider answers so many questions a second, of all accounts together.
		const throttled = await throttle(services, 'ask_payment', { client: null, account: account.accountId });
		if (throttled !== null) return purchase;
		return await settlePurchase(services, purchase);
	} catch (error) {
		// The page says that we do not know yet; the provider tells us by itself.
		log('purchase_not_settled', { purchase: purchase.id, ...describeError(error) });
		return purchase;
	}
}
