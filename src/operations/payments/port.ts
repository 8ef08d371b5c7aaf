import type { PurchaseState } from '../../core/payments/purchase.ts';
import type { Money } from '../../core/payments/packs.ts';

/** An agreement with an account, written down before it pays: a later change of the price does not change it. */
export interface Purchase {
	readonly id: string;
	readonly accountId: string;
	readonly credits: number;
	readonly price: Money;
	readonly state: PurchaseState;
	/** Epoch milliseconds. */
	readonly createdAt: number;
	/** When it was last found to be paid, ended or refunded. */
	readonly changedAt: number | null;
	/** The provider's checkout, which belongs to this purchase alone; null until it was made. */
	readonly sessionId: string | null;
	readonly paymentId: string | null;
	/** The provider's receipt. */
	readonly receiptUrl: string | null;
}

/** The state of a purchase by its checkout. */
export type PurchaseChange = Pick<Purchase, 'state' | 'changedAt' | 'paymentId' | 'receiptUrl'>;

/** A checkout that is to be made. */
export interface NewCheckout {
	readonly purchase: Purchase;
	/** The name of the purchase: `10,000 Mailsonar credits`. */
	readonly what: string;
	/** The payer's address, filled in for them. */
	readonly email: string;
	/** Our pages after the payment, and after it was broken off. */
	readonly successUrl: string;
	readonly cancelUrl: string;
}
