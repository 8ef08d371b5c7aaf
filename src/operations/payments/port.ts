import type { Accounts } from '../accounts/object-port.ts';
import type { CheckoutSession, PurchaseState } from '../../core/payments/purchase.ts';
import type { CreditPack, Money } from '../../core/payments/packs.ts';
import type { Clock } from '../../engine/ports.ts';

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

/** The purchases of all accounts. */
export interface Purchases {
	/** Adds it unless there is one of its id, and returns the one that is there. */
	insert(purchase: Purchase): Promise<Purchase>;
	/** Notes the checkout of a purchase that has none yet. False: it has another one. */
	attach(id: string, sessionId: string): Promise<boolean>;
	find(id: string): Promise<Purchase | null>;
	findBySession(sessionId: string): Promise<Purchase | null>;
	findByPayment(paymentId: string): Promise<Purchase | null>;
	/** Notes the state of a purchase, unless a later one is noted (`PURCHASE_STATES`). Returns the purchase. */
	change(id: string, change: PurchaseChange): Promise<Purchase>;
	/** The purchases of an account that are more than begun, newest first. */
	listOf(accountId: string, most: number): Promise<readonly Purchase[]>;
}

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

/** A payment provider with a checkout of its own. Each call throws `ServiceError` `upstream_unavailable`. */
export interface Checkout {
	/** Makes the checkout of a purchase. A repeated call within a day gets the same one. */
	create(checkout: NewCheckout): Promise<{ readonly id: string; readonly url: string }>;
	/** How a checkout stands now; null: there is none of this id. */
	read(sessionId: string): Promise<CheckoutSession | null>;
}

export interface PaymentServices {
	readonly clock: Clock;
	readonly accounts: Accounts;
	readonly purchases: Purchases;
	/** The packs on sale, fewest credits first. */
	readonly packs: readonly CreditPack[];
	/** Null: nothing can be paid here. */
	readonly checkout: Checkout | null;
}
