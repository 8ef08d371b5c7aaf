import type { Money } from './packs.ts';

/** A checkout as the payment provider reports it. */
export interface CheckoutSession {
	readonly id: string;
	/** `open`: it can still be paid. `complete`: the payer finished it, though the money may be on its way. */
	readonly status: 'open' | 'complete' | 'expired';
	readonly isPaid: boolean;
	/** The amount that was, or has to be, paid. */
	readonly total: Money;
	/** The payment's id; null: there is none yet. */
	readonly paymentId: string | null;
	/** The refunded part of it, in the currency's smallest unit. */
	readonly refunded: number;
	/** The payer's objection to the payment at the bank (a chargeback), and its outcome for us. */
	readonly dispute: 'none' | 'open' | 'won' | 'lost';
	/** The payment failed, though the payer finished the checkout. */
	readonly hasFailed: boolean;
	/** The provider's receipt for the payer. */
	readonly receiptUrl: string | null;
}

/** The consequence of a checkout for the promised credits. */
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
	/** Paid, and fully refunded. */
	| 'take_back'
	/** A case that only a person can judge: another amount, or a partial refund. */
	| 'review';

/** Compares a checkout with the agreed price: it grants nothing for another amount or in another currency. */
export function judgeSession(session: CheckoutSession, agreed: Money): SessionVerdict {
	if (!session.isPaid) return session.status === 'expired' || session.hasFailed ? 'end' : 'wait';
	const { amount, currency } = session.total;
	if (amount !== agreed.amount || currency !== agreed.currency) return 'review';
	if (session.dispute === 'open') return 'hold';
	if (session.dispute === 'lost') return 'lose';
	if (session.refunded === 0) return session.dispute === 'won' ? 'give_back' : 'grant';
	return session.refunded >= amount ? 'take_back' : 'review';
}
