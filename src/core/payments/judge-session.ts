import type { Money } from './packs.ts';

/** A checkout as the payment provider tells it. */
export interface CheckoutSession {
	readonly id: string;
	/** `open`: it can still be paid. `complete`: it was gone through, though the money may be on its way. */
	readonly status: 'open' | 'complete' | 'expired';
	readonly isPaid: boolean;
	/** What was, or is to be, paid. */
	readonly total: Money;
	/** The payment's id; null: there is none yet. */
	readonly paymentId: string | null;
	/** Given back of it, in the currency's smallest unit. */
	readonly refunded: number;
	/** Whether the payer objects to the payment at the bank (a chargeback), and with what success for us. */
	readonly dispute: 'none' | 'open' | 'won' | 'lost';
	/** The payment could not be made, though the checkout was gone through. */
	readonly hasFailed: boolean;
	/** The provider's receipt for the payer. */
	readonly receiptUrl: string | null;
}

/** What follows from a checkout for the credits that were promised. */
export type SessionVerdict =
	/** Not paid, but it may still be. */
	| 'wait'
	/** Paid as agreed. */
	| 'grant'
	/** It will never be paid. */
	| 'end'
	/** Paid, and disputed. */
	| 'hold'
	/** Paid, disputed and kept. */
	| 'give_back'
	/** Paid, and taken back by the payer's bank. */
	| 'lose'
	/** Paid, and all of it given back. */
	| 'take_back'
	/** Something that only a person can judge: another amount, or a part of it given back. */
	| 'review';

/** Compares a checkout with what was agreed: nothing is granted for another amount or in another currency. */
export function judgeSession(session: CheckoutSession, agreed: Money): SessionVerdict {
	if (!session.isPaid) return session.status === 'expired' || session.hasFailed ? 'end' : 'wait';
	const { amount, currency } = session.total;
	if (amount !== agreed.amount || currency !== agreed.currency) return 'review';
	if (session.dispute === 'open') return 'hold';
	if (session.dispute === 'lost') return 'lose';
	if (session.refunded === 0) return session.dispute === 'won' ? 'give_back' : 'grant';
	return session.refunded >= amount ? 'take_back' : 'review';
}
