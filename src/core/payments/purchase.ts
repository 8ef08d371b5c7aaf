import { sha256Hex } from '../../lib/digest.ts';
import type { Money } from './packs.ts';

// With a space, which the ids of an operator's grants can't have.
const LINES = { bought: 'purchase ', refunded: 'refund ' } as const;

/** The id of a purchase: the same form sent twice for the same pack is one purchase. */
export function purchaseIdOf(accountId: string, formId: string, credits: number): string {
	return `pur_${sha256Hex(`purchase ${accountId} ${formId} ${credits}`).slice(0, 24)}`;
}

/** The id of a purchase in untrusted input; null: it is none. */
export function readPurchaseId(text: unknown): string | null {
	return typeof text === 'string' && /^pur_[0-9a-f]{24}$/.test(text) ? text : null;
}

/** The id of the grant for a purchase, or of the withdrawal after its refund, however often that is reported. */
export function lineIdOf(purchaseId: string, what: keyof typeof LINES): string {
	return LINES[what] + purchaseId;
}

/** The purchase that a line of the ledger is about; null: none. */
export function readPurchaseLine(
	lineId: string,
): { readonly purchaseId: string; readonly what: keyof typeof LINES } | null {
	for (const what of ['bought', 'refunded'] as const)
		if (lineId.startsWith(LINES[what])) return { purchaseId: lineId.slice(LINES[what].length), what };
	return null;
}

/**
 * The states of a purchase. A later state can follow an earlier one, never the reverse: of two concurrent requests,
 * the one that asked the provider earlier overwrites nothing. `open`: not paid yet. `ended`: it never will be.
 * `paid`: the credits are granted. `review`: paid or refunded in a way that a person has to judge. `refunded`: fully
 * refunded, and the credits withdrawn.
 */
export const PURCHASE_STATES = ['open', 'ended', 'paid', 'review', 'refunded'] as const;

export type PurchaseState = (typeof PURCHASE_STATES)[number];

/** A checkout as the payment provider reports it. */
export interface CheckoutSession {
	/** `open`: it can still be paid. `complete`: the payer finished it, though the money may be on its way. */
	readonly status: 'open' | 'complete' | 'expired';
	readonly isPaid: boolean;
	/** The amount that was, or has to be, paid. */
	readonly total: Money;
	/** The refunded part of it, in the currency's smallest unit. */
	readonly refunded: number;
	/** The payment failed, though the payer finished the checkout. */
	readonly hasFailed: boolean;
	/** The provider's receipt for the payer. */
	readonly receiptUrl: string | null;
}

/**
 * The state that a purchase gets by its checkout. It is paid for the agreed amount alone; another amount, another currency
 * and a partial refund are for a person to judge.
 */
export function judgeSession(session: CheckoutSession, agreed: Money): PurchaseState {
	if (!session.isPaid) return session.status === 'expired' || session.hasFailed ? 'ended' : 'open';
	const { amount, currency } = session.total;
	if (amount !== agreed.amount || currency !== agreed.currency) return 'review';
	if (session.refunded === 0) return 'paid';
	return session.refunded >= amount ? 'refunded' : 'review';
}
